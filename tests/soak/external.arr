-- A program whose C function makes the mistake that it is asked for.

#[effect(io)] external mistaken (mistake: i64): i64

entry sum_with (n: i64) (mistake: i64): i64 = i64.sum (map (* 2) (iota n)) + mistaken mistake
