type day = #mon | #tue | #wed | #thu | #fri | #sat | #sun

def is_free (d: day): bool =
  match d
  case #sat -> true
  case #sun -> true

entry demo (n: i64): bool = is_free (if n == 0 then #mon else #sun)
