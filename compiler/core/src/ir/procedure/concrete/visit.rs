//! The blocks inside a step.
//!
//! Invariant: each block that is directly inside is met once: branches, bodies and conditions of loops,
//! and the workers of a pass, those of its ranges included.

use super::{Block, Guard, Loop, LoopForm, Nest, Range, Step, Stmt};

impl Step {
    /// The blocks directly inside the step.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Loop { form, worker, .. } => {
                let condition = match form {
                    LoopForm::For { .. } => None,
                    LoopForm::While { cond } => Some(&mut cond.body),
                };
                condition.into_iter().chain([&mut worker.body]).collect()
            }
            Self::Pass(pass) => {
                let mut blocks = Vec::new();
                in_loop(&mut pass.nest, &mut blocks);
                blocks
            }
            Self::Un { .. }
            | Self::Bin { .. }
            | Self::Fma { .. }
            | Self::Index { .. }
            | Self::Row { .. }
            | Self::Reshape { .. }
            | Self::Length { .. }
            | Self::Assert { .. }
            | Self::Call { .. }
            | Self::Append { .. }
            | Self::Array { .. }
            | Self::Constant { .. }
            | Self::Replace { .. }
            | Self::Copy { .. }
            | Self::Unique { .. }
            | Self::Share { .. }
            | Self::Release { .. } => Vec::new(),
        }
    }
}

fn in_loop<'a>(nest: &'a mut Loop, blocks: &mut Vec<&'a mut Block>) {
    let Loop { body, inner, ranges, .. } = nest;
    in_body(body, inner, blocks);
    for Range { body, inner, .. } in ranges {
        in_body(body, inner, blocks);
    }
}

fn in_body<'a>(body: &'a mut [Stmt], inner: &'a mut [Nest], blocks: &mut Vec<&'a mut Block>) {
    for stmt in body {
        match stmt {
            Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => {
                blocks.push(&mut worker.body);
            }
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => {}
        }
    }
    for nest in inner {
        match nest {
            Nest::Loop(nest) => in_loop(nest, blocks),
            Nest::Guard(Guard { body, inner, .. }) => in_body(body, inner, blocks),
        }
    }
}
