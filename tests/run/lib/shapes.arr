-- What tests/run/imports.arr imports: not a program of its own.
import "sub/points"

def tau: f64 = 2 * f64.pi

def area (r: f64): f64 = square r * tau / 2

-- | Only seen here.
local def hidden (x: i64): i64 = x + 1

def seen (x: i64): i64 = hidden x * 2

type circle = {centre: point, r: f64}

def grown (c: circle) (by: f64): circle = c with r = c.r + by

-- An entry of an imported file is a definition like any other.
entry doubled [n] (xs: [n]i64): [n]i64 = map (* 2) xs

module deep = {
  module inner = {
    def answer: i64 = 42
    def inc (x: i64): i64 = x + one
  }
  local def one: i64 = 1
}

def third (xs: [3]i64): i64 = xs[2 + seen 0]
