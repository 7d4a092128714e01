//! What the whole compiler says of programs: all diagnostics, with the changes that mend mistakes, the passes of the
//! bindings, and where their arrays are. A thread of its own finds it.
//!
//! Invariant: the thread works on one program at a time, and on the newest text of each. What it finds has the stamp of
//! the analysis of that text.
//!
//! ```text
//! let gts = filter (> 0) xs   ⇒   `filter (> 0) xs` is in pass 1 of `normalize2`; gts: in registers, 8 * k bytes
//! ```

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_pipeline::explain::{self, Item, Storage};
use arrc_syntax::diagnostics::{self, Diagnostic};
use arrc_syntax::source::{Calls, Sources, Span};
use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::Host;
use crate::documents::{Overlay, Texts};

/// The stack for the passes, which recurse as deep as programs nest.
const STACK: usize = 1 << 28;

/// A program that the whole compiler is to look at.
pub(crate) struct Job {
    /// The path of the file.
    pub(crate) path: String,
    /// The stamp of its analysis.
    pub(crate) stamp: u64,
    /// The open texts.
    pub(crate) texts: Texts,
}

/// What the whole compiler says of a program. One with errors has no steps and no arrays.
pub(crate) struct Plan {
    /// The path of the file.
    pub(crate) path: String,
    /// The stamp of the analysis of the same text.
    pub(crate) stamp: u64,
    /// The texts. Their ids are those of the analysis.
    pub(crate) sources: Sources,
    /// The diagnostics of all steps, and the hints; none if the compiler has a bug there.
    pub(crate) diagnostics: Option<Vec<Diagnostic>>,
    /// The combinators in the passes of each function.
    pub(crate) steps: Vec<PassStep>,
    /// The arrays that functions make.
    pub(crate) arrays: Vec<MadeArray>,
}

/// A combinator in a pass.
pub(crate) struct PassStep {
    /// The function that runs it.
    pub(crate) function: String,
    /// The number of the pass; none if it only fills accumulators.
    pub(crate) pass: Option<usize>,
    /// The number of steps of the pass.
    pub(crate) steps: Option<String>,
    /// The places of its code, from the inside out: its text, and the calls that lead to it.
    pub(crate) places: Vec<Span>,
}

/// An array that a function makes.
pub(crate) struct MadeArray {
    /// The function.
    pub(crate) function: String,
    /// Its size in bytes, as a formula.
    pub(crate) bytes: Option<String>,
    /// Whether the function gives it back.
    pub(crate) is_result: bool,
    /// Where it is.
    pub(crate) storage: Storage,
    /// The places of its code, from the inside out.
    pub(crate) places: Vec<Span>,
}

/// The thread, and the programs that wait for it.
pub(crate) struct Planner {
    jobs: Sender<Job>,
    /// What it found.
    pub(crate) found: Receiver<Plan>,
    is_busy: bool,
    waiting: BTreeMap<String, Job>,
}

impl Planner {
    /// Starts the thread.
    ///
    /// # Panics
    /// If the system has no thread left.
    pub(crate) fn new(host: Host) -> Self {
        let (jobs, asked) = unbounded::<Job>();
        let (sender, found) = unbounded();
        let work = move || {
            for job in asked {
                if sender.send(plan(host, job)).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("passes".to_owned()).stack_size(STACK).spawn(work);
        // It ends with the sender of the jobs.
        drop(thread.expect("the system gives a thread"));
        Self { jobs, found, is_busy: false, waiting: BTreeMap::new() }
    }

    /// Asks for a plan, in place of older ones of the same path.
    pub(crate) fn ask(&mut self, job: Job) {
        self.waiting.insert(job.path.clone(), job);
        self.next();
    }

    /// Forgets the wish for a plan.
    pub(crate) fn forget(&mut self, path: &str) {
        self.waiting.remove(path);
    }

    /// Notes that a plan has arrived.
    pub(crate) fn arrived(&mut self) {
        self.is_busy = false;
        self.next();
    }

    fn next(&mut self) {
        if self.is_busy {
            return;
        }
        if let Some((_, job)) = self.waiting.pop_first() {
            self.is_busy = self.jobs.send(job).is_ok();
        }
    }
}

/// Takes a program through the whole compiler.
fn plan(host: Host, job: Job) -> Plan {
    let Job { path, stamp, texts } = job;
    let text = texts.get(&path).map(ToString::to_string).unwrap_or_default();
    let compile = || {
        let mut sources = Sources::default();
        let root = sources.add(path.clone(), text);
        let overlay = Overlay::new(&texts, host.files);
        let options = pipeline::Options { hints: true, ..pipeline::Options::default() };
        let compiled = pipeline::compile(&mut sources, root, &overlay, &options);
        let mut plan = Plan {
            path: path.clone(),
            stamp,
            sources,
            diagnostics: None,
            steps: Vec::new(),
            arrays: Vec::new(),
        };
        plan.diagnostics = Some(match compiled {
            Ok(compiled) => {
                plan.explain(&compiled);
                found(&compiled, host)
            }
            Err(found) => found,
        });
        plan
    };
    catch_unwind(AssertUnwindSafe(compile)).unwrap_or_else(|_| Plan {
        path: path.clone(),
        stamp,
        sources: Sources::default(),
        diagnostics: None,
        steps: Vec::new(),
        arrays: Vec::new(),
    })
}

/// All that is to be said of a program that is compiled.
fn found(compiled: &Compiled, host: Host) -> Vec<Diagnostic> {
    let mut found = compiled.all_warnings();
    found.extend((host.names)(&compiled.program));
    found.extend(compiled.plans.iter().flat_map(|plan| plan.hints.iter().cloned()));
    diagnostics::sort(&mut found);
    found
}

impl Plan {
    fn explain(&mut self, compiled: &Compiled) {
        let blocks = explain::explain(&compiled.plans, &compiled.program, &self.sources);
        let outlines =
            explain::outlines(compiled, &self.sources, &blocks, &explain::Lowering::default());
        let calls = &compiled.program.calls;
        for outline in outlines {
            add_steps(&outline.name, &outline.items, calls, &mut self.steps);
            self.arrays.extend(outline.arrays.into_iter().map(|array| MadeArray {
                function: outline.name.clone(),
                bytes: array.bytes,
                is_result: array.is_result,
                storage: array.storage,
                places: places(array.span, calls),
            }));
        }
    }
}

fn add_steps(function: &str, items: &[Item], calls: &Calls, found: &mut Vec<PassStep>) {
    for item in items {
        match item {
            Item::Pass(pass) => {
                found.extend(pass.nodes.iter().map(|node| PassStep {
                    function: function.to_owned(),
                    pass: pass.number,
                    steps: pass.steps.clone(),
                    places: places(node.span, calls),
                }));
                add_steps(function, &pass.items, calls, found);
            }
            Item::Loop(of) => add_steps(function, &of.items, calls, found),
            Item::If(of) => {
                add_steps(function, &of.then, calls, found);
                add_steps(function, &of.otherwise, calls, found);
            }
            Item::Whole(_) => {}
        }
    }
}

/// A place, and those of the calls that lead to it.
fn places(span: Span, calls: &Calls) -> Vec<Span> {
    let outer = |span: &Span| calls.get(span.calls).map(|call| call.at);
    let plain = |span: Span| Span::new(span.file, span.start, span.end);
    std::iter::successors(Some(span), outer).map(plain).collect()
}
