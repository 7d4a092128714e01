//! Runs one pass on a form, to try it by itself: `cargo run -p arrc_pipeline --bin pass -- NAME [STRATEGY] < form`.
//!
//! ```text
//! echo 'entry f (x: i64): i64 = let t = 2i64 + 3i64 in t' | pass simplify.fold   ⇒   entry f (x: i64): i64 = 5i64
//! ```

use std::io::Read;
use std::process::ExitCode;

use arrc_pipeline::named;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut form = String::new();
    let read = std::io::stdin().read_to_string(&mut form).map_err(|error| error.to_string());
    match read.and_then(|_| named::run(&words.join(" "), &form)) {
        Ok(done) => {
            print!("{}", done.text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            let names = named::names().collect::<Vec<_>>().join(", ");
            eprintln!("error: {error}\nusage: pass NAME [STRATEGY] < FORM\npasses: {names}");
            ExitCode::FAILURE
        }
    }
}
