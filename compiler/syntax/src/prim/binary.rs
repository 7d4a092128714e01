//! The operations on two scalars of one type: each is described once, here.
//!
//! Invariant: an operation is defined on the types that its row has a meaning for, and is total on them, except
//! where [`BinOp::traps`] announces a failure.
//!
//! ```text
//! BinOp::Add on i32: (+)     BinOp::Hypot on f64: f64.hypot     BinOp::Lt on any type: (<), a bool
//! ```

use arr_libm::Libm;

use super::Scalar;
use super::description::{
    BinaryInterval, BinaryRecipe as Recipe, Cost, FloatBinary, Floats, Implementation, Int,
    IntBinary, Lowering, Neutral, Reassociation, Trap, TruthBinary, float, operations,
};
use super::elementary::power_of_f32;
use super::interval::Interval;
use super::relation::Relation;

/// The description of an operation on two scalars: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    /// The operator, or the name in a type's module.
    pub name: &'static str,
    /// Whether it is written between its operands.
    pub infix: bool,
    /// Whether the operands may be exchanged.
    pub commutes: bool,
    /// What a fold by it may do.
    pub fold: Reassociation,
    /// The neutral element.
    pub neutral: Option<Neutral>,
    /// The name of the function that reduces an array of numbers by the operation.
    pub reduction: Option<&'static str>,
    /// The comparison, if it is one: it takes any type and gives a `bool`.
    pub relation: Option<Relation>,
    /// The operation on integers.
    pub int: Option<Implementation<IntBinary, Recipe>>,
    /// The reason for which it fails on some integers.
    pub trap: Option<Trap>,
    /// The operation on floats.
    pub float: Option<Implementation<FloatBinary, Recipe>>,
    /// The operation on truth values.
    pub bool: Option<Implementation<TruthBinary, Recipe>>,
    /// Whether every machine computes the same bits on floats.
    pub exact: bool,
    /// The float type on which it is computed by arithmetic. On the other float type it is a call.
    pub elementary: Option<Scalar>,
    /// The bounds of the result, for integers.
    pub interval: Option<BinaryInterval>,
}

/// An empty row.
const ROW: Binary = Binary {
    name: "",
    infix: false,
    commutes: false,
    fold: Reassociation::Ordered,
    neutral: None,
    reduction: None,
    relation: None,
    int: None,
    trap: None,
    float: None,
    bool: None,
    exact: true,
    elementary: None,
    interval: None,
};

/// A row that has only the sign of an operator.
const fn infix(name: &'static str) -> Binary {
    Binary { name, infix: true, ..ROW }
}

const fn comparison(name: &'static str, relation: Relation) -> Binary {
    let commutes = matches!(relation, Relation::Eq | Relation::Ne);
    Binary { relation: Some(relation), commutes, ..infix(name) }
}

const fn int(
    eval: IntBinary,
    code: Lowering<Recipe>,
    cost: Cost,
) -> Option<Implementation<IntBinary, Recipe>> {
    Some(Implementation { eval, code, cost })
}

/// An operation on integers by one or a few instructions.
const fn quick(recipe: Recipe, eval: IntBinary) -> Option<Implementation<IntBinary, Recipe>> {
    int(eval, Lowering::Recipe(recipe), Cost::Quick)
}

/// A division of integers, which fails if the divisor is 0.
const fn divide(
    [down, remainder]: [bool; 2],
    eval: IntBinary,
) -> Option<Implementation<IntBinary, Recipe>> {
    int(eval, Lowering::Recipe(Recipe::Divide { down, remainder }), Cost::Slow)
}

/// An operation on the bits of integers, and on truth values.
const fn bitwise(
    name: &'static str,
    recipe: Recipe,
    eval: IntBinary,
    truth: TruthBinary,
) -> Binary {
    Binary {
        commutes: true,
        fold: Reassociation::Choice,
        int: quick(recipe, eval),
        bool: Some(Implementation {
            eval: truth,
            code: Lowering::Recipe(recipe),
            cost: Cost::Quick,
        }),
        ..infix(name)
    }
}

const fn shift(name: &'static str, recipe: Recipe, eval: IntBinary) -> Binary {
    Binary { int: quick(recipe, eval), ..infix(name) }
}

/// A function of floats that the C library has.
const fn library(name: &'static str, float: Option<Implementation<FloatBinary, Recipe>>) -> Binary {
    Binary { name, float, exact: false, ..ROW }
}

operations! {
    /// An operation on two scalars of the same type.
    BinOp: Binary, Recipe,
    others {}

    /// `+`, wrapping.
    Add = Binary {
        commutes: true,
        fold: Reassociation::Sum,
        neutral: Some(Neutral::Zero),
        reduction: Some("sum"),
        int: quick(Recipe::Add, |x, y| x.value + y.value),
        float: float!(|x, y| x + y, Lowering::Recipe(Recipe::Add), Quick),
        interval: Some(|x, y| Some(x.corners(y, |x, y| x + y))),
        ..infix("+")
    },
    /// `-`, wrapping.
    Sub = Binary {
        int: quick(Recipe::Sub, |x, y| x.value - y.value),
        float: float!(|x, y| x - y, Lowering::Recipe(Recipe::Sub), Quick),
        interval: Some(|x, y| Some(x.corners(y, |x, y| x - y))),
        ..infix("-")
    },
    /// `*`, wrapping.
    Mul = Binary {
        commutes: true,
        fold: Reassociation::Sum,
        neutral: Some(Neutral::One),
        reduction: Some("product"),
        int: quick(Recipe::Mul, |x, y| x.value.wrapping_mul(y.value)),
        float: float!(|x, y| x * y, Lowering::Recipe(Recipe::Mul), Quick),
        interval: Some(Interval::products),
        ..infix("*")
    },
    /// `/`: integers towards negative infinity; traps on zero. The lowest integer by -1 wraps.
    Div = Binary {
        int: divide([true, false], |x, y| {
            let (a, b) = (x.value, y.value);
            a / b - i128::from(a % b != 0 && (a < 0) != (b < 0))
        }),
        trap: Some(Trap::DivisionByZero),
        float: float!(|x, y| x / y, Lowering::Recipe(Recipe::FloatDivide), Slow),
        interval: Some(|x, y| x.quotients(y, i128::div_euclid)),
        ..infix("/")
    },
    /// `%`: the remainder of `/`, with the sign of the divisor; traps on zero. On floats a zero has that
    /// sign as well.
    Mod = Binary {
        int: divide([true, true], |x, y| {
            let rem = x.value % y.value;
            if rem != 0 && (rem < 0) != (y.value < 0) { rem + y.value } else { rem }
        }),
        trap: Some(Trap::DivisionByZero),
        float: float!(
            |x, y| {
                let rem = x % y;
                let moves = rem != 0.0 && (rem < 0.0) != (y < 0.0);
                if moves { rem + y } else { rem.copysign(y) }
            },
            Lowering::Recipe(Recipe::FloatRemainder),
            Call
        ),
        interval: Some(|_, y| Interval::moduli(y)),
        ..infix("%")
    },
    /// `//`: integers, towards zero; traps on zero.
    Quot = Binary {
        int: divide([false, false], |x, y| x.value / y.value),
        trap: Some(Trap::DivisionByZero),
        interval: Some(|x, y| x.quotients(y, |x, y| x / y)),
        ..infix("//")
    },
    /// `%%`: integers, the remainder of `//`; traps on zero.
    Rem = Binary {
        int: divide([false, true], |x, y| x.value % y.value),
        trap: Some(Trap::DivisionByZero),
        interval: Some(Interval::remainders),
        ..infix("%%")
    },
    /// `**`: integers by repeated squaring, wrapping, traps on a negative exponent; floats `x * x` if the
    /// exponent is 2, and `pow`, of `f32` as arithmetic.
    Pow = Binary {
        int: int(power, Lowering::Recipe(Recipe::IntPower), Cost::Call),
        trap: Some(Trap::NegativeExponent),
        float: Some(Implementation {
            eval: Floats {
                f32: |x, y| if y == 2.0 { x * x } else { power_of_f32(x, y) }.into(),
                f64: |x, y| if y == 2.0 { x * x } else { Libm::pow(x, y) }.into(),
            },
            code: Lowering::Recipe(Recipe::FloatPower),
            cost: Cost::Call,
        }),
        exact: false,
        elementary: Some(Scalar::F32),
        ..infix("**")
    },
    /// The smaller; on floats the number if one is NaN, and -0 is below 0.
    Min = Binary {
        name: "min",
        commutes: true,
        fold: Reassociation::Choice,
        neutral: Some(Neutral::Highest),
        reduction: Some("minimum"),
        int: int(|x, y| x.value.min(y.value), Lowering::Signed("llvm.smin", "llvm.umin"), Cost::Quick),
        float: float!(
            |x, y| {
                let first = y.is_nan() || x < y || (x == y && x.is_sign_negative());
                if first && !x.is_nan() { x } else { y }
            },
            Lowering::Recipe(Recipe::Extreme),
            Quick
        ),
        interval: Some(|x, y| Some(x.corners(y, i128::min))),
        ..ROW
    },
    /// The larger; on floats the number if one is NaN, and -0 is below 0.
    Max = Binary {
        name: "max",
        commutes: true,
        fold: Reassociation::Choice,
        neutral: Some(Neutral::Lowest),
        reduction: Some("maximum"),
        int: int(|x, y| x.value.max(y.value), Lowering::Signed("llvm.smax", "llvm.umax"), Cost::Quick),
        float: float!(
            |x, y| {
                let first = y.is_nan() || x > y || (x == y && x.is_sign_positive());
                if first && !x.is_nan() { x } else { y }
            },
            Lowering::Recipe(Recipe::Extreme),
            Quick
        ),
        interval: Some(|x, y| Some(x.corners(y, i128::max))),
        ..ROW
    },
    /// The angle of the point (second, first), floats.
    Atan2 = library("atan2", float!(|x, y| Libm::atan2(x, y), Lowering::Math("llvm.atan2"), Call)),
    /// The distance of the point (first, second) from zero, floats; without overflow on the way.
    Hypot = Binary {
        commutes: true,
        ..library("hypot", float!(|x, y| Libm::hypot(x, y), Lowering::Library("hypot"), Call))
    },
    /// The magnitude of the first with the sign of the second, floats.
    CopySign = Binary {
        name: "copysign",
        float: float!(|x, y| x.copysign(y), Lowering::Intrinsic("llvm.copysign"), Quick),
        ..ROW
    },
    /// The upper half of the product's bits, integers.
    MulHi = Binary {
        name: "mul_hi",
        commutes: true,
        int: int(upper_half, Lowering::Recipe(Recipe::UpperHalf), Cost::QuickAlone),
        ..ROW
    },
    /// `&`, integers; on `bool` without short circuit.
    And = Binary {
        interval: Some(Interval::common_bits),
        ..bitwise("&", Recipe::And, |x, y| x.value & y.value, |x, y| x & y)
    },
    /// `|`, integers; on `bool` without short circuit.
    Or = bitwise("|", Recipe::Or, |x, y| x.value | y.value, |x, y| x | y),
    /// `^`, integers and `bool`.
    Xor = Binary {
        fold: Reassociation::Sum,
        neutral: Some(Neutral::Zero),
        ..bitwise("^", Recipe::Xor, |x, y| x.value ^ y.value, |x, y| x ^ y)
    },
    /// `<<`, integers; the shift is taken modulo the width.
    Shl = shift("<<", Recipe::ShiftLeft, |x, y| x.value << distance(y)),
    /// `>>`, integers, arithmetic where signed; the shift is taken modulo the width.
    Shr = shift(">>", Recipe::ShiftRight { logical: false }, |x, y| x.value >> distance(y)),
    /// `>>>`, integers: as `>>`, with zeros from the left also where signed.
    ShrLogical = shift(">>>", Recipe::ShiftRight { logical: true }, |x, y| {
        i128::from(x.bits >> distance(y))
    }),
    /// `==`: any scalar to `bool`, as for all comparisons below; IEEE on floats.
    Eq = comparison("==", Relation::Eq),
    /// `!=`.
    Ne = comparison("!=", Relation::Ne),
    /// `<`; `false < true`.
    Lt = comparison("<", Relation::Lt),
    /// `<=`.
    Le = comparison("<=", Relation::Le),
    /// `>`.
    Gt = comparison(">", Relation::Gt),
    /// `>=`.
    Ge = comparison(">=", Relation::Ge),
}

/// The distance of a shift, which is below the width.
fn distance(by: Int) -> u32 {
    u32::try_from(by.bits % u64::from(by.width)).expect("a shift is below 64")
}

/// The upper half of a product's bits. The product of two `u64`s does not fit in an `i128`.
fn upper_half(x: Int, y: Int) -> i128 {
    if x.width == 64 && x.value >= 0 && y.value >= 0 {
        let product = u128::from(x.bits) * u128::from(y.bits);
        return i128::try_from(product >> 64).expect("half of 128 bits");
    }
    (x.value * y.value) >> x.width
}

/// A power, by repeated squaring; the exponent is not negative.
fn power(base: Int, exponent: Int) -> i128 {
    let (mut base, mut exponent, mut product) = (base.value, exponent.value, 1i128);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = product.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    product
}

impl BinOp {
    /// The operator's sign, or the name in the scalar type's module (`i64.max`).
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether the operation is written between its operands.
    #[must_use]
    pub fn is_infix(self) -> bool {
        self.row().infix
    }

    /// Whether the operation is a comparison, with a `bool` result.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        self.row().relation.is_some()
    }

    /// The comparison that gives the same with exchanged operands. Another operation stays.
    #[must_use]
    pub fn mirrored(self) -> Self {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no ordered comparisons")]
        match self {
            Self::Lt => Self::Gt,
            Self::Gt => Self::Lt,
            Self::Le => Self::Ge,
            Self::Ge => Self::Le,
            _ => self,
        }
    }

    /// Whether the operation is defined on `operand`.
    #[must_use]
    pub fn accepts(self, operand: Scalar) -> bool {
        self.is_comparison() || self.on(operand).is_some()
    }

    /// The type of the result on `operand`s.
    #[must_use]
    pub fn result(self, operand: Scalar) -> Scalar {
        if self.is_comparison() { Scalar::Bool } else { operand }
    }

    /// The reason for which the operation can fail at run time on `operand`s.
    #[must_use]
    pub fn trap(self, operand: Scalar) -> Option<Trap> {
        self.row().trap.filter(|_| operand.is_integer())
    }

    /// Whether the operation can fail at run time on `operand`s.
    #[must_use]
    pub fn traps(self, operand: Scalar) -> bool {
        self.trap(operand).is_some()
    }

    /// Whether every machine computes the same bits on `operand`s.
    #[must_use]
    pub fn is_exact(self, operand: Scalar) -> bool {
        let row = self.row();
        !operand.is_float() || row.exact || row.elementary == Some(operand)
    }

    /// Whether the operands may be exchanged.
    #[must_use]
    pub fn commutes(self) -> bool {
        self.row().commutes
    }

    /// What a fold by the operation may do with its elements.
    #[must_use]
    pub fn fold(self) -> Reassociation {
        self.row().fold
    }
}
