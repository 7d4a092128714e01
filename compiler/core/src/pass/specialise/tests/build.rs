//! Building programs of core by hand.
//!
//! Invariant: expressions have the types that inference would give them.

use crate::ids::{DefId, FileId, LocalId, SizeVar};
pub(super) use crate::ir::core::Type;
use crate::ir::core::{
    self, Body, Def, Expr, ExprKind, Intrinsic, Marks, Param, Pat, Size, SizeInfo, SizeOrigin,
    VarInfo,
};
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

pub(super) const I64: Type = Type::Scalar(Scalar::I64);
pub(super) const BOOL: Type = Type::Scalar(Scalar::Bool);

pub(super) struct Program {
    pub(super) core: core::Program,
}

fn span() -> Span {
    Span::new(FileId::from_u32(0), 0, 0)
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: span() }
}

pub(super) fn array(size: SizeVar, elem: Type) -> Type {
    Type::Array(polynomial(size), Box::new(elem))
}

fn polynomial(size: SizeVar) -> Size {
    Size { terms: [(vec![size], 1)].into() }
}

pub(super) fn function(param: Type, result: Type) -> Type {
    Type::Fun(None, Box::new(param), Box::new(result))
}

pub(super) fn i64(value: i64) -> Expr {
    expr(ExprKind::Const(Const::i64(value)), I64)
}

pub(super) fn operator(op: BinOp) -> Expr {
    expr(ExprKind::BinOp(op), function(I64, function(I64, I64)))
}

pub(super) fn bin(op: BinOp, x: Expr, y: Expr) -> Expr {
    let ty = if op.is_comparison() { BOOL } else { x.ty.clone() };
    app(operator(op), vec![x, y], ty)
}

pub(super) fn app(fun: Expr, args: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::App(Box::new(fun), args), ty)
}

pub(super) fn tuple(items: Vec<Expr>) -> Expr {
    let ty = Type::Tuple(items.iter().map(|item| item.ty.clone()).collect());
    expr(ExprKind::Tuple(items), ty)
}

pub(super) fn lets(binds: Vec<(Pat, Expr)>, body: Expr) -> Expr {
    binds.into_iter().rev().fold(body, |body, (pat, value)| {
        let ty = body.ty.clone();
        expr(ExprKind::Let(pat, Box::new(value), Box::new(body)), ty)
    })
}

impl Program {
    pub(super) fn new() -> Self {
        Self { core: core::Program::default() }
    }

    pub(super) fn size(&mut self, name: &str) -> SizeVar {
        self.push_size(name, SizeOrigin::Param)
    }

    pub(super) fn exists(&mut self, name: &str) -> SizeVar {
        self.push_size(name, SizeOrigin::Exists { maker: "test".into() })
    }

    fn push_size(&mut self, name: &str, origin: SizeOrigin) -> SizeVar {
        self.core.sizes.push(SizeInfo { name: name.into(), origin, span: span() })
    }

    pub(super) fn local(&mut self, name: &str, ty: Type) -> (Expr, Pat) {
        let var: LocalId =
            self.core.vars.push(VarInfo { name: name.into(), span: span(), marks: Marks::None });
        (expr(ExprKind::Var(var), ty.clone()), Pat::Var(var, ty))
    }

    pub(super) fn param(&mut self, name: &str, ty: Type) -> (Expr, Param) {
        let (value, pat) = self.local(name, ty.clone());
        (value, Param { pat, ty })
    }

    pub(super) fn lambda(&mut self, name: &str, ty: Type, body: impl FnOnce(Expr) -> Expr) -> Expr {
        let (value, param) = self.param(name, ty.clone());
        let body = body(value);
        let ty = function(ty, body.ty.clone());
        expr(ExprKind::Lambda(vec![param], Box::new(body)), ty)
    }

    pub(super) fn intrinsic(&mut self, intrinsic: Intrinsic, args: Vec<Expr>, ty: Type) -> Expr {
        let def = self.def(&format!("{intrinsic:?}"), Vec::new(), Vec::new(), ty.clone());
        self.core.defs[def].body = Body::Intrinsic(intrinsic);
        app(expr(ExprKind::Global(def, Vec::new()), I64), args, ty)
    }

    pub(super) fn def(
        &mut self,
        name: &str,
        sizes: Vec<SizeVar>,
        params: Vec<Param>,
        result: Type,
    ) -> DefId {
        self.core.defs.push(Def {
            name: name.into(),
            span: span(),
            doc: None,
            types: Vec::new(),
            sizes,
            params,
            result,
            marks: Marks::None,
            body: Body::Intrinsic(Intrinsic::Length),
            recursive: false,
            noinline: false,
        })
    }

    pub(super) fn entry(
        &mut self,
        name: &str,
        sizes: Vec<SizeVar>,
        params: Vec<Param>,
        body: Expr,
    ) {
        let def = self.def(name, sizes, params, body.ty.clone());
        self.core.defs[def].body = Body::Expr(body);
        self.core.entries.push(def);
    }
}
