import "lib/geometri"
import "complx"
open import "/absolute"
module m = import "name.arr"
entry f (x: i64): i64 = x
