type point = {x: f65, y: pont}

entry demo (x: int): float = x
