def suffix: i64 = 12q
def binary: i64 = 0b102
def fraction: i64 = 1.5i64
def hexadecimal: i64 = 0x
def sixteenths: f64 = 0x1.8
def exponent: f64 = 0x1p
def far: f64 = 0x1p1024
def huge: u64 = 999999999999999999999999999999999999999999
