//! Calls of entries with odd names and shapes.
#![deny(warnings)]

mod odd {
    include!(concat!(env!("OUT_DIR"), "/odd.rs"));
}

use odd::{Context, Error, View};

fn main() -> Result<(), Error> {
    let mut context = Context::new()?;
    assert_eq!(context.move_(true, -7, 0.5)?, (true, -7, 0.5));
    assert_eq!(context.check_(1, 2)?, 12);
    assert_eq!(context.farthest(&[1.0, 3.0], &vec![2.0, 4.0])?, (3.0, 4.0));
    assert_eq!(context.root(4.0)?, (1, 2.0));
    let bits = [true, false, false, false, true, true];
    let flipped = context.flipped(View::new(&bits, [2, 3]).expect("six elements"))?;
    assert_eq!((flipped.shape(), &*flipped), ([3, 2], &[false, true, true, false, true, false][..]));
    let (one, other) = context.both(&[1, 2])?;
    drop(one);
    assert_eq!(&*other, &[2, 3]);
    assert_eq!(format!("{:?}", context.three()?), "Array { shape: [3], elements: [1, 2, 255] }");
    Ok(())
}
