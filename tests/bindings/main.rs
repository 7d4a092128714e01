//! Calls of entries with odd names and shapes.
#![deny(warnings)]

mod odd {
    include!(concat!(env!("OUT_DIR"), "/odd.rs"));
}

use odd::{Code, Context, Destination, Error, View};

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

    // Results in memory of ours.
    let (mut first, mut second) = ([0; 2], vec![0; 2]);
    assert_eq!(context.both_into(&mut first, &mut second, &[1, 2])?, ([2], [2]));
    assert_eq!((first, &*second), ([2, 3], &[2, 3][..]));
    let mut turned = [true; 6];
    let memory = Destination::new(&mut turned, [3, 2]).expect("six elements");
    let bits = View::new(&bits, [2, 3]).expect("six elements");
    assert_eq!(context.flipped_into(memory, bits)?, [3, 2]);
    assert_eq!(turned, [false, true, true, false, true, false]);
    let mut few = [0_u8; 2];
    let error = context.three_into(&mut few[..]).expect_err("there are three");
    assert_eq!(error.code(), Code::Shape);
    assert!(Destination::new(&mut few, [3]).is_none());
    Ok(())
}
