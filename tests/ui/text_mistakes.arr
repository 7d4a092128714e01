entry f: i64 = length "never closed
entry g: i64 = length "a\qb\x4"
entry h: u8 = 'ab'
