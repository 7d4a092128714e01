$ arrc fmt
