-- Each of these is reported.
def name (x: i64): i64 = "x"
def semicolon (x: i64): i64 = x;
def umlaut (größe: i64): i64 = größe
def dollar (x: i64): i64 = i64.abs $ x
