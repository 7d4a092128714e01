-- A program whose C function makes the mistake that it is asked for.

-- ==
-- entry: sum_with
-- link: external.c
-- input { 10 0 } output { 91 }
-- input { 10 1 } output { 91 }
#[effect(io)]
external mistaken (mistake: i64): i64

entry sum_with (n: i64) (mistake: i64): i64 = i64.sum (map (* 2) (iota n)) + mistaken mistake
