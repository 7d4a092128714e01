//! Calls the entries of a library as standard input says, and prints the results. `arrc test --host` starts it for
//! processors on which the compiler itself does not run.
//!
//! Invariant: each line of input is answered by one line. Each call runs on one thread and on three, which must give
//! the same bits.
//!
//! ```text
//! sum\ti64\t[]i64 [1, 2, 3]   ⇒   ok\t6i64
//! ```
//!
//! usage: arr_host LIBRARY

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::path::Path;

use arr_runtime::host::{Library, Scalar, Session, SessionOptions, Value, ValueType};
use arr_runtime::text;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: arr_host LIBRARY")?;
    let library = Library::open(Path::new(&path)).map_err(|error| error.to_string())?;
    let sessions = [1, 3].map(|threads| {
        let pool = Some(arr_parallel::arr_parallel_for as _);
        Session::new(&library, &SessionOptions { threads, pool, grain: 1, ..Default::default() })
    });
    let [one, many] = sessions.map(|session| session.map_err(|error| error.to_string()));
    let sessions = [one?, many?];
    for line in io::stdin().lock().lines() {
        let line = line?;
        let [one, many] = [0, 1].map(|at| answer(&sessions[at], &line));
        let (one, many) = (one?, many?);
        if one != many {
            return Err(format!("one thread: {one}; three threads: {many}").into());
        }
        println!("{one}");
        io::stdout().flush()?;
    }
    Ok(())
}

/// Makes one call: `ok` with its results, or `error` with a message in which line breaks are escaped.
fn answer(session: &Session<'_>, line: &str) -> Result<String, Box<dyn Error>> {
    let mut fields = line.split('\t');
    let entry = fields.next().ok_or("an entry was expected")?;
    let outputs = fields.next().ok_or("the types of results were expected")?;
    let outputs = outputs.split_whitespace().map(value_type).collect::<Result<Vec<_>, _>>()?;
    let inputs = fields.map(value).collect::<Result<Vec<_>, _>>()?;
    Ok(match session.call(entry, &inputs, &outputs) {
        Ok(values) => {
            let values: String =
                values.iter().map(|value| format!("\t{}", text::print(value))).collect();
            format!("ok{values}")
        }
        Err(error) => {
            format!("error\t{}", error.message.replace('\\', "\\\\").replace('\n', "\\n"))
        }
    })
}

/// A type and a literal.
fn value(field: &str) -> Result<Value, Box<dyn Error>> {
    let (ty, literal) = field.split_once(' ').ok_or("a type and a literal were expected")?;
    text::literal(literal, value_type(ty)?)
        .map_err(|error| format!("{ty} {literal}: {}", error.problem).into())
}

/// `[][]f64`, for example.
fn value_type(text: &str) -> Result<ValueType, Box<dyn Error>> {
    let name = text.trim_start_matches("[]");
    let scalar = Scalar::from_name(name).ok_or_else(|| format!("`{text}` is no type"))?;
    Ok(match u32::try_from((text.len() - name.len()) / 2)? {
        0 => ValueType::Scalar(scalar),
        rank => ValueType::Array { scalar, rank },
    })
}
