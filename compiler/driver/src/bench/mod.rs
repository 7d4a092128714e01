//! `arrc bench`: times calls of a program under several fusion strategies, side by side.
//!
//! Invariant: calls are timed only if they give the same results under every strategy.
//!
//! ```text
//! FILE ──each strategy──▶ libraries     test blocks, or the command line ──▶ cases
//!                 case × libraries ──measure──▶ medians, spread, ratios, memory
//! ```

mod bench_report;
mod cases;
pub mod measure;

use std::path::PathBuf;

use arr_runtime::host::{Call, RunError, Session, Value, ValueType};
use arr_runtime::text;
use arrc_fusion::clusters::Method;
use arrc_llvm::Cpu;
use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_pipeline::explain;
use arrc_syntax::source::Sources;

use crate::artifact::level;
use crate::cli::{Bench, Fusion};
use crate::error::{DriverError, Failure};
use crate::linked::Linked;
use crate::native::{Native, Threads};
use crate::report::{Reporter, output};
use crate::source;
use crate::target::Target;
use crate::test::{self, Tolerance, difference};
use cases::Case;
use measure::{Times, interleave};

/// A program under one strategy.
struct StrategyBuild {
    fusion: Fusion,
    native: Native,
}

/// The measurements of a case under one strategy.
struct Figures {
    fusion: Fusion,
    times: Times,
    /// The maximum number of bytes in the arrays of one call at one time, results included.
    peak: u64,
    /// The number of arrays that one call allocated.
    allocations: u64,
}

/// Measures and prints.
pub(crate) fn bench(bench: &Bench, reporter: &mut Reporter) -> Result<(), Failure> {
    let (sources, compiled) = compile(bench, bench.strategies[0])?;
    reporter.warn(&sources, &compiled.all_warnings())?;
    let mut links = bench.link.clone();
    links.extend(test::links(&bench.file)?);
    links.dedup();
    let mut builds = vec![build_with(bench, bench.strategies[0], &links, (&sources, &compiled))?];
    let session = builds[0].native.session(Threads::new(bench.threads));
    let call =
        |entry: &str, inputs: &[Value], outputs: &[ValueType]| session.call(entry, inputs, outputs);
    let cases = cases::cases(bench, &compiled, &call)?;
    drop(session);
    for &fusion in &bench.strategies[1..] {
        let (sources, compiled) = compile(bench, fusion)?;
        builds.push(build_with(bench, fusion, &links, (&sources, &compiled))?);
    }
    let demand = |case: &Case| explain::allocation_bound(&compiled.program, &case.entry);
    let mut measured = Vec::new();
    for case in &cases {
        let figures = figures(case, &builds, bench);
        let figures = figures.map_err(|error| Failure::from(error).of_program(&sources))?;
        if !bench.json {
            output(&bench_report::text(case, demand(case).as_ref(), &figures));
        }
        measured.push((case, demand(case), figures));
    }
    if bench.json {
        output(&bench_report::json(&bench.file, bench.rounds, &measured));
    }
    Ok(())
}

fn compile(bench: &Bench, fusion: Fusion) -> Result<(Sources, Compiled), Failure> {
    let options = pipeline::Options {
        method: Method { strategy: fusion.into(), ..Method::default() },
        ..pipeline::Options::default()
    };
    source::compile(&bench.file, &options)
}

fn build_with(
    bench: &Bench,
    fusion: Fusion,
    links: &[PathBuf],
    (sources, compiled): (&Sources, &Compiled),
) -> Result<StrategyBuild, Failure> {
    let options = arrc_llvm::Options {
        opt_level: level(bench.level.level),
        cpu: Cpu::from_argument(&bench.target_cpu),
        ..arrc_llvm::Options::default()
    };
    let linked = Linked {
        target: Target::own(),
        source: &bench.file,
        files: links,
        sanitizer: None,
        unique: None,
    };
    Ok(StrategyBuild { fusion, native: Native::new(compiled, sources, &options, linked)? })
}

/// Measures a case under each strategy.
fn figures(
    case: &Case,
    builds: &[StrategyBuild],
    bench: &Bench,
) -> Result<Vec<Figures>, DriverError> {
    let sessions: Vec<Session<'_>> =
        builds.iter().map(|build| build.native.session(Threads::new(bench.threads))).collect();
    let mut calls: Vec<Call<'_>> = sessions
        .iter()
        .map(|session| session.prepare(&case.entry, &case.inputs, &case.outputs))
        .collect::<Result<_, _>>()
        .map_err(run_time)?;
    agree(case, builds, &mut calls, bench.tolerance)?;
    let stats: Vec<_> = sessions.iter().map(Session::stats).collect();
    let times = interleave(&mut calls, bench.rounds.get()).map_err(run_time)?;
    let figures = builds.iter().zip(stats).zip(times).map(|((build, stats), times)| Figures {
        fusion: build.fusion,
        times,
        peak: stats.bytes_peak,
        allocations: stats.call_allocations,
    });
    Ok(figures.collect())
}

/// Runs the first call under each strategy. All results must be those of the first strategy.
fn agree(
    case: &Case,
    builds: &[StrategyBuild],
    calls: &mut [Call<'_>],
    tolerance: f64,
) -> Result<(), DriverError> {
    let mut expected: Option<Vec<Value>> = None;
    for (build, call) in builds.iter().zip(calls) {
        call.run().map_err(run_time)?;
        let got = call.outputs();
        let expected = expected.get_or_insert_with(|| got.clone());
        if let Some(difference) = difference(expected, &got, Tolerance::OfEach(tolerance)) {
            return Err(DriverError::Disagreement {
                entry: case.entry.clone(),
                strategies: [builds[0].fusion.name(), build.fusion.name()],
                difference: match (&expected[..], &got[..]) {
                    ([Value::Scalar(_)], [Value::Scalar(_)]) => {
                        let [expected, got] = [&expected[0], &got[0]].map(text::print);
                        format!("{got} instead of {expected}")
                    }
                    (_, _) => difference.trim_start().to_owned(),
                },
            });
        }
    }
    Ok(())
}

fn run_time(error: RunError) -> DriverError {
    let code = error.code.map_or(0, |code| code as i32);
    DriverError::RunTime { code, message: error.message }
}
