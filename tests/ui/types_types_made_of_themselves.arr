type tree = {left: forest}
type forest = [2]tree
