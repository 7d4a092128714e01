//! Passes, each for itself: `tests/passes/NAME.txt` has a pass, the form that goes in, a line of dashes, and the form
//! that comes out.
//!
//! Invariant: both forms verify; and the program gives the same before the pass and after it, except that a
//! simplified program need not fail where the other does.

use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use arrc_fusion::cnf::{Extent, SizeDef};
use arrc_fusion::eval::array::Array;
use arrc_fusion::eval::cnf::Value;
use arrc_pipeline::named;
use arrc_pipeline::named::{PassOutput, RunnableProgram, Signature};
use arrc_syntax::prim::{Const, Scalar};
use libtest_mimic::{Arguments, Failed};

/// How many calls of each function are tried.
const CALLS: usize = 20;

fn main() -> ExitCode {
    let forms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes");
    libtest_mimic::run(&Arguments::from_args(), arr_expect::forms(&forms, run)).exit_code()
}

fn run(pass: &str, form: &str) -> Result<String, Failed> {
    let done = named::run(pass, form)?;
    calls(&done)?;
    Ok(done.text)
}

/// Most calls have arrays of fewer elements than this. Many cases have only few elements that matter.
const SHORT: u32 = 6;

/// The other calls have arrays of fewer elements than this: some passes do more where there are many steps.
const LONG: u32 = 40;

/// Calls each entry before the pass and after it.
fn calls(done: &PassOutput) -> Result<(), Failed> {
    let mut random = Random(0x5eed);
    let is_simplified = matches!(done.after, RunnableProgram::Cnf(_));
    for entry in done.before.entries() {
        for call in 0..CALLS {
            let sizes = if call % 4 == 3 { LONG } else { SHORT };
            let args = random.arguments(done.before.signature(entry.function), sizes)?;
            let [before, after] =
                [&done.before, &done.after].map(|form| form.run(entry.function, args.clone()));
            let fails = before.is_err() && is_simplified;
            if !fails && format!("{before:?}") != format!("{after:?}") {
                let name = &entry.name;
                return Err(format!("{name} {args:?}\nbefore: {before:?}\nafter: {after:?}").into());
            }
        }
    }
    Ok(())
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap_or_default() % bound
    }

    fn constant(&mut self, ty: Scalar) -> Const {
        let value = self.below(9);
        if ty == Scalar::Bool {
            Const::bool(value.is_multiple_of(2))
        } else if ty.is_float() {
            Const::float(ty, f64::from(value) - 3.5)
        } else {
            Const::int(ty, i128::from(value) - if ty.is_signed() { 3 } else { 0 })
        }
    }

    /// An argument for each parameter. Arrays have fewer than `below` elements in each dimension of any size.
    fn arguments(
        &mut self,
        (params, vars, table): Signature<'_>,
        below: u32,
    ) -> Result<Vec<Value>, Failed> {
        // The length of an array that the function makes, such as `k - 2`, may be below 0 here.
        let mut sizes: Vec<i64> = table.values().map(|_| i64::from(self.below(below))).collect();
        let mut values = Vec::new();
        for &param in params {
            let ty = &vars[param].ty;
            let Some(scalar) = ty.as_scalar() else { continue };
            let shapes = params.iter().map(|&param| vars[param].ty.shape());
            let asked: Vec<Extent> = shapes.flatten().copied().collect();
            let used = table.iter().find(|&(size, info)| {
                info.def == SizeDef::Value(param) && asked.contains(&Extent::Size(size))
            });
            let value = match used {
                Some((size, _)) => Const::i64(sizes[size.as_u32() as usize]),
                None => self.constant(scalar),
            };
            values.push((param, value));
        }
        for (size, info) in table.iter() {
            let known = |extent: Extent, sizes: &[i64]| match extent {
                Extent::Const(value) => value,
                Extent::Size(size) => sizes[size.as_u32() as usize],
            };
            sizes[size.as_u32() as usize] = match info.def {
                SizeDef::Sum(left, right) => known(left, &sizes) + known(right, &sizes),
                SizeDef::Product(left, right) => known(left, &sizes) * known(right, &sizes),
                SizeDef::Param | SizeDef::Value(_) | SizeDef::Exists => continue,
            };
        }
        let mut args = Vec::new();
        for &param in params {
            let ty = &vars[param].ty;
            if let Some((_, value)) = values.iter().find(|(scalar, _)| *scalar == param) {
                args.push(Value::Scalar(*value));
                continue;
            }
            let mut shape = Vec::new();
            for &extent in ty.shape() {
                shape.push(usize::try_from(match extent {
                    Extent::Const(value) => value,
                    Extent::Size(size) => sizes[size.as_u32() as usize],
                })?);
            }
            let count = shape.iter().product();
            let scalars: Rc<[Const]> = (0..count).map(|_| self.constant(ty.scalars())).collect();
            args.push(Value::Array(Array::new(ty.scalars(), shape, scalars)));
        }
        Ok(args)
    }
}
