def f p q = p.x.y + q.0
