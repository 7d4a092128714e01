//! Keeps the addresses of rows from becoming variables of the loops around them.
//!
//! A stencil reads several rows in the steps of an outer loop. LLVM's back end makes a variable of the outer loop of each row's address, and another
//! one of each address of an edge (loop strength reduction). In three dimensions these are some thirty variables, which do not fit in registers, and
//! before each row an addition in memory changes each of them. So where a loop has many rows, its counter
//! stands behind an empty instruction, which LLVM does not look into. Then each address is computed in a register, where it is used.
//!
//! Invariant: values stay the same.
//!
//! ```text
//! %j = phi i64 [ 0, %enter ], [ %j1, %latch ]       %j = phi …
//! %x = mul i64 %j, %size                      ⇒     %hidden = call i64 asm "", "=r,0"(i64 %j)
//! …                                                 %x = mul i64 %hidden, %size
//! ```

use indexmap::{IndexMap, IndexSet};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::values::{
    BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue, IntValue, Operand,
};
use petgraph::Direction;
use petgraph::algo::dominators::simple_fast;
use petgraph::graphmap::DiGraphMap;

use crate::target::isa::Isa;
use crate::unit::built;

/// The counters of loops with more rows than this are hidden. There are 15 registers, and the innermost loop needs one for each
/// row and some more.
const MANY: usize = 5;

/// Hides the counters of loops around others that have many rows, where registers are few.
pub(crate) fn hide_counters(module: &Module<'_>, isa: Isa) {
    if isa == Isa::Neon {
        return;
    }
    for function in module.get_functions() {
        for counter in counters(function) {
            hide(&module.get_context(), counter);
        }
    }
}

fn counters(function: FunctionValue<'_>) -> Vec<IntValue<'_>> {
    let blocks: IndexSet<BasicBlock<'_>> = function.get_basic_blocks().into_iter().collect();
    let loops = loops(&blocks);
    let mut counters = Vec::new();
    for (&header, body) in &loops {
        let inner = loops.iter().filter(|(inner, _)| **inner != header && body.contains(*inner));
        let inner: IndexSet<usize> = inner.flat_map(|(_, body)| body.iter().copied()).collect();
        if inner.is_empty() {
            continue;
        }
        let own = body.iter().filter(|block| !inner.contains(*block)).map(|&block| blocks[block]);
        let steps: Vec<_> = own.flat_map(|block| block.get_instructions()).collect();
        let variables = blocks[header].get_instructions().map_while(as_phi).flatten();
        counters.extend(variables.filter(|&variable| rows(variable, &steps) > MANY));
    }
    counters
}

/// How many addresses are computed from a variable, apart from those that are computed from other addresses.
fn rows(variable: IntValue<'_>, steps: &[InstructionValue<'_>]) -> usize {
    let mut known: IndexSet<InstructionValue<'_>> = variable.as_instruction().into_iter().collect();
    let mut rows = IndexSet::new();
    loop {
        let before = known.len();
        for &step in steps {
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others compute no addresses")]
            let is_row = match step.get_opcode() {
                InstructionOpcode::Add
                | InstructionOpcode::Sub
                | InstructionOpcode::Mul
                | InstructionOpcode::Shl => false,
                InstructionOpcode::GetElementPtr => true,
                _ => continue,
            };
            if step.get_operands().flatten().any(|operand| is_among(operand, &known)) {
                if is_row {
                    rows.insert(step)
                } else {
                    known.insert(step)
                };
            }
        }
        if known.len() == before {
            return rows.len();
        }
    }
}

fn is_among(operand: Operand<'_>, known: &IndexSet<InstructionValue<'_>>) -> bool {
    let Operand::Value(BasicValueEnum::IntValue(value)) = operand else { return false };
    value.as_instruction().is_some_and(|step| known.contains(&step))
}

/// A variable of a loop, if it is a number.
fn as_phi(step: InstructionValue<'_>) -> Option<Option<IntValue<'_>>> {
    (step.get_opcode() == InstructionOpcode::Phi).then(|| {
        let number = IntValue::try_from(step).ok()?;
        (number.get_type().get_bit_width() == 64).then_some(number)
    })
}

/// The blocks of each loop, by its first block.
fn loops(blocks: &IndexSet<BasicBlock<'_>>) -> IndexMap<usize, IndexSet<usize>> {
    let mut graph = DiGraphMap::<usize, ()>::new();
    for (at, block) in blocks.iter().enumerate() {
        graph.add_node(at);
        let operands = block
            .get_terminator()
            .into_iter()
            .flat_map(|end| end.get_operands().flatten().collect::<Vec<_>>());
        for operand in operands {
            if let Operand::Block(next) = operand {
                graph.add_edge(at, blocks.get_index_of(&next).expect("it is in the function"), ());
            }
        }
    }
    let mut loops = IndexMap::<usize, IndexSet<usize>>::new();
    if blocks.is_empty() {
        return loops;
    }
    let dominators = simple_fast(&graph, 0);
    for (latch, header, ()) in graph.all_edges() {
        let is_back =
            dominators.dominators(latch).is_some_and(|mut all| all.any(|block| block == header));
        if is_back {
            loops.entry(header).or_default().extend(between(&graph, header, latch));
        }
    }
    loops
}

/// The blocks from which a latch is reached without the header, and the header.
fn between(graph: &DiGraphMap<usize, ()>, header: usize, latch: usize) -> IndexSet<usize> {
    let mut body = IndexSet::from([header]);
    let mut next = vec![latch];
    while let Some(block) = next.pop() {
        if body.insert(block) {
            next.extend(graph.neighbors_directed(block, Direction::Incoming));
        }
    }
    body
}

/// Puts an empty instruction between a counter and its uses.
fn hide(context: &ContextRef<'_>, counter: IntValue<'_>) {
    let phi = counter.as_instruction().expect("it is a phi");
    let block = phi.get_parent().expect("a phi is in a block");
    let first = block.get_instructions().find(|step| step.get_opcode() != InstructionOpcode::Phi);
    let builder = context.create_builder();
    builder.position_before(&first.expect("a block has a terminator"));
    let number = context.i64_type();
    let ty = number.fn_type(&[number.into()], false);
    let (nothing, same) = (String::new(), String::from("=r,0"));
    let empty = context.create_inline_asm(ty, nothing, same, false, false, None, false);
    let call = built(builder.build_indirect_call(ty, empty, &[counter.into()], "hidden"));
    for property in ["nounwind", "memory"] {
        let kind = Attribute::get_named_enum_kind_id(property);
        call.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
    }
    let hidden = call.try_as_basic_value().unwrap_basic().into_int_value();
    counter.replace_all_uses_with(hidden);
    let call = hidden.as_instruction().expect("it is a call");
    assert!(call.set_operand(0, counter), "the call has an argument");
}
