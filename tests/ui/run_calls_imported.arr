-- $ arrc run FILE demo []
-- What fails in an imported file of the library is told of at the user's call of it.
import "statistics"
entry demo (xs: []f64): f64 = median xs
