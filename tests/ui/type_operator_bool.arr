entry demo (a: bool) (b: bool): bool = a + b
