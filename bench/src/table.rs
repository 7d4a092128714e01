//! The figures as a table, as JSON, and as a chart.

use std::fmt::Write as _;

use arrc_syntax::json::{Value, json};
use svg::Document;
use svg::node::element::{Line, Rectangle, Text};

/// What was measured of one kernel at one size.
pub(crate) struct Row {
    /// The entry's name.
    pub(crate) kernel: &'static str,
    /// The percentage of elements that its filter keeps.
    pub(crate) keep: Option<u32>,
    /// The size that was asked for.
    pub(crate) asked: usize,
    /// The steps of its loop, or the elements of its inputs: `asked`, or the largest size of the kernel if that is
    /// less.
    pub(crate) size: usize,
    /// Nanoseconds a step of the baseline.
    pub(crate) base: f64,
    /// The other ways: name, ratio to the baseline's median, and spread.
    pub(crate) ratios: Vec<(String, f64, f64)>,
}

impl Row {
    /// The kernel and what its filter keeps.
    fn label(&self) -> String {
        match self.keep {
            Some(keep) => format!("{} {keep} %", self.kernel),
            None => self.kernel.to_owned(),
        }
    }

    /// The row as a line of the table, whose columns are the ways with these names.
    pub(crate) fn line(&self, names: &[String]) -> String {
        let mut line = format!("| {} | {} | {:.2} |", self.label(), self.size, self.base);
        for (place, name) in names.iter().enumerate() {
            let _ = match (place, self.ratios.iter().find(|(way, ..)| way == name)) {
                (_, None) => write!(line, " |"),
                (0, Some((_, ratio, spread))) => {
                    write!(line, " **{ratio:.2}** ± {:.0} % |", spread * 100.0)
                }
                (_, Some((_, ratio, _))) => write!(line, " {ratio:.2} |"),
            };
        }
        line
    }
}

/// The head of the table, for the names of the ways.
pub(crate) fn head(names: &[String]) -> String {
    let mut head = String::from("| kernel | steps | C, ns a step |");
    let mut rule = String::from("| --- | ---: | ---: |");
    for name in names {
        let _ = write!(head, " {name} |");
        rule.push_str(" ---: |");
    }
    format!("{head}\n{rule}")
}

/// All figures, for programs.
pub(crate) fn as_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let ways: Vec<Value> = row
            .ratios
            .iter()
            .map(|(name, ratio, spread)| json!({"name": name, "ratio": ratio, "spread": spread}))
            .collect();
        json!({
            "kernel": row.kernel,
            "keep_percent": row.keep,
            "steps": row.size,
            "c_ns_per_step": row.base,
            "ratios_to_c": ways,
        })
    };
    json!({"rows": rows.iter().map(row).collect::<Vec<_>>()})
}

/// Height of a row of the chart, in pixels.
const STEP: f64 = 18.0;
/// Where the bars begin.
const LEFT: f64 = 190.0;
/// The length of a bar of ratio 1.
const UNIT: f64 = 240.0;
/// Longer bars are cut there.
const LONGEST: f64 = 1.6;

/// The first ratio of each row as a bar. A bar that ends before the line is faster than C.
pub(crate) fn chart(rows: &[&Row], title: &str) -> String {
    #[allow(clippy::cast_precision_loss, reason = "a few dozen rows")]
    let top = |place: usize| 40.0 + STEP * place as f64;
    let (width, height) = (LEFT + LONGEST * UNIT + 60.0, top(rows.len()) + 10.0);
    let mut chart = Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#ffffff"))
        .add(Text::new(title).set("x", 8).set("y", 20).set("font-size", 14));
    for (place, row) in rows.iter().enumerate() {
        let Some(&(_, ratio, _)) = row.ratios.first() else { continue };
        let (y, length) = (top(place), ratio.min(LONGEST) * UNIT);
        let colour = if ratio <= 1.05 { "#2f7d5b" } else { "#b5542d" };
        let bar = Rectangle::new()
            .set("x", LEFT)
            .set("y", y)
            .set("width", length)
            .set("height", STEP - 5.0)
            .set("fill", colour);
        let end = Text::new(format!("{ratio:.2}")).set("x", LEFT + length + 4.0);
        let name = Text::new(row.label()).set("x", LEFT - 6.0).set("text-anchor", "end");
        let base = y + STEP - 8.0;
        chart = chart.add(bar).add(end.set("y", base)).add(name.set("y", base));
    }
    let line = Line::new()
        .set("x1", LEFT + UNIT)
        .set("x2", LEFT + UNIT)
        .set("y1", 32)
        .set("y2", height - 8.0)
        .set("stroke", "#333333");
    chart.add(line).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let ratios = vec![("ilp".to_owned(), 0.25, 0.02), ("none".to_owned(), 2.5, 0.1)];
        Row {
            kernel: "filter_sum_i32",
            keep: Some(50),
            asked: 32_768,
            size: 32_768,
            base: 1.5,
            ratios,
        }
    }

    #[test]
    fn a_row_is_a_line() {
        let names = ["ilp", "C, 2 threads", "none"].map(str::to_owned);
        let line = row().line(&names);
        assert_eq!(line, "| filter_sum_i32 50 % | 32768 | 1.50 | **0.25** ± 2 % | | 2.50 |");
        assert_eq!(
            head(&names[..2]),
            "| kernel | steps | C, ns a step | ilp | C, 2 threads |\n| --- | ---: | ---: | ---: | ---: |"
        );
    }

    #[test]
    fn charts_and_json_have_every_row() {
        let rows = [row(), row()];
        let chart = chart(&[&rows[0], &rows[1]], "Ratios");
        assert_eq!(chart.matches("filter_sum_i32 50 %").count(), 2);
        assert!(chart.contains("width=\"60\""), "a quarter of the unit: {chart}");
        assert_eq!(as_json(&rows)["rows"][1]["ratios_to_c"][0]["ratio"], 0.25);
    }
}
