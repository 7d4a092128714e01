def f (x: i64): i64 = x

This is some text that I forgot to comment.

def g (x: i64): i64 = f x
fn main() { println!("hi"); }
entry e (x: i64): bool = g x
