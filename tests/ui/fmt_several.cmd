$ arrc fmt --check nowhere fmt_check.arr fmt_mistake.arr
