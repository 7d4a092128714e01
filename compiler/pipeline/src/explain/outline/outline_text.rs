//! Outlines as text: the short form of `arrc explain`.
//!
//! Invariant: deterministic. A line has at most [`WIDTH`] characters unless a name is longer.
//!
//! ```text
//! normalize2 (line 1): 2 passes over memory
//!   pass 1 over n: sum1, gts, sum2 (lines 2 to 4)
//!     reads xs; gts in registers; in vectors, on all threads
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::fold_library::{Folded, folded, passes};
use super::memory_text::{allocated_in_steps, memory, plain, shown, without_numbers};
use super::{
    ArrayUse, IfItem, Item, LoopItem, Outline, OutlineNode, PassItem, VectorState, WholeItem,
    WholeOperation,
};
use crate::explain::text::{count, grouped_names};
use crate::explain::{Explanation, Separation, WorkSharing};
use arr_printable as printable;
use arrc_fusion::clusters::{Proof, Report, Strategy};
use arrc_syntax::diagnostics::{Diagnostic, Edit, wrapped};
use arrc_syntax::ids::FileId;
use arrc_syntax::source::{CallId, Sources, Span};

/// The maximum number of reasons of a block in the short form.
const REASONS: usize = 4;
/// The maximum number of characters in a line.
const WIDTH: usize = 100;

/// The page about functions. `all_code` says whether the inside of library functions is shown, and code that several
/// functions have.
#[must_use]
pub fn page(outlines: &[Outline<'_>], sources: &Sources, all_code: bool) -> Vec<String> {
    let mut told = Told::default();
    let is_own = |of: &&Outline<'_>| all_code || !sources.get(of.span.file).is_library;
    let page = outlines.iter().filter(is_own).map(|outline| {
        let mut page = Page {
            text: String::new(),
            sources,
            told: &mut told,
            function: &outline.name,
            file: outline.span.file,
            arrays: &outline.arrays,
            all_code,
            in_lanes: false,
        };
        page.function(outline);
        page.text
    });
    page.collect()
}

/// What the page has said.
#[derive(Default)]
struct Told {
    /// The function that an item was shown for first, by the combinators and loops in the item.
    items: BTreeMap<Vec<Span>, String>,
    /// The reasons, by their names and places.
    reasons: BTreeSet<(&'static str, [Span; 2])>,
}

struct Page<'a> {
    text: String,
    sources: &'a Sources,
    told: &'a mut Told,
    function: &'a str,
    /// The file of the function.
    file: FileId,
    arrays: &'a [ArrayUse],
    /// Whether the inside of library functions is shown, and code that several functions have.
    all_code: bool,
    /// Whether the steps of a pass around run in lanes of vectors.
    in_lanes: bool,
}

impl Page<'_> {
    fn function(&mut self, outline: &Outline<'_>) {
        let line = self.line_of(outline.span);
        self.line(0, &format!("{} (line {line}): {}", outline.name, headline(&outline.items)));
        self.body(&outline.items);
        self.memory(outline);
        self.reasons(outline);
        outline.hints().for_each(|hint| self.hint(hint));
    }

    /// What a function runs: loops first, since most of its time is in them.
    fn body(&mut self, items: &[Item]) {
        let is_loop = |item: &&Item| matches!(item, Item::Loop(_));
        let (loops, others): (Vec<&Item>, Vec<&Item>) = items.iter().partition(is_loop);
        if loops.is_empty() || others.is_empty() || self.all_code {
            self.items(1, items);
            return;
        }
        loops.into_iter().for_each(|item| self.item(1, item));
        self.line(1, "outside of loops:");
        let others: Vec<Item> = others.into_iter().cloned().collect();
        self.items(2, &others);
    }

    fn items(&mut self, depth: usize, items: &[Item]) {
        if self.all_code {
            items.iter().for_each(|item| self.item(depth, item));
            return;
        }
        for group in folded(items).chunk_by(are_one_operation) {
            match group {
                [Folded::Item(Item::Whole(_)), ..] => {
                    let text = self.whole(&wholes(group));
                    self.line(depth, &text);
                }
                [Folded::Item(item), ..] => self.item(depth, item),
                [Folded::Library((name, span), items), ..] => {
                    self.library(depth, name, *span, items);
                }
                [] => {}
            }
        }
    }

    fn item(&mut self, depth: usize, item: &Item) {
        let key = parts(item);
        if let Some(first) = self.told.items.get(&key)
            && *first != self.function
            && !self.all_code
        {
            let text = format!("{}: as in {first}", self.title(item));
            return self.line(depth, &text);
        }
        self.told.items.entry(key).or_insert_with(|| self.function.to_owned());
        match item {
            Item::Pass(pass) => self.pass(depth, pass),
            Item::Loop(of) => self.repeated(depth, of),
            Item::If(of) => self.choice(depth, of),
            Item::Whole(of) => self.line(depth, &self.whole(&[of])),
        }
    }

    /// What the library runs for a call of the user.
    fn library(&mut self, depth: usize, name: &str, span: Span, items: &[Item]) {
        let found = passes(items);
        let steps: BTreeSet<&str> = found.iter().filter_map(|pass| pass.steps.as_deref()).collect();
        let over = match steps.len() {
            0 => String::new(),
            1..=3 => format!(" over {}", steps.into_iter().collect::<Vec<_>>().join(", ")),
            _ => " over several sizes".to_owned(),
        };
        let numbers: Vec<usize> = found.iter().filter_map(|pass| pass.number).collect();
        let numbers = match numbers[..] {
            [] => "no passes".to_owned(),
            [one] => format!("pass {one}"),
            [first, .., last] => format!("passes {first} to {last}"),
        };
        let line = self.line_of(span);
        self.line(depth, &format!("{numbers}{over}: `{name}` of the library (line {line})"));
    }

    fn pass(&mut self, depth: usize, pass: &PassItem) {
        let is_inner = pass.sharing.is_none();
        let arrays = |verb: &str, names: Vec<String>, rest: &str| {
            (!names.is_empty()).then(|| format!("{verb} {}{rest}", names.join(", ")))
        };
        let kept = pass.registers.iter().filter(|array| !array.contains(" (line "));
        let kept: Vec<String> = kept.cloned().collect();
        let facts = [
            arrays("reads", shown(&pass.reads), "").filter(|_| !is_inner),
            arrays("writes", shown(&pass.writes), "").filter(|_| !is_inner),
            arrays("keeps", shown(&kept), " in registers").filter(|_| !is_inner),
            vectors(pass, self.in_lanes),
            pass.sharing.map(threads),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        let first = format!("{}: {}", name(pass), self.nodes(&pass.nodes));
        if is_inner && !facts.is_empty() {
            self.line(depth, &format!("{first}; {}", facts.join("; ")));
        } else {
            self.line(depth, &first);
            if !facts.is_empty() {
                self.line(depth + 1, &facts.join("; "));
            }
        }
        let is_in_lanes = pass.vectors.as_ref().is_some_and(|of| of.state != VectorState::Scalar);
        let around = self.in_lanes;
        self.in_lanes |= is_in_lanes;
        self.items(depth + 1, &pass.items);
        self.in_lanes = around;
    }

    /// The combinators of a pass, with their lines.
    fn nodes(&self, nodes: &[OutlineNode]) -> String {
        let line = |node: &OutlineNode| self.line_of(node.span);
        let groups = nodes.chunk_by(|left, right| line(left) == line(right));
        let mut texts: Vec<String> = Vec::new();
        for group in groups {
            let mut names: Vec<&str> = Vec::new();
            for node in group {
                let name = if node.is_named { plain(&node.name) } else { &node.what };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let text = format!("{} (line {})", names.join(", "), line(&group[0]));
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.join(", ")
    }

    /// The first words on an item.
    fn title(&self, item: &Item) -> String {
        match item {
            Item::Pass(pass) => {
                format!("{}: {}", name(pass), self.nodes(&pass.nodes))
            }
            Item::Loop(of) => self.loop_title(of),
            Item::If(..) => "a choice".to_owned(),
            Item::Whole(of) => self.whole(&[of]),
        }
    }

    fn loop_title(&self, of: &LoopItem) -> String {
        let steps = match (&of.steps, of.is_counted) {
            (Some(steps), _) => format!("loop of {steps} steps"),
            (None, true) => "loop".to_owned(),
            (None, false) => "loop while a condition holds".to_owned(),
        };
        format!("{steps} (line {})", self.line_of(of.span))
    }

    fn repeated(&mut self, depth: usize, of: &LoopItem) {
        let carries = match &of.carries[..] {
            [] => String::new(),
            names => {
                let names = grouped_names(names).join(", ");
                format!(": in order, since a step needs {names} of the one before")
            }
        };
        self.line(depth, &format!("{}{carries}", self.loop_title(of)));
        self.items(depth + 1, &of.items);
        let made = allocated_in_steps(of, self.arrays);
        if !made.is_empty() {
            self.line(depth + 1, &format!("each step allocates {made}"));
        }
    }

    fn choice(&mut self, depth: usize, of: &IfItem) {
        let mut first = "if".to_owned();
        let mut of = of;
        loop {
            let IfItem { then, otherwise, .. } = of;
            let holds = if then.is_empty() { "does not hold" } else { "holds" };
            self.line(depth, &format!("{first} a condition {holds}:"));
            self.items(depth + 1, if then.is_empty() { otherwise } else { then });
            match &otherwise[..] {
                _ if then.is_empty() => return,
                [] => return,
                [Item::If(next)] => of = next,
                _ => break,
            }
            first = "otherwise, if".to_owned();
        }
        self.line(depth, "otherwise:");
        self.items(depth + 1, &of.otherwise);
    }

    /// An operation on whole arrays, of one place.
    fn whole(&self, arrays: &[&WholeItem]) -> String {
        let Some(WholeItem { what, span, library, .. }) = arrays.first() else {
            return String::new();
        };
        let line = self.line_of(*span);
        let names: Vec<String> = arrays.iter().map(|array| array.name.clone()).collect();
        let name = shown(&names).join(", ");
        let text = match what {
            WholeOperation::Sort => "sorts".to_owned(),
            WholeOperation::Copy => format!("copies {name}, which is still needed as it was"),
            WholeOperation::CopyArgument => {
                format!("copies {name}, which the caller keeps")
            }
            WholeOperation::CopyIfShared => {
                format!("copies {name} if something else still has it")
            }
            WholeOperation::Append => format!("joins arrays into {name}, which copies them"),
            WholeOperation::Call => format!("calls {name}"),
            WholeOperation::External => format!("calls the C function {name}"),
        };
        let of = library.as_ref().map_or_else(String::new, |name| format!(", for `{name}`"));
        format!("{text} (line {line}){of}")
    }

    fn memory(&mut self, outline: &Outline<'_>) {
        let facts = memory(outline, self.all_code);
        if !facts.is_empty() {
            self.line(1, &format!("memory: {}", facts.join("; ")));
        }
    }

    /// Why there are not fewer passes: a reason for each two passes that are neighbours and no part of another pass.
    fn reasons(&mut self, outline: &Outline<'_>) {
        let outer = passes(&outline.items).into_iter().filter(|pass| pass.sharing.is_some());
        let outer: BTreeSet<usize> = outer.filter_map(|pass| pass.number).collect();
        for block in &outline.blocks {
            let mut told: BTreeMap<[usize; 2], &Separation> = BTreeMap::new();
            for cut in block.notes() {
                let numbers = [cut.nodes.0, cut.nodes.1].map(|node| block.number_of(node));
                let [Some(first), Some(second)] = numbers else { continue };
                let is_library = |node: usize| block.nodes[node].library.is_some();
                let is_inside = is_library(cut.nodes.0) && is_library(cut.nodes.1);
                if self.all_code
                    || (!is_inside && [first, second].iter().all(|of| outer.contains(of)))
                {
                    told.entry([first.min(second), first.max(second)]).or_insert(cut);
                }
            }
            let place = |node: usize| Span { calls: CallId::NONE, ..block.nodes[node].span };
            told.retain(|_, cut| {
                let key = (cut.why.name(), [place(cut.nodes.0), place(cut.nodes.1)]);
                self.told.reasons.insert(key)
            });
            let more = if self.all_code { 0 } else { told.len().saturating_sub(REASONS) };
            let shown = told.len() - more;
            told.into_iter().take(shown).for_each(|(passes, cut)| self.reason(block, passes, cut));
            if more > 0 {
                let pairs = count(more, "more pair", "more pairs");
                self.line(1, &format!("{pairs} of passes are apart in {}", block.name));
            }
        }
        if let Some(proof) = optimum(outline) {
            self.line(1, &proof);
        }
    }

    fn reason(&mut self, block: &Explanation, [first, second]: [usize; 2], cut: &Separation) {
        let nodes = [&block.nodes[cut.nodes.0], &block.nodes[cut.nodes.1]];
        let lines =
            self.lines(nodes.into_iter().filter(|node| node.is_named).map(|node| node.span));
        let sentence = without_numbers(&block.sentence(cut));
        self.line(1, &format!("passes {first} and {second} are apart: {sentence}{lines}"));
    }

    /// A change of the program that would help, as a diff if it has edits.
    fn hint(&mut self, hint: &Diagnostic) {
        let line = hint.primary.as_ref().map(|label| self.line_of(label.span));
        let line = line.map_or_else(String::new, |line| format!("line {line}: "));
        self.line(1, &format!("to change: {line}{} [{}]", hint.message, hint.code.0));
        for help in hint.shown_helps() {
            self.line(2, help.text());
            for changed in diff(self.sources, help.edits()) {
                let _ = writeln!(self.text, "      {}", printable::line(&changed));
            }
        }
    }

    /// The line of a place, and its file if that is another one than that of the function.
    fn line_of(&self, span: Span) -> String {
        let line = self.sources.line_col(span).line;
        if span.file == self.file {
            return line.to_string();
        }
        format!("{line} of {}", printable::line(&self.sources.get(span.file).path))
    }

    /// The lines of places: ` (line 3)`, ` (lines 3, 5)`; nothing if there are no places.
    fn lines(&self, places: impl Iterator<Item = Span>) -> String {
        let lines: BTreeSet<(u32, String)> =
            places.map(|span| (self.sources.line_col(span).line, self.line_of(span))).collect();
        let text: Vec<String> = lines.into_iter().map(|(_, text)| text).collect();
        match text.len() {
            0 => String::new(),
            1 => format!(" (line {})", text[0]),
            _ => format!(" (lines {})", text.join(", ")),
        }
    }

    /// Adds a line. If it is too long, it is broken at spaces, and the next lines are indented further.
    fn line(&mut self, depth: usize, text: &str) {
        let indent = "  ".repeat(depth);
        let hang = format!("{indent}    ");
        let _ = writeln!(self.text, "{}", wrapped(&format!("{indent}{text}"), WIDTH, &hang));
    }
}

/// The lines that edits change, without them and with them, in the order of the text.
fn diff(sources: &Sources, edits: &[Edit]) -> Vec<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.file, edit.span.start));
    let line = |edit: &Edit, byte: u32| sources.line_of(edit.span.file, byte);
    let touch = |left: &&Edit, right: &&Edit| {
        left.span.file == right.span.file
            && line(left, left.span.end) == line(right, right.span.start)
    };
    edits.chunk_by(touch).flat_map(|group| changed_lines(sources, group)).collect()
}

/// The lines that edits change, without them and with them. The edits are in one file and in order, and each begins on
/// the line on which the one before it ends.
fn changed_lines(sources: &Sources, edits: &[&Edit]) -> Vec<String> {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return Vec::new() };
    let file = first.span.file;
    let end_of = |byte: u32| sources.line_range(file, sources.line_of(file, byte));
    let (start, end) = (end_of(first.span.start).start, end_of(last.span.end).end);
    let (mut after, mut from) = (String::new(), start);
    for edit in edits {
        after += sources.text(Span::new(file, from, edit.span.start));
        after += &edit.replacement;
        from = edit.span.end;
    }
    after += sources.text(Span::new(file, from, end));
    let before = sources.text(Span::new(file, start, end)).lines().map(|line| format!("- {line}"));
    before.chain(after.lines().map(|line| format!("+ {line}"))).collect()
}

/// What a function runs, in numbers. Passes inside the steps of others are loops over data that is in the caches mostly.
fn headline(items: &[Item]) -> String {
    let all = passes(items).iter().filter(|pass| pass.number.is_some()).count();
    let outer = |pass: &&&PassItem| pass.number.is_some() && pass.sharing.is_some();
    let over_memory = passes(items).iter().filter(outer).count();
    let is_loop = |item: &&Item| matches!(item, Item::Loop(_));
    let in_loops = |item: &Item| {
        let Item::Loop(of) = item else { return 0 };
        passes(&of.items).iter().filter(outer).count()
    };
    let mut text = format!("{} over memory", count(over_memory, "pass", "passes"));
    let in_loops: usize = items.iter().map(in_loops).sum();
    if in_loops > 0 {
        let loops = items.iter().filter(is_loop).count();
        text += &format!(", {in_loops} of them in {}", count(loops, "loop", "loops"));
    }
    if all > over_memory {
        let of = if over_memory == 1 { "its" } else { "their" };
        text += &format!(", {} more inside {of} steps", all - over_memory);
    }
    text
}

/// Whether the passes are proven to be the best, and the arrays that they read and write.
fn optimum(outline: &Outline<'_>) -> Option<String> {
    let reports = || outline.blocks.iter().map(|block| &block.report);
    let is_searched = reports().all(|report| report.method.strategy == Strategy::Ilp);
    if passes(&outline.items).is_empty() || !is_searched {
        return None;
    }
    let proof = if reports().all(|report| report.proof == Proof::Passes) {
        "proven optimal"
    } else if reports().all(|report| report.proof != Proof::None) {
        "proven optimal in arrays, not in passes"
    } else {
        "the best that was found within the bound on the search"
    };
    let (reads, writes) = sums(reports());
    let none = outline.blocks.iter().flat_map(|block| &block.strategies);
    let none = none.filter(|report| report.method.strategy == Strategy::None);
    let (unfused_reads, unfused_writes) = sums(none);
    Some(format!(
        "{proof}: {} read, {writes} written (without fusion {unfused_reads} and {unfused_writes})",
        count(reads as usize, "array", "arrays"),
    ))
}

fn sums<'a>(reports: impl Iterator<Item = &'a Report>) -> (u32, u32) {
    reports.fold((0, 0), |(reads, writes), report| (reads + report.reads, writes + report.writes))
}

/// The number and the trip count of a pass.
/// Whether two items are one operation of the program on several arrays. Parts of records are copied one by one.
fn are_one_operation(left: &Folded<'_>, right: &Folded<'_>) -> bool {
    let (Folded::Item(Item::Whole(left)), Folded::Item(Item::Whole(right))) = (left, right) else {
        return false;
    };
    left.what == right.what && left.span == right.span && left.library == right.library
}

fn wholes<'a>(items: &[Folded<'a>]) -> Vec<&'a WholeItem> {
    let whole = |item: &Folded<'a>| match item {
        Folded::Item(Item::Whole(of)) => Some(of),
        Folded::Item(_) | Folded::Library(..) => None,
    };
    items.iter().filter_map(whole).collect()
}

fn name(pass: &PassItem) -> String {
    let name = pass.number.map_or_else(|| "fill".to_owned(), |number| format!("pass {number}"));
    let over = pass.steps.as_ref().map_or_else(String::new, |steps| format!(" over {steps}"));
    name + &over
}

/// The places of all combinators and loops in an item.
fn parts(item: &Item) -> Vec<Span> {
    let own = match item {
        Item::Pass(pass) => pass.nodes.iter().map(|node| node.span).collect(),
        Item::Loop(of) => vec![of.span],
        Item::Whole(of) => vec![of.span],
        Item::If(..) => Vec::new(),
    };
    let own = own.into_iter().map(|span| Span { calls: CallId::NONE, ..span });
    own.chain(item.inside().flatten().flat_map(parts)).collect()
}

/// Whether a pass runs in vectors. Nothing if that is not known, or if the loops of its steps or the pass around say it.
fn vectors(pass: &PassItem, in_lanes: bool) -> Option<String> {
    let vectors = pass.vectors.as_ref()?;
    match vectors.state {
        VectorState::Vectors { lanes, .. } => Some(format!("in vectors of {lanes}")),
        VectorState::ByLlvm => Some("in vectors".to_owned()),
        VectorState::NoLoop => None,
        VectorState::Scalar if in_lanes || !pass.items.is_empty() || pass.number.is_none() => None,
        VectorState::Scalar => Some(format!("not in vectors: {}", vectors.text)),
    }
}

/// Whether threads share a pass.
fn threads(sharing: WorkSharing) -> String {
    if sharing.is_shared() { "on all threads".to_owned() } else { sharing.to_string() }
}
