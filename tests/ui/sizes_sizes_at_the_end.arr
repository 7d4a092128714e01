def f xs ys zs = (zip (cross xs ys) zs, zip xs [1, 2], zip ys [1], zip zs [1, 2, 3])
