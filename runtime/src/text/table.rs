//! Columns of tables: `.csv` files.

use std::io::Read;

use super::error::{ArgumentError, reason};
use super::literal::scalar;
use crate::host::{ArrayData, ArrayValue, Value, ValueType};

/// Reads one column of a `.csv` file with a headline, as an array of one dimension.
pub(super) fn read(
    content: impl Read,
    column: &str,
    ty: ValueType,
) -> Result<Value, ArgumentError> {
    let error = |problem: String| ArgumentError::new(problem);
    let ValueType::Array { scalar: ty, rank: 1 } = ty else {
        return Err(error(format!(
            "a column is an array of one dimension, not a value of type {ty}"
        )));
    };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(content);
    let headers = reader.headers().map_err(|cause| error(table_problem(&cause)))?.clone();
    if headers.is_empty() {
        return Err(error("it is empty; its first line should name the columns".to_string()));
    }
    let mut places = headers.iter().enumerate().filter(|(_, header)| *header == column);
    let place = match (places.next(), places.next()) {
        (Some((place, _)), None) => place,
        (Some((first, _)), Some((second, _))) => {
            return Err(error(format!(
                "its columns {} and {} are both called `{column}`; give one of them another name",
                first + 1,
                second + 1
            )));
        }
        (None, _) => {
            let names: Vec<_> = headers.iter().map(|header| format!("`{header}`")).collect();
            return Err(error(format!("it has no column `{column}`, only {}", names.join(", "))));
        }
    };
    let mut scalars = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|cause| error(table_problem(&cause)))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = record
            .get(place)
            .ok_or_else(|| error(format!("line {line} has no cell in column `{column}`")))?;
        scalars.push(
            scalar(cell, ty)
                .map_err(|problem| error(format!("line {line}, column `{column}`: {problem}")))?,
        );
    }
    let data = ArrayData::collect(ty, scalars).expect("each cell was read as this type");
    Ok(Value::Array(ArrayValue::vector(data)))
}

/// Why a file is no table.
fn table_problem(cause: &csv::Error) -> String {
    if let csv::ErrorKind::UnequalLengths { pos: Some(at), expected_len, len } = cause.kind() {
        return format!(
            "line {} has {len} cells, but the lines before it have {expected_len}",
            at.line()
        );
    }
    if let csv::ErrorKind::Utf8 { .. } = cause.kind() {
        return "it is not UTF-8 text".to_string();
    }
    if let csv::ErrorKind::Io(cause) = cause.kind() {
        return reason(cause);
    }
    format!("it is no table ({cause})")
}
