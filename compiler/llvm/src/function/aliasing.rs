//! Alias scopes for the arrays of a pass. They tell LLVM that no vector under construction shares memory with another
//! one, or with an array that is read.
//!
//! Invariant: each vector has one scope, and all arrays that are read share one, since reads do not disturb each other.
//! Scopes of a pass are not used outside of it, but inner passes add to the scopes of the passes around them: neither
//! the arrays that they read nor the arrays that they make are vectors of a pass around. But another inner pass may
//! read such an array later in the same step. So a store is told apart only from the reads of its own pass. A vector
//! that is written over an array shares memory with that array only: loads from the array are in the scope of the
//! vector, and all other loads are in the scope of the reads.
//!
//! ```text
//! x = load xs[i]            !alias.scope {reads}   !noalias {ys, zs}
//! store x, ys[i]            !alias.scope {ys}      !noalias {reads, zs}
//! z = load us[i]            !alias.scope {zs}      !noalias {ys}           zs goes over us
//! ```

use std::rc::Rc;

use arrc_syntax::ids::VarId;
use indexmap::IndexMap;
use inkwell::values::{BasicValue, BasicValueEnum, InstructionValue, MetadataValue};

use crate::code::FunctionBuilder;
use crate::unit::built;

/// The rows, views and other names of arrays of a function, each with the array or name that it comes from.
pub(crate) type ArrayNames = Rc<IndexMap<VarId, VarId>>;

/// The alias scopes of a pass.
#[derive(Debug)]
pub(crate) struct Aliasing<'ctx> {
    /// The scopes of loads: this pass's first, and then those of the enclosing passes.
    reads: Vec<MetadataValue<'ctx>>,
    /// The vectors of this pass, and those of the passes around.
    vectors: Vec<ScopedVector<'ctx>>,
    /// The names of arrays, if this pass or one around makes a vector over an array.
    names: Option<ArrayNames>,
    /// The kinds of metadata.
    kinds: MetadataKinds,
}

/// A vector with its scope.
#[derive(Clone, Copy, Debug)]
struct ScopedVector<'ctx> {
    made: MadeVector,
    scope: MetadataValue<'ctx>,
    /// The pass that makes it: 0 is this one, 1 the one around.
    level: usize,
}

/// A vector that a pass makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeVector {
    pub(crate) vector: VarId,
    /// The array in whose memory it is made.
    pub(crate) over: Option<VarId>,
}

#[derive(Clone, Copy, Debug)]
struct MetadataKinds {
    scope: u32,
    noalias: u32,
}

impl<'ctx> Aliasing<'ctx> {
    /// Scopes for a pass that makes these vectors, inside a pass with the scopes `outer`.
    pub(crate) fn new(
        code: &mut FunctionBuilder<'_, 'ctx, '_>,
        vectors: &[MadeVector],
        names: Option<ArrayNames>,
        outer: Option<&Self>,
    ) -> Self {
        code.unit.passes += 1;
        // Names tell the scopes of passes apart, so they must differ in the whole module.
        let name = format!("arr.{}", code.unit.passes);
        let context = code.unit.context;
        let node = |items: &[MetadataValue<'ctx>]| {
            let items: Vec<_> = items.iter().map(|&item| item.into()).collect();
            context.metadata_node(&items)
        };
        let domain = node(&[context.metadata_string(&name)]);
        let scope = |of: &str| node(&[context.metadata_string(&format!("{name}.{of}")), domain]);
        let mut reads = vec![scope("reads")];
        let scoped = |&made: &MadeVector| ScopedVector {
            made,
            scope: scope(&made.vector.to_string()),
            level: 0,
        };
        let mut scopes: Vec<_> = vectors.iter().map(scoped).collect();
        // With the declarations, the copies of a loop's body that LLVM makes get scopes of their own.
        for declared in reads.iter().chain(scopes.iter().map(|vector| &vector.scope)) {
            let declare = code.unit.intrinsic("llvm.experimental.noalias.scope.decl", &[]);
            built(code.b.build_call(declare, &[node(&[*declared]).into()], ""));
        }
        if let Some(outer) = outer {
            reads.extend(&outer.reads);
            let further =
                |vector: &ScopedVector<'ctx>| ScopedVector { level: vector.level + 1, ..*vector };
            scopes.extend(outer.vectors.iter().map(further));
        }
        let kinds = MetadataKinds {
            scope: context.get_kind_id("alias.scope"),
            noalias: context.get_kind_id("noalias"),
        };
        Self { reads, vectors: scopes, names, kinds }
    }

    /// The array in whose memory a vector is made.
    pub(crate) fn over(&self, vector: VarId) -> Option<VarId> {
        self.vectors.iter().find(|of| of.made.vector == vector)?.made.over
    }

    pub(crate) fn names(&self) -> Option<ArrayNames> {
        self.names.clone()
    }

    /// Whether a name is an array, or shows elements of it.
    fn shows(&self, name: VarId, array: VarId) -> bool {
        let from = |name: &VarId| self.names.as_ref()?.get(name).copied();
        std::iter::successors(Some(name), from).any(|of| of == array)
    }

    /// Adds the alias scopes of a load from an array.
    pub(crate) fn describe_load(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        loaded: BasicValueEnum<'ctx>,
        array: VarId,
    ) {
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        let is_over = |vector: &&ScopedVector<'ctx>| {
            vector.made.over.is_some_and(|over| self.shows(array, over))
        };
        let of_level = |(level, &reads): (usize, &MetadataValue<'ctx>)| {
            let mut over = self.vectors.iter().filter(is_over);
            over.find(|vector| vector.level == level).map_or(reads, |vector| vector.scope)
        };
        let scopes: Vec<_> = self.reads.iter().enumerate().map(of_level).collect();
        let others = self.vectors.iter().filter(|vector| !is_over(vector));
        let vectors: Vec<_> = others.map(|vector| vector.scope).collect();
        self.describe(code, load, &scopes, &vectors);
    }

    /// Adds the alias scopes of a store to a vector, or of a load from it.
    pub(crate) fn describe_own(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        access: InstructionValue<'ctx>,
        vector: VarId,
    ) {
        // A vector of a pass around may be written over an array. This pass's reads of that array are in the scope of
        // its reads.
        let is_over = |of: &ScopedVector<'ctx>| {
            of.made.vector == vector && of.made.over.is_some() && of.level > 0
        };
        let reads = if self.vectors.iter().any(is_over) { &[][..] } else { &self.reads[..1] };
        // A row of a vector that is written over an array shares memory with both.
        let over = self.over(vector);
        let is_apart = |of: &&ScopedVector<'ctx>| {
            of.made.vector != vector && (over.is_none() || of.made.over != over)
        };
        let apart = self.vectors.iter().filter(is_apart).map(|of| of.scope);
        let others = reads.iter().copied().chain(apart).collect::<Vec<_>>();
        let own = self.vectors.iter().filter(|of| of.made.vector == vector).map(|of| of.scope);
        self.describe(code, access, &own.collect::<Vec<_>>(), &others);
    }

    fn describe(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        instruction: InstructionValue<'ctx>,
        scopes: &[MetadataValue<'ctx>],
        others: &[MetadataValue<'ctx>],
    ) {
        for (kind, scopes) in [(self.kinds.scope, scopes), (self.kinds.noalias, others)] {
            let items: Vec<_> = scopes.iter().map(|&scope| scope.into()).collect();
            if !items.is_empty() {
                let list = code.unit.context.metadata_node(&items);
                instruction.set_metadata(list, kind).expect("the list is a node");
            }
        }
    }
}
