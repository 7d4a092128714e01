//! The measurements as text and as JSON.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;

use arr_printable as printable;
use arrc_pipeline::explain::AllocationBound;
use arrc_syntax::json::{Value, json};

use super::Figures;
use super::cases::Case;

/// A case as a table. The ratios compare each line with the first one.
pub(super) fn text(case: &Case, demand: Option<&AllocationBound>, figures: &[Figures]) -> String {
    let title = format!("{} {}", case.entry, case.label);
    let most = demand.map(|demand| format!(": {}", demand.arrays()));
    let title = format!("{}{}", title.trim_end(), most.unwrap_or_default());
    let mut text = format!("{}\n", printable::line(&title));
    let base = figures[0].times.median();
    for figures in figures {
        let median = figures.times.median();
        let _ = writeln!(
            text,
            "  {:<10} {:>10} ±{:>3.0} %  {:>6.2}  {:>10} in {} array{}",
            figures.fusion.name(),
            time(median),
            figures.times.spread() * 100.0,
            median / base,
            size(figures.peak),
            figures.allocations,
            if figures.allocations == 1 { "" } else { "s" },
        );
    }
    text
}

/// All cases as JSON, for programs.
pub(super) fn json(
    path: &Path,
    rounds: NonZeroUsize,
    measured: &[(&Case, Option<AllocationBound>, Vec<Figures>)],
) -> String {
    let strategies = |figures: &[Figures]| -> Vec<Value> {
        let base = figures[0].times.median();
        let figure = |figures: &Figures| {
            let median = figures.times.median();
            json!({
                "strategy": figures.fusion.name(),
                "median_s": median,
                "spread": figures.times.spread(),
                "ratio": median / base,
                "peak_bytes": figures.peak,
                "allocations": figures.allocations,
            })
        };
        figures.iter().map(figure).collect()
    };
    let case = |(case, demand, figures): &(&Case, Option<AllocationBound>, Vec<Figures>)| {
        json!({
            "entry": case.entry,
            "input": case.label,
            "allocated": demand.as_ref().map(ToString::to_string),
            "strategies": strategies(figures),
        })
    };
    let cases: Vec<Value> = measured.iter().map(case).collect();
    let all = json!({"file": path.display().to_string(), "rounds": rounds.get(), "cases": cases});
    format!("{all:#}\n")
}

/// A time with three significant digits.
fn time(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = match number {
        n if n < 10.0 => 2,
        n if n < 100.0 => 1,
        _ => 0,
    };
    format!("{number:.digits$} {unit}")
}

/// A number of bytes.
#[allow(clippy::cast_precision_loss, reason = "one digit behind the point is shown")]
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_units() {
        let times = [3.2e-9, 4.56e-5, 0.123, 12.0].map(time);
        assert_eq!(times, ["3.20 ns", "45.6 µs", "123 ms", "12.0 s"]);
        assert_eq!([17, 2048, 3 << 20].map(size), ["17 B", "2.0 KiB", "3.0 MiB"]);
    }
}
