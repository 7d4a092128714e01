-- $ arrc fmt FILE
def f  = (1 +
def g = unknown
