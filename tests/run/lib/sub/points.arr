-- Imported by ../shapes, and by tests/run/imports.arr.
type point = {x: f64, y: f64}

def square (x: f64): f64 = x * x

def norm (p: point): f64 = f64.sqrt (square p.x + square p.y)
