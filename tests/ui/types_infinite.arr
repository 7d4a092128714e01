def f g = g g
