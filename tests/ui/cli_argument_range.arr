-- $ arrc run FILE inc 300
entry inc (x: u8): u8 = x + 1
