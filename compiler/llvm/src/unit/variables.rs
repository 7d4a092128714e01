//! Variables of the source in the object file, for debuggers: DWARF.
//!
//! A scalar is a variable of its type, and an array is a pointer to its first element (`p xs[0]@n` in gdb). At level 0 each
//! variable has a place in memory. Optimised code says where the value is, as long as it is somewhere.
//!
//! Invariant: the code is that without variables, except at level 0.
//!
//! ```text
//! 3 │ let y = x * 2     #dbg_value(double %y, !DILocalVariable(name: "y", line: 3, type: !"f64"), …)
//! ```

use std::collections::BTreeMap;

use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::debug_info::{
    AsDIScope, DIFile, DIFlags, DIFlagsConstants, DILocalVariable, DILocation, DIType,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderInsertDbgValueRecordAtEnd, LLVMDIBuilderInsertDeclareRecordAtEnd,
};
use inkwell::values::{AsValueRef, BasicValueEnum, PointerValue};

use super::lines::{FunctionLines, Lines};
use crate::code::FunctionBuilder;

/// The kinds of numbers in DWARF.
const BOOLEAN: u32 = 0x02;
const FLOAT: u32 = 0x04;
const SIGNED: u32 = 0x05;
const UNSIGNED: u32 = 0x07;

/// The variables of a function that debuggers know.
#[derive(Default)]
pub(crate) struct Variables<'ctx> {
    known: BTreeMap<VarId, Known<'ctx>>,
}

/// A variable, a place in the source, and a block.
type Place<'ctx> = (DILocalVariable<'ctx>, DILocation<'ctx>, BasicBlock<'ctx>);

/// A variable.
struct Known<'ctx> {
    variable: DILocalVariable<'ctx>,
    /// Its place in memory, at level 0.
    place: Option<PointerValue<'ctx>>,
}

/// The name and the type of a variable.
pub(crate) struct Declared<'a> {
    pub(crate) name: &'a str,
    pub(crate) scalar: Scalar,
    pub(crate) is_array: bool,
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// From here on, a variable has this value: a scalar, or the first element of an array.
    pub(crate) fn tell_variable(
        &self,
        variables: &mut Variables<'ctx>,
        var: VarId,
        declared: &Declared<'_>,
        value: BasicValueEnum<'ctx>,
    ) {
        let (Some(of), Some(lines)) = (self.lines, self.unit.lines.as_ref()) else { return };
        let Some(at) = self.b.get_current_debug_location() else { return };
        let value = match value {
            BasicValueEnum::IntValue(number) if !declared.is_array => {
                self.in_memory(declared.scalar, number.into())
            }
            BasicValueEnum::FloatValue(_) | BasicValueEnum::PointerValue(_) => value,
            // Vectors have the values of several steps.
            BasicValueEnum::IntValue(_)
            | BasicValueEnum::ArrayValue(_)
            | BasicValueEnum::StructValue(_)
            | BasicValueEnum::VectorValue(_)
            | BasicValueEnum::ScalableVectorValue(_) => return,
        };
        let known = variables.known.entry(var).or_insert_with(|| {
            let file = self.unit.file(lines, of.file);
            Known { variable: lines.variable((of, file), declared, at.get_line()), place: None }
        });
        let at = (known.variable, at, self.current_block());
        if lines.is_optimised {
            return lines.tell_value(value, at);
        }
        let place = *known.place.get_or_insert_with(|| {
            let place = self.alloca(value.get_type(), declared.name);
            lines.tell_place(place, at);
            place
        });
        self.store(place, value);
    }
}

impl<'ctx> Lines<'ctx> {
    fn variable(
        &self,
        (of, file): (FunctionLines<'ctx>, DIFile<'ctx>),
        declared: &Declared<'_>,
        line: u32,
    ) -> DILocalVariable<'ctx> {
        let scalar = self.scalar_type(declared.scalar);
        let ty = if declared.is_array {
            let any = AddressSpace::default();
            self.builder.create_pointer_type("", scalar, 64, 64, any).as_type()
        } else {
            scalar
        };
        let scope = of.scope.as_debug_info_scope();
        let flags = DIFlags::ZERO;
        self.builder.create_auto_variable(scope, declared.name, file, line, ty, true, flags, 0)
    }

    /// From the end of a block on, a variable has this value.
    fn tell_value(&self, value: BasicValueEnum<'ctx>, (variable, at, block): Place<'ctx>) {
        let expression = self.builder.create_expression(Vec::new());
        // SAFETY: all are of the module that is built. Inkwell would take the result, a record, for an instruction.
        unsafe {
            LLVMDIBuilderInsertDbgValueRecordAtEnd(
                self.builder.as_mut_ptr(),
                value.as_value_ref(),
                variable.as_mut_ptr(),
                expression.as_mut_ptr(),
                at.as_mut_ptr(),
                block.as_mut_ptr(),
            );
        }
    }

    /// A variable has this place in memory.
    fn tell_place(&self, place: PointerValue<'ctx>, (variable, at, block): Place<'ctx>) {
        let expression = self.builder.create_expression(Vec::new());
        // SAFETY: as above.
        unsafe {
            LLVMDIBuilderInsertDeclareRecordAtEnd(
                self.builder.as_mut_ptr(),
                place.as_value_ref(),
                variable.as_mut_ptr(),
                expression.as_mut_ptr(),
                at.as_mut_ptr(),
                block.as_mut_ptr(),
            );
        }
    }

    fn scalar_type(&self, scalar: Scalar) -> DIType<'ctx> {
        let kind = match scalar {
            Scalar::Bool => BOOLEAN,
            Scalar::F32 | Scalar::F64 => FLOAT,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => SIGNED,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => UNSIGNED,
        };
        let bits = 8 * u64::from(scalar.bytes());
        let ty = self.builder.create_basic_type(scalar.name(), bits, kind, DIFlags::ZERO);
        ty.expect("a type has a name").as_type()
    }
}
