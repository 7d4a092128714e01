-- A file with a `main` of its own.

def five: i64 = 5

def main: i64 = five
