//! Calls compiled shared libraries from Rust, without `unsafe` for the caller.
//!
//! Invariant: the results of a call are copied out of the library's memory and released there, so values outlive
//! sessions and libraries.
//!
//! The compiler emits, beside each entry `NAME`, the symbol `NAME__uniform`, whose signature does
//! not depend on the entry's type:
//!
//! ```c
//! int NAME__uniform(arr_context *, void *const *outputs, const void *const *inputs);
//! ```
//!
//! `inputs[i]` and `outputs[i]` point to a scalar, or to an array struct as of `arr_array.h.in`.
//! The library has the runtime inside; this process's own copy of it takes no part.
//!
//! ```no_run
//! use arr_runtime::host::{Library, Scalar, Value, ValueType};
//!
//! let library = Library::open("libsum.so".as_ref())?;
//! let total = ValueType::Scalar(Scalar::F64);
//! let values = library.call("sum", &[Value::from(vec![1.0, 2.0])], &[total])?;
//! assert_eq!(values, [Value::from(3.0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod elements;
mod guard;
mod library;
mod marshal;
mod session;
mod value;
mod view;

pub use elements::{Elements, Mappable};

pub use guard::Guard;
pub use library::{HostError, Library};
pub use session::{Call, Canceller, Memory, RunError, Session, SessionOptions};
pub use value::{ArrayData, ArrayValue, ScalarValue, Slice, Value, ValueType};
pub use view::View;

pub use arr_abi::layout::Stats;
pub use arr_abi::{ErrorCode, Scalar};
