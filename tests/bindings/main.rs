//! Calls of entries with odd names and shapes.
#![deny(warnings)]

mod odd {
    include!(concat!(env!("OUT_DIR"), "/odd.rs"));
}

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use odd::{Canceller, Code, Context, Destination, Error, Options, View};

fn main() -> Result<(), Error> {
    let mut context = Context::new()?;
    results(&mut context)?;
    names(&mut context)?;
    strides(&mut context)?;
    errors(&mut context);
    resources()?;
    lent()?;
    cancelled()
}

fn results(context: &mut Context) -> Result<(), Error> {
    assert_eq!(context.move_(true, -7, 0.5)?, (true, -7, 0.5));
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

/// What Rust and the context have for themselves.
fn names(context: &mut Context) -> Result<(), Error> {
    assert_eq!((context.check__(1, 2)?, context.check_()?), (12, 2));
    assert_eq!((context.stats_()?, context.next()?, context.toCamel(5)?), (3, 4, 5));
    assert_eq!(context.values(1, 2, 3, 4)?, 10);
    assert_eq!((context.into_f(1)?, context.is_f(1)?, context.neg(1)?), (1, true, -1));
    assert_eq!(context.many(1, 1, 1, 4, 5, 6, 1, 1)?, (3, 4, 5, 6, 2));
    Ok(())
}

/// Elements with gaps, backwards, repeated, and outside of what is borrowed.
fn strides(context: &mut Context) -> Result<(), Error> {
    let xs: Vec<i64> = (0..12).collect();
    let mut of = |view: View<'_, i64>| context.both(view).map(|(found, _)| found.to_vec());
    let view = |from: usize, count, stride| View::with_strides(&xs[from..], [count], [stride]);
    let plus_one = |xs: &[i64]| xs.iter().map(|x| x + 1).collect::<Vec<_>>();
    assert_eq!(of(view(0, 4, 3).expect("0, 3, 6, 9"))?, plus_one(&[0, 3, 6, 9]));
    assert_eq!(of(view(1, 3, -5).expect("11, 6, 1"))?, plus_one(&[11, 6, 1]));
    assert_eq!(of(view(7, 3, 0).expect("7, 7, 7"))?, plus_one(&[7, 7, 7]));
    assert_eq!(of(view(12, 0, 5).expect("none"))?, []);
    assert_eq!(of(view(11, 1, isize::MIN).expect("one"))?, [12]);
    for (from, count, stride) in [(0, 5, 3), (1, 5, -3), (12, 1, 1), (0, 2, isize::MIN)] {
        assert!(view(from, count, stride).is_none(), "{from} {count} {stride}");
    }
    for (shape, strides) in [
        ([usize::MAX, 2], [0, 0]),
        ([1 << 32, 1 << 31], [0, 0]),
        ([2, 2], [isize::MAX, isize::MAX]),
        ([0, usize::MAX], [0, 0]),
        ([3, 2], [10, -2]),
    ] {
        assert!(View::with_strides(&xs, shape, strides).is_none(), "{shape:?} {strides:?}");
    }
    assert!(View::<i64, 2>::new(&[], [0, usize::MAX]).is_none());
    assert!(View::<i64, 3>::new(&[], [0, 1 << 62, 1 << 62]).is_none());

    // The matrix [[4, 2], [9, 7]], and one row twice.
    let matrix = View::with_strides(&xs[2..], [2, 2], [5, -2]).expect("2 to 9");
    assert_eq!(context.sum(matrix)?, 22);
    assert_eq!(context.sum(View::with_strides(&xs, [2, 12], [0, 1]).expect("all"))?, 132);
    // Views go to other threads, as slices do.
    let moved = thread::scope(|threads| {
        let sum = move || Context::new()?.sum(matrix);
        threads.spawn(sum).join().expect("no panic")
    });
    assert_eq!(moved?, 22);
    Ok(())
}

fn errors(context: &mut Context) {
    let error = context.linked(&[1], &[1, 0]).expect_err("their sizes differ");
    assert_eq!((error.code(), error.code().page()), (Code::Shape, Some("A0604")));
    let text = error.to_string();
    assert!(text.starts_with(error.message()) && text.ends_with("\n`arrc explain A0604` says more"), "{text}");
    let error = context.linked(&[1, 2], &[0, 0]).expect_err("a division by zero");
    assert_eq!((error.code(), error.code().page()), (Code::Division, Some("A0602")));
    let error: Box<dyn std::error::Error + Send + Sync> = error.into();
    assert!(error.to_string().contains("odd.arr:"), "{error}");
    assert_eq!(Code::Other(77).page(), None);
}

/// Limits, statistics and threads.
fn resources() -> Result<(), Error> {
    let options = Options { threads: 2, grain: 1, pool_limit: 1, ..Options::default() };
    let mut context = Context::with(options)?;
    let xs = vec![1; 100_000];
    let (one, other) = context.both(&xs)?;
    let stats = context.stats();
    assert_eq!((stats.threads, stats.parallel_passes, stats.bytes_kept), (2, 1, 0));
    assert!(stats.bytes_live >= 800_000 && stats.bytes_peak >= stats.bytes_live, "{stats:?}");
    drop((one, other));
    assert_eq!(context.stats().bytes_live, 0);

    let mut context = Context::with(Options { threads: 1, ..Options::default() })?;
    drop(context.both(&xs)?);
    assert_eq!(context.stats().threads, 1);
    assert!(context.stats().bytes_kept > 0);
    context.trim();
    assert_eq!(context.stats().bytes_kept, 0);
    Ok(())
}

/// Threads of the program's own. A function that calls the body too often, or never, changes no result.
fn lent() -> Result<(), Error> {
    let xs = vec![1; 100_000];
    let options = Options { threads: 3, grain: 1, ..Options::default() };
    let count = Arc::new(AtomicUsize::new(0));
    for calls in [0, 1, 3, 7] {
        let seen = Arc::clone(&count);
        let mut context = Context::with_threads(options, move |copies, body| {
            seen.fetch_add(copies, Ordering::Relaxed);
            thread::scope(|threads| (0..calls).for_each(|_| drop(threads.spawn(body))));
        })?;
        let (found, _) = context.both(&xs)?;
        assert!(found.iter().all(|&x| x == 2));
        assert_eq!(context.stats().threads, 3);
        drop(context);
    }
    assert!(count.load(Ordering::Relaxed) >= 4, "{count:?}");
    // Nothing keeps the function.
    assert_eq!(Arc::strong_count(&count), 1);
    Ok(())
}

/// Other threads stop a call, and may keep the handle longer than the context lives.
fn cancelled() -> Result<(), Error> {
    fn sent<T: Send + Sync + Clone>(value: T) -> T {
        value
    }
    let mut context = Context::new()?;
    let canceller: Canceller = sent(context.canceller());
    // No call runs yet, so this stops none.
    canceller.cancel();
    assert_eq!(context.neg(1)?, -1);
    let call = thread::spawn(move || {
        let error = context.forever(1).expect_err("it has no end");
        (context, error.code())
    });
    while !call.is_finished() {
        canceller.cancel();
        thread::sleep(Duration::from_millis(1));
    }
    let (mut context, code) = call.join().expect("no panic");
    assert_eq!((code, code.page()), (Code::Cancelled, Some("A0617")));
    assert_eq!(context.neg(1)?, -1);
    drop(context);
    canceller.cancel();
    Ok(())
}
