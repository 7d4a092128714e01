type point = {x: f65, y: pont}

entry main (x: int): float = x
