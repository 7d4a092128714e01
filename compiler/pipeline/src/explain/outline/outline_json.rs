//! Outlines as JSON.
//!
//! Invariant: `docs/src/explain.md` describes every field, and a field is always there.
//!
//! ```text
//! {"function":"f","passes":1,"items":[{"item":"pass","pass":1,"steps":"n",…}],"arrays":[…],…}
//! ```

use std::collections::BTreeSet;

use super::fold_library::passes;
use super::{
    ArrayUse, IfItem, Item, LoopItem, Outline, OutlineNode, PassItem, Stamp, VectorState,
    WholeItem, WholeOperation, stamps,
};
use crate::explain::json::strategy;
use crate::explain::{Explanation, Separation};
use arrc_fusion::clusters::Report;
use arrc_syntax::diagnostics::object;
use arrc_syntax::json::{Value, extended, json, place};
use arrc_syntax::source::{Sources, Span};

impl Outline<'_> {
    /// The object of the function.
    #[must_use]
    pub fn json(&self, sources: &Sources) -> Value {
        let found = passes(&self.items);
        let numbers: BTreeSet<usize> = found.iter().filter_map(|pass| pass.number).collect();
        let cuts = self.blocks.iter().flat_map(|block| {
            let cuts = block.notes().into_iter();
            cuts.map(|cut| self::cut(block, cut, &numbers, sources)).collect::<Vec<_>>()
        });
        let stamps = stamps(&self.items);
        let own = json!({ "function": self.name });
        let rest = json!({
            "passes": found.iter().filter(|pass| pass.number.is_some()).count(),
            "allocated": self.allocated.as_ref().map(ToString::to_string),
            "items": items(&self.items, sources),
            "arrays": self.arrays.iter().map(|of| array(of, &stamps, sources)).collect::<Vec<_>>(),
            "cuts": cuts.collect::<Vec<_>>(),
            "hints": self.hints().map(|hint| object(hint, sources)).collect::<Vec<_>>(),
            "strategies": self.strategies(),
        });
        extended(extended(own, at(self.span, sources)), rest)
    }

    /// The sums of the costs of each strategy over all blocks.
    fn strategies(&self) -> Vec<Value> {
        let mut sums: Vec<Report> = Vec::new();
        for report in self.blocks.iter().flat_map(|block| &block.strategies) {
            match sums.iter_mut().find(|sum| sum.method.strategy == report.method.strategy) {
                Some(sum) => {
                    sum.reads += report.reads;
                    sum.writes += report.writes;
                    sum.intermediates += report.intermediates;
                    sum.traffic = sum.traffic.saturating_add(report.traffic);
                }
                None => sums.push(report.clone()),
            }
        }
        sums.iter().map(strategy).collect()
    }
}

/// The fields of a place in a file.
fn at(span: Span, sources: &Sources) -> Value {
    let (file, start, end) = place(span, sources);
    json!({"file": file, "start": start, "end": end})
}

fn items(items: &[Item], sources: &Sources) -> Vec<Value> {
    items.iter().map(|item| self::item(item, sources)).collect()
}

fn item(item: &Item, sources: &Sources) -> Value {
    match item {
        Item::Pass(pass) => self::pass(pass, sources),
        Item::Loop(of) => repeated(of, sources),
        Item::If(IfItem { then, otherwise, .. }) => json!({
            "item": "if",
            "then": items(then, sources),
            "else": items(otherwise, sources),
        }),
        Item::Whole(WholeItem { what, name, span, library, .. }) => extended(
            json!({"item": "step", "what": what.name(), "name": name, "library": library}),
            at(*span, sources),
        ),
    }
}

fn pass(pass: &PassItem, sources: &Sources) -> Value {
    let threads = pass.sharing.map(|sharing| {
        let shared = sharing.is_shared();
        json!({"shared": shared, "way": sharing.name(), "text": sharing.to_string()})
    });
    let vectors = pass.vectors.as_ref().map(|vectors| {
        let (state, lanes, parts) = match vectors.state {
            VectorState::Vectors { lanes, parts } => ("vectors", Some(lanes), Some(parts)),
            VectorState::ByLlvm => ("llvm", None, None),
            VectorState::Scalar => ("scalar", None, None),
            VectorState::NoLoop => ("none", None, None),
        };
        json!({"state": state, "lanes": lanes, "parts": parts, "text": vectors.text})
    });
    json!({
        "item": "pass",
        "pass": pass.number,
        "procedure": pass.procedure,
        "kind": if pass.number.is_some() { "pass" } else { "fill" },
        "steps": pass.steps,
        "nodes": pass.nodes.iter().map(|of| node(of, sources)).collect::<Vec<_>>(),
        "reads": pass.reads,
        "writes": pass.writes,
        "registers": pass.registers,
        "threads": threads,
        "vectors": vectors,
        "items": items(&pass.items, sources),
    })
}

fn node(node: &OutlineNode, sources: &Sources) -> Value {
    let own = json!({"name": node.name, "kind": node.kind.name(), "library": node.library});
    extended(own, at(node.span, sources))
}

fn repeated(of: &LoopItem, sources: &Sources) -> Value {
    let own = json!({
        "item": "loop",
        "form": if of.is_counted { "for" } else { "while" },
        "steps": of.steps,
        "carries": of.carries,
        "library": of.library,
        "items": items(&of.items, sources),
    });
    extended(own, at(of.span, sources))
}

/// `stamps` are those of all items of the function, in order.
fn array(array: &ArrayUse, stamps: &[Stamp], sources: &Sources) -> Value {
    let [first, last] = array.alive;
    // What no item makes begins with the next item. There may be no next one.
    let index = |before: usize| before.min(stamps.len() - 1);
    let alive = (!stamps.is_empty()).then(|| {
        let last = stamps.partition_point(|&stamp| stamp <= last).saturating_sub(1);
        let first = index(stamps.partition_point(|&stamp| stamp < first));
        [first, last.max(first)]
    });
    let own = json!({
        "name": array.name,
        "type": array.ty,
        "bytes": array.bytes,
        "memory": array.storage.name(),
        "of": array.storage.of(),
        "text": array.storage.to_string(),
        "not_in_place": array.not_in_place.as_ref().map(|(of, why)| {
            json!({"of": of, "text": why.to_string()})
        }),
        "result": array.is_result,
        "library": array.is_of_library,
        "born": alive.map(|[first, _]| first),
        "dies": alive.map(|[_, last]| last),
    });
    extended(own, at(array.span, sources))
}

/// Two neighbours in different passes. `numbers` are those of the passes that the function runs: the code of a cluster may
/// have become part of something else.
fn cut(
    block: &Explanation,
    cut: &Separation,
    numbers: &BTreeSet<usize>,
    sources: &Sources,
) -> Value {
    let ends = [cut.nodes.0, cut.nodes.1];
    let places = ends.map(|node| {
        let own = json!({ "name": block.nodes[node].name });
        extended(own, at(block.nodes[node].span, sources))
    });
    json!({
        "passes": ends.map(|node| block.number_of(node).filter(|of| numbers.contains(of))),
        "nodes": ends.map(|node| block.nodes[node].name.as_str()),
        "reason": cut.why.name(),
        "text": block.sentence(cut),
        "places": places,
    })
}

impl WholeOperation {
    /// The name in JSON.
    fn name(self) -> &'static str {
        match self {
            Self::Sort => "sort",
            Self::Copy => "copy",
            Self::CopyArgument => "copy-argument",
            Self::CopyIfShared => "copy-if-shared",
            Self::Append => "append",
            Self::Call => "call",
            Self::External => "external",
        }
    }
}
