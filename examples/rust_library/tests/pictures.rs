//! The library as its users call it: pictures that lie in memory in any order, errors, and calls that end in time.

use std::error::Error;
use std::time::Duration;

use ndarray::{Array2, ArrayView2, Axis, s};
use pictures::Filters;
use pictures::filters::{Code, Context, Destination, View};

fn picture(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 3) % 11) as f64)
}

/// The same filter in Rust.
fn expected(picture: ArrayView2<'_, f64>) -> Array2<f64> {
    let (n, m) = picture.dim();
    Array2::from_shape_fn((n, m), |(i, j)| {
        if i == 0 || j == 0 || i == n - 1 || j == m - 1 {
            return picture[[i, j]];
        }
        let [up, down] = [picture[[i - 1, j]], picture[[i + 1, j]]];
        (picture[[i, j]] + up + down + picture[[i, j - 1]] + picture[[i, j + 1]]) / 5.0
    })
}

#[test]
fn pictures_lie_in_any_order() -> Result<(), Box<dyn Error>> {
    let all = picture(9, 8);
    let mut mirrored = all.view();
    mirrored.invert_axis(Axis(1));
    let row = all.row(3);
    let repeated = row.broadcast((5, 8)).ok_or("a row is repeated")?;
    let mut filters = Filters::new(0)?;
    for view in [
        all.view(),
        all.t(),
        all.slice(s![2..7, 1..;2]),
        all.slice(s![..;-1, ..;-3]),
        mirrored,
        repeated,
        all.slice(s![..0, ..]),
    ] {
        assert_eq!(filters.blurred(view)?, expected(view), "{view:?}");
    }
    Ok(())
}

#[test]
fn views_have_strides() -> Result<(), Box<dyn Error>> {
    let all = picture(4, 3);
    let elements = all.as_slice().ok_or("it is dense")?;
    let turned = View::with_strides(elements, [3, 4], [1, 3]).ok_or("all are there")?;
    let mut context = Context::new()?;
    let means = context.means(turned)?;
    assert_eq!(Some(&*means), all.mean_axis(Axis(0)).ok_or("there are rows")?.as_slice());
    assert!(View::with_strides(elements, [3, 4], [1, 4]).is_none());
    let levels = context.lighter(turned, &[-1.0, 100.0])?;
    assert_eq!(*levels, [12, 0]);
    Ok(())
}

#[test]
fn results_go_to_memory_that_is_dense() -> Result<(), Box<dyn Error>> {
    let all = picture(6, 5);
    let mut two = Array2::zeros((12, 5));
    let mut filters = Filters::new(1)?;
    filters.blur(all.view(), two.slice_mut(s![6.., ..]))?;
    assert_eq!(two.slice(s![6.., ..]), expected(all.view()));
    assert!(two.slice(s![..6, ..]).iter().all(|&pixel| pixel == 0.0));

    let mut wide = Array2::zeros((6, 10));
    for not_dense in [wide.slice_mut(s![.., ..5]), two.slice_mut(s![..6, ..;-1])] {
        let error = filters.blur(all.view(), not_dense).expect_err("it has gaps, or runs backwards");
        assert_eq!((error.code(), error.code().page()), (Code::Argument, None));
        assert!(error.message().contains("is not dense"), "{error}");
    }
    let error = filters.blur(all.view(), two.view_mut()).expect_err("it has more rows");
    assert_eq!((error.code(), error.code().page()), (Code::Shape, Some("A0604")));
    assert!(wide.iter().all(|&pixel| pixel == 0.0));
    let mut few = [0.0; 6];
    assert!(Destination::new(&mut few, [2, 2]).is_none());
    Ok(())
}

#[test]
fn errors_have_causes_and_pages() -> Result<(), Box<dyn Error>> {
    let error = Filters::new(1)?.pixel(picture(2, 2).view(), [0, 2]).expect_err("two columns");
    let cause = error.source().ok_or("the program says why")?.to_string();
    assert!(cause.contains("index 2 is out of bounds for an array of length 2"), "{cause}");
    assert!(cause.ends_with("`arrc explain A0601` says more"), "{cause}");
    Ok(())
}

#[test]
fn calls_end_in_time() -> Result<(), Box<dyn Error>> {
    let mut filters = Filters::new(0)?;
    let all = picture(20, 20);
    let settled = filters.settled(all.view(), 0.1, Duration::from_secs(60))?.ok_or("it settles")?;
    assert!((settled.mean() > Some(0.0)) && settled.dim() == (20, 20));
    // No change is less than that.
    assert_eq!(filters.settled(all.view(), -1.0, Duration::from_millis(20))?, None);
    assert_eq!(filters.blurred(all.view())?, expected(all.view()));
    Ok(())
}

#[test]
fn threads_and_memory_are_told() -> Result<(), Box<dyn Error>> {
    let all = picture(1000, 1000);
    let mut found = Vec::new();
    for threads in [1, 2] {
        let mut filters = Filters::new(threads)?;
        found.push(filters.blurred(all.view())?);
        let stats = filters.stats();
        assert_eq!(stats.threads, threads as u64);
        assert!(stats.bytes_peak >= 8_000_000 && stats.bytes_live == 0, "{stats:?}");
    }
    assert_eq!(found[0], found[1]);
    Ok(())
}
