//! The product of two matrices, and an array divided by sums, from Rust: arguments are borrowed, results own the memory that the
//! program made them in, and errors are values.

use std::error::Error;

use ndarray::{Array2, ArrayView2, array};

mod matmul {
    include!(concat!(env!("OUT_DIR"), "/matmul.rs"));
}
mod normalize2 {
    include!(concat!(env!("OUT_DIR"), "/normalize2.rs"));
}

fn main() -> Result<(), Box<dyn Error>> {
    products()?;
    quotients()?;
    threads()
}

fn products() -> Result<(), Box<dyn Error>> {
    let mut context = matmul::Context::new()?;
    let a: Array2<f64> = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    // Transposed without a copy: the program takes strides.
    let (product, largest) = context.matmul(&a, a.t())?;
    assert_eq!(ArrayView2::from(&product), a.dot(&a.t()));
    assert_eq!(largest, 77.0);
    // Into memory that is there already.
    let mut into = Array2::zeros((2, 2));
    let (shape, _) = context.matmul_into(&mut into, &a, a.t())?;
    assert_eq!((shape, &into), ([2, 2], &a.dot(&a.t())));
    // A result is an argument of the next call, and so are elements in a slice.
    let view = matmul::View::new(&[1.0, 0.0, 0.0, 1.0], [2, 2]).ok_or("four elements")?;
    let (same, _) = context.matmul(&product, view)?;
    assert_eq!((same.shape(), &*same), ([2, 2], &*product));
    assert!(matmul::View::new(&[1.0, 2.0, 3.0], [2, 2]).is_none());
    let error = context.matmul(&a, &a).expect_err("these do not fit");
    assert_eq!(error.code(), matmul::Code::Shape);
    println!("{error}");
    Ok(())
}

fn quotients() -> Result<(), Box<dyn Error>> {
    let mut context = normalize2::Context::new()?;
    let xs = vec![10, -20, 30];
    let (all, positive) = context.normalize2(&xs)?;
    let error = context.normalize2(&[1, -1]).expect_err("the sum is zero");
    assert_eq!(error.code(), normalize2::Code::Division);
    // Arrays outlive their context, and can be read by any thread.
    drop(context);
    assert_eq!(std::thread::spawn(move || all.to_vec()).join().expect("no panic"), [0, -1, 1]);
    for y in &positive {
        println!("{y}");
    }
    let options = normalize2::Options { memory_limit: 1, ..normalize2::Options::default() };
    let error = normalize2::Context::with(options)?.normalize2(&[1, 2]).expect_err("no memory");
    assert_eq!(error.code(), normalize2::Code::Memory);
    let (none, _) = normalize2::Context::new()?.normalize2(&Vec::new())?;
    assert!(none.is_empty());
    Ok(())
}

/// One program has a pool of threads inside, and the other has none.
fn threads() -> Result<(), Box<dyn Error>> {
    let options = matmul::Options { threads: 2, ..matmul::Options::default() };
    let a = Array2::from_shape_fn((200, 200), |(i, j)| (i * 7 + j) as f64);
    let (product, _) = matmul::Context::with(options)?.matmul(&a, &a)?;
    let (alone, _) = matmul::Context::new()?.matmul(&a, &a)?;
    assert_eq!(&*product, &*alone);
    Ok(())
}
