//! Entries as functions of Python.
//!
//! Invariant: the GIL is not held while compiled code runs, and inputs stay alive until it ends.

use std::ffi::{CStr, c_void};
use std::sync::Arc;

use arr_abi::layout::Uniform;
use arr_abi::{ErrorCode, Scalar};
use arr_rt::context::{Context, arr_context_error};
use arrc::embed::{Signature, run_time_code};
use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arguments::{ArgumentPath, Filler, words};
use crate::code::{Code, InUse, Loaded};
use crate::compile::exception;
use crate::interrupt::Interruptible;
use crate::ndarray::MAX_DIMENSIONS;
use crate::result::{self, Form};

/// The most words of a call that need no memory of their own.
const FEW: usize = 64;

/// An entry. `arrc.Function` is its subclass, with everything that need not be fast.
#[pyclass(frozen, subclass, module = "arrc._arrc")]
pub(crate) struct Function {
    loaded: Arc<Loaded>,
    uniform: Uniform<Context>,
    /// The function that writes arrays to memory of the caller. None if there is a parameter `out`, too.
    into: Option<Uniform<Context>>,
    signature: Signature,
    params: Vec<Py<PyString>>,
    inputs: Vec<(Scalar, usize)>,
    outputs: Vec<(Scalar, usize)>,
    form: Form,
}

#[pymethods]
impl Function {
    #[new]
    fn new(py: Python<'_>, code: &Code, index: usize) -> PyResult<Self> {
        let none = || PyIndexError::new_err("there is no such entry");
        let signature = code.signatures.get(index).ok_or_else(none)?.clone();
        let loaded = Arc::clone(&code.loaded);
        let uniform = loaded.uniform(&signature.name);
        let uniform = uniform.ok_or_else(|| {
            exception(py, "load_error", (format!("it has no entry `{}`", signature.name),))
        })?;
        let arguments = py.import("arrc._arguments")?;
        let name = |name: &str| -> PyResult<Bound<'_, PyString>> {
            Ok(arguments.call_method1("python_name", (name,))?.cast_into()?)
        };
        let params = signature.params.iter().map(|param| Ok(name(&param.name)?.unbind()));
        let params = params.collect::<PyResult<_>>()?;
        let has_out = signature.params.iter().any(|param| param.name == "out");
        let into = if has_out { None } else { loaded.uniform_into(&signature.name) };
        let inputs = signature.params.iter().flat_map(|param| param.shape.leaves());
        let (inputs, outputs) = (inputs.collect::<Vec<_>>(), signature.result.leaves());
        if inputs.iter().chain(&outputs).any(|&(_, rank)| rank > MAX_DIMENSIONS) {
            let text = format!("`{}` has arrays of more dimensions than NumPy", signature.name);
            return Err(exception(py, "load_error", (text,)));
        }
        let class = |names| arguments.call_method1("named", (signature.name.as_str(), names));
        let form = Form::new(py, &signature.result, &class)?;
        Ok(Self { loaded, uniform, into, signature, params, inputs, outputs, form })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.signature.name
    }

    /// The text of the comment before it.
    #[getter]
    fn doc(&self) -> &str {
        &self.signature.doc
    }

    /// Its type in Arr.
    #[getter]
    fn type_text(&self) -> &str {
        &self.signature.text
    }

    /// The names of its parameters.
    #[getter]
    fn param_names<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        self.params.iter().map(|name| name.bind(py).clone()).collect()
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(kwargs), Some(into)) = (kwargs, self.into)
            && let Some(out) = kwargs.get_item(intern!(args.py(), "out"))?
        {
            let rest = kwargs.copy()?;
            rest.del_item(intern!(args.py(), "out"))?;
            let args = self.bound(args, Some(&rest).filter(|rest| !rest.is_empty()))?;
            if !out.is_none() {
                return self.call(&args, Some((into, self.destinations(&out)?)));
            }
            return self.call(&args, None);
        }
        self.call(&self.bound(args, kwargs)?, None)
    }
}

impl Function {
    /// The arguments in the order of the parameters; none if they are not one for each.
    fn in_order<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        if args.len() + kwargs.len() != self.params.len() {
            return Ok(None);
        }
        let mut all: Vec<_> = args.iter().collect();
        for name in &self.params[args.len()..] {
            match kwargs.get_item(name)? {
                Some(value) => all.push(value),
                None => return Ok(None),
            }
        }
        PyTuple::new(args.py(), all).map(Some)
    }

    /// An argument for each parameter.
    fn bound<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let py = args.py();
        if kwargs.is_none() && args.len() == self.params.len() {
            return Ok(args.clone());
        }
        if let Some(args) = kwargs.and_then(|kwargs| self.in_order(args, kwargs).transpose()) {
            return args;
        }
        // This function names the mistake.
        let arguments = py.import(intern!(py, "arrc._arguments"))?;
        let names = self.param_names(py);
        let args = arguments.call_method1(
            intern!(py, "bind"),
            (&self.signature.name, &self.signature.text, names, args, kwargs),
        )?;
        Ok(args.cast_into()?)
    }

    /// The arrays to which the results are written, one for each array among them.
    fn destinations<'py>(&self, out: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let py = out.py();
        let arguments = py.import(intern!(py, "arrc._arguments"))?;
        let arrays = self.outputs.iter().filter(|(_, rank)| *rank > 0);
        let types: Vec<_> = arrays.map(|(elem, rank)| (elem.name(), *rank)).collect();
        let told = (out, types, self.signature.name.as_str());
        Ok(arguments.call_method1(intern!(py, "destinations"), told)?.cast_into()?)
    }

    /// Calls it with an argument for each parameter, and the function that writes arrays to arrays of Python, if they are
    /// given.
    fn call<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        into: Option<(Uniform<Context>, Bound<'py, PyTuple>)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let count = |leaves: &[(Scalar, usize)]| -> usize {
            leaves.iter().map(|&(_, rank)| words(rank)).sum()
        };
        let (inputs, outputs) = (count(&self.inputs), count(&self.outputs));
        let all = inputs + outputs + self.inputs.len() + self.outputs.len();
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let all = match few.get_mut(..all) {
            Some(few) => few,
            None => {
                many.resize(all, 0);
                &mut many[..]
            }
        };
        let (inputs, rest) = all.split_at_mut(inputs);
        let (outputs, pointers) = rest.split_at_mut(outputs);
        let function = self.signature.name.as_str();
        let mut filler = Filler { function, words: &mut *inputs, kept: Vec::new() };
        for (index, param) in self.signature.params.iter().enumerate() {
            let arg = args.get_borrowed_item(index)?;
            filler.value(&param.shape, &arg, ArgumentPath::Param(&param.name))?;
        }
        let kept = filler.kept;
        if let Some((_, arrays)) = &into {
            let mut filler = Filler { function, words: &mut *outputs, kept: Vec::new() };
            filler.outputs(&self.outputs, arrays)?;
        }
        let (ins, outs) = pointers.split_at_mut(self.inputs.len());
        point(ins, &self.inputs, inputs.as_mut_ptr());
        point(outs, &self.outputs, outputs.as_mut_ptr());
        let context = self.loaded.context()?;
        let job = Job {
            uniform: into.as_ref().map_or(self.uniform, |(into, _)| *into),
            context: context.as_ptr(),
            outputs: outs.as_ptr().cast(),
            inputs: ins.as_ptr().cast(),
        };
        let interruptible = Interruptible::new(context.as_ptr());
        let code = py.detach(|| job.run());
        drop((interruptible, kept));
        if code != 0 {
            // If Ctrl-C ended it, Python's handler raises.
            py.check_signals()?;
            return Err(failure(py, &context, code));
        }
        drop(context);
        if let Some((_, arrays)) = &into {
            return result::written(py, (&self.form, &self.outputs), outputs, arrays);
        }
        // SAFETY: the call wrote them.
        unsafe { result::value(py, &self.form, &self.outputs, outputs) }
    }
}

/// Writes a pointer to the words of each leaf.
fn point(pointers: &mut [u64], leaves: &[(Scalar, usize)], start: *mut u64) {
    let mut address = start.expose_provenance();
    for (pointer, &(_, rank)) in pointers.iter_mut().zip(leaves) {
        *pointer = u64::try_from(address).expect("an address has 64 bits");
        address += words(rank) * size_of::<u64>();
    }
}

/// The part of a call that runs without the GIL.
struct Job {
    uniform: Uniform<Context>,
    context: *mut Context,
    outputs: *const *mut c_void,
    inputs: *const *const c_void,
}

// SAFETY: it is run by the thread that made it, while it waits.
unsafe impl Send for Job {}

impl Job {
    fn run(&self) -> i32 {
        // SAFETY: the lists have a pointer for each leaf of the entry's signature, to words that are laid out as it
        // says; the arrays are kept by the arguments of the call; the context is this call's, and the code loaded.
        unsafe { (self.uniform)(self.context, self.outputs, self.inputs) }
    }
}

// SAFETY: as above.
unsafe impl Sync for Job {}

/// The exception of a call that failed.
fn failure(py: Python<'_>, context: &InUse, code: i32) -> PyErr {
    // SAFETY: the context is this call's; messages end in NUL.
    let message = unsafe { CStr::from_ptr(arr_context_error(context.as_ptr())) };
    let message = message.to_string_lossy().into_owned();
    let code = ErrorCode::from_number(code);
    let name = code.map_or("unknown", ErrorCode::name);
    let told = code.and_then(run_time_code).unwrap_or_default();
    exception(py, "run_time_error", (name, told, message))
}
