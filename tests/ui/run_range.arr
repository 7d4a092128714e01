-- $ arrc run FILE steps 0
entry steps (step: i64): ?[k].[k]i64 = 0..step..<10
