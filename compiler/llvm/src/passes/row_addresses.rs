//! Keeps the addresses of rows from becoming variables of the loops around them.
//!
//! A stencil reads several rows in the steps of an outer loop, by several loops: one for the interior, and others for
//! the edges. LLVM's back end makes a variable of the outer loop of each address of a row and of an edge, or computes
//! each row's address again for each of the loops inside (loop strength reduction). In three dimensions there are some
//! thirty variables, which do not fit in registers, and before each row an addition in memory changes each of them. So
//! where a loop has many rows, an empty instruction, which LLVM does not look into, hides how each address is computed.
//! Then it is computed once in each step of the outer loop.
//!
//! Invariant: values stay the same.
//!
//! ```text
//! %x = mul i64 %j, %size                            %x = mul i64 %j, %size
//! %row = getelementptr double, ptr %a, i64 %x   ⇒   %row = getelementptr double, ptr %a, i64 %x
//! …                                                 %hidden = call ptr asm "", "=r,0"(ptr %row)
//! ```

use indexmap::{IndexMap, IndexSet};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::values::{
    BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue, IntValue, Operand,
    PointerValue,
};
use petgraph::Direction;
use petgraph::algo::dominators::simple_fast;
use petgraph::graphmap::DiGraphMap;

use crate::target::isa::Isa;
use crate::unit::built;

/// The addresses of more rows than this are hidden. There are 15 registers, and the innermost loop needs one for each
/// row and some more. With this limit, and with rows by narrow indices hidden as well, `scripts/bench heat_3d` took
/// 1.19 of the time of C, and 1.24 before.
const MANY: usize = 4;

/// Hides the addresses of rows in loops around others that have many of them, where registers are few.
pub(crate) fn hide_rows(module: &Module<'_>, isa: Isa) {
    if isa == Isa::Neon {
        return;
    }
    for function in module.get_functions() {
        for row in many_rows(function) {
            hide(&module.get_context(), row);
        }
    }
}

fn many_rows(function: FunctionValue<'_>) -> IndexSet<PointerValue<'_>> {
    let blocks: IndexSet<BasicBlock<'_>> = function.get_basic_blocks().into_iter().collect();
    let loops = loops(&blocks);
    let mut found = IndexSet::new();
    for (&header, body) in &loops {
        let inner = loops.iter().filter(|(inner, _)| **inner != header && body.contains(*inner));
        let inner: IndexSet<usize> = inner.flat_map(|(_, body)| body.iter().copied()).collect();
        if inner.is_empty() {
            continue;
        }
        let own = body.iter().filter(|block| !inner.contains(*block)).map(|&block| blocks[block]);
        let steps: Vec<_> = own.flat_map(|block| block.get_instructions()).collect();
        for variable in blocks[header].get_instructions().map_while(as_phi).flatten() {
            let rows = rows(variable, &steps);
            if rows.len() > MANY {
                found.extend(rows);
            }
        }
    }
    found
}

/// The addresses that are computed from a variable, apart from those that are computed from other addresses.
fn rows<'ctx>(
    variable: IntValue<'ctx>,
    steps: &[InstructionValue<'ctx>],
) -> IndexSet<PointerValue<'ctx>> {
    let mut known: IndexSet<InstructionValue<'_>> = variable.as_instruction().into_iter().collect();
    let mut rows = IndexSet::new();
    loop {
        let before = known.len();
        for &step in steps {
            let computes = matches!(
                step.get_opcode(),
                InstructionOpcode::Add
                    | InstructionOpcode::Sub
                    | InstructionOpcode::Mul
                    | InstructionOpcode::Shl
                    | InstructionOpcode::AShr
                    | InstructionOpcode::SExt
                    | InstructionOpcode::ZExt
                    | InstructionOpcode::Trunc
                    | InstructionOpcode::GetElementPtr
            );
            if computes && step.get_operands().flatten().any(|operand| is_among(operand, &known)) {
                match PointerValue::try_from(step) {
                    Ok(row) => rows.insert(row),
                    Err(_) => known.insert(step),
                };
            }
        }
        if known.len() == before {
            return rows;
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

/// Puts an empty instruction between an address and its uses.
fn hide(context: &ContextRef<'_>, row: PointerValue<'_>) {
    let step = row.as_instruction().expect("it is computed");
    let next = step.get_next_instruction().expect("a terminator comes behind it");
    let builder = context.create_builder();
    builder.position_before(&next);
    let ty = row.get_type().fn_type(&[row.get_type().into()], false);
    let (nothing, same) = (String::new(), String::from("=r,0"));
    let empty = context.create_inline_asm(ty, nothing, same, false, false, None, false);
    let call = built(builder.build_indirect_call(ty, empty, &[row.into()], "hidden"));
    for property in ["nounwind", "memory"] {
        let kind = Attribute::get_named_enum_kind_id(property);
        call.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
    }
    let hidden = call.try_as_basic_value().unwrap_basic().into_pointer_value();
    row.replace_all_uses_with(hidden);
    let call = hidden.as_instruction().expect("it is a call");
    assert!(call.set_operand(0, row), "the call has an argument");
}
