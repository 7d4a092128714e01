//! Figures as SVG and PNG: a frame with axes, pixels inside it, and lines over the pixels.
//!
//! Invariant: the frame, the pixels and the lines have the same layout, so a number is at the same place in all
//! three.

use std::ops::Range;
use std::sync::Once;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::figure::{Figure, Mark};
use super::pixels::{Raster, encode};

/// The width of a picture.
const WIDTH: u32 = 860;
/// The height, if the axes do not determine it.
const HEIGHT: u32 = 480;
/// The space around the axes: on the left, on the right, above and below.
const ROOM: [u32; 4] = [64, 20, 40, 36];
/// The maximum number of points that are drawn as circles.
const MAX_CIRCLES: usize = 1500;
/// In a raster of points, the number of pixels in each direction for one pixel of the picture.
const FINE: u32 = 2;
/// The colours of marks, in turn.
const COLORS: [RGBColor; 5] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
];

/// The text of an SVG file.
pub(super) fn svg(figure: &Figure) -> String {
    let size = size(figure);
    let text = |draw: &dyn Fn(Area<SVGBackend<'_>>)| {
        let mut text = String::new();
        draw(SVGBackend::with_string(&mut text, size).into_drawing_area());
        text
    };
    let frame = text(&|area| frame(figure, &area));
    let over = text(&|area| lines(figure, &area));
    // The lines without the outermost element.
    let over = over.split_once(">\n").map_or("", |(_, inside)| inside);
    let frame = frame.trim_end().trim_end_matches("</svg>");
    let [x, y, width, height] = inside(size);
    let images: String = rasters(figure, size)
        .iter()
        .map(|raster| {
            let data = BASE64_STANDARD.encode(raster.png());
            format!(
                "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
                 style=\"image-rendering:{}\" href=\"data:image/png;base64,{data}\"/>\n",
                if raster.width < width { "pixelated" } else { "auto" }
            )
        })
        .collect();
    format!("{frame}{images}{over}")
}

/// A PNG file.
pub(super) fn png(figure: &Figure) -> Vec<u8> {
    let size = size(figure);
    let mut pixels = vec![255; (size.0 * size.1 * 3) as usize];
    frame(figure, &BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area());
    for raster in rasters(figure, size) {
        blend(&raster, &mut pixels, size);
    }
    lines(figure, &BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area());
    encode(size.0, size.1, png::ColorType::Rgb, &pixels)
}

/// A place to draw on.
type Area<B> = DrawingArea<B, Shift>;
/// A place with axes.
type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Memory is the only place that pictures are drawn to.
const DRAWN: &str = "drawing in memory succeeds";

/// The size of the picture. If a step must have the same length on both axes, the axes determine the height.
fn size(figure: &Figure) -> (u32, u32) {
    let [left, right, top, bottom] = ROOM;
    if !figure.equal {
        return (WIDTH, HEIGHT);
    }
    let length = |range: &Range<f64>| (range.end - range.start).abs();
    let width = f64::from(WIDTH - left - right);
    let height = (width * length(&figure.y) / length(&figure.x)).clamp(60.0, 720.0);
    let width = height * length(&figure.x) / length(&figure.y);
    #[allow(
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "a picture is small"
    )]
    let [width, height] = [width.clamp(60.0, 2000.0), height].map(|size| size.round() as u32);
    (width + left + right, height + top + bottom)
}

/// The rectangle inside the axes: left, top, width, height.
fn inside((width, height): (u32, u32)) -> [u32; 4] {
    let [left, right, top, bottom] = ROOM;
    [left, top, width - left - right, height - top - bottom]
}

/// The axes' coordinates.
fn chart<'a, B: DrawingBackend>(figure: &Figure, area: &'a Area<B>) -> Chart<'a, B> {
    let [left, right, top, bottom] = ROOM;
    ChartBuilder::on(area)
        .margin_top(top)
        .margin_right(right)
        .x_label_area_size(bottom)
        .y_label_area_size(left)
        .build_cartesian_2d(figure.x.clone(), figure.y.clone())
        .expect(DRAWN)
}

/// The font of a picture's texts.
fn font(size: u32) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let font = dejavu::sans::regular();
        let registered = plotters::style::register_font("sans-serif", FontStyle::Normal, font);
        assert!(registered.is_ok(), "the font is a font");
    });
    ("sans-serif", size).into_font()
}

/// Draws the background, the axes with their numbers, and the title.
fn frame<B: DrawingBackend>(figure: &Figure, area: &Area<B>) {
    area.fill(&WHITE).expect(DRAWN);
    let title = font(18).color(&RGBColor(40, 40, 40));
    area.draw_text(&figure.title, &title, (i32_of(ROOM[0]), 12)).expect(DRAWN);
    let mut chart = chart(figure, area);
    let (line, text) = (RGBColor(225, 225, 225), font(13));
    let mesh = chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(line)
        .axis_style(RGBColor(120, 120, 120))
        .label_style(text.color(&RGBColor(70, 70, 70)))
        .x_labels(10)
        .y_labels(8)
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .draw();
    mesh.expect(DRAWN);
    area.present().expect(DRAWN);
}

/// A number beside an axis.
fn label(number: &f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{number:.2e}");
    }
    let text = format!("{number:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_string() } else { short.to_string() }
}

/// Draws all marks except those that are pixels.
fn lines<B: DrawingBackend>(figure: &Figure, area: &Area<B>) {
    let mut chart = chart(figure, area);
    for (mark, color) in figure.marks.iter().zip(COLORS.iter().cycle()) {
        match mark {
            Mark::Points(points) if points.len() <= MAX_CIRCLES => {
                let circle = |&point: &(f64, f64)| Circle::new(point, 3, color.filled());
                chart.draw_series(points.iter().map(circle)).map(drop)
            }
            Mark::Path(points) => {
                let path = LineSeries::new(points.iter().copied(), color.stroke_width(2));
                chart.draw_series(path).map(drop)
            }
            Mark::Bars(bars) => {
                let bar = |&(from, to, height): &(f64, f64, f64)| {
                    Rectangle::new([(from, 0.0), (to, height)], color.mix(0.8).filled())
                };
                chart.draw_series(bars.iter().map(bar)).map(drop)
            }
            Mark::Points(_) | Mark::Image(_) => Ok(()),
        }
        .expect(DRAWN);
    }
    area.present().expect(DRAWN);
}

/// The rasters of the other marks. Each raster covers the whole rectangle inside the axes.
fn rasters(figure: &Figure, size: (u32, u32)) -> Vec<Raster> {
    let marks = figure.marks.iter().zip(COLORS.iter().cycle());
    let raster = |(mark, color): (&Mark, &RGBColor)| match mark {
        Mark::Points(points) if points.len() > MAX_CIRCLES => {
            Some(dots(figure, points, *color, size))
        }
        Mark::Image(image) => Some(image.raster.clone()),
        Mark::Points(_) | Mark::Path(_) | Mark::Bars(_) => None,
    };
    marks.filter_map(raster).collect()
}

/// Points as pixels.
fn dots(figure: &Figure, points: &[(f64, f64)], color: RGBColor, size: (u32, u32)) -> Raster {
    let [_, _, width, height] = inside(size).map(|size| size * FINE);
    let mut raster = Raster::clear(width, height);
    let side = if points.len() > 20_000 { 2 } else { 4 };
    for &(x, y) in points {
        let part =
            |number: f64, range: &Range<f64>| (number - range.start) / (range.end - range.start);
        let (x, y) = (part(x, &figure.x), 1.0 - part(y, &figure.y));
        #[allow(clippy::cast_possible_truncation, reason = "a picture is small")]
        let place = |part: f64, size: u32| (part * f64::from(size)).floor() as i64;
        raster.dot((place(x, width), place(y, height)), side, [color.0, color.1, color.2, 215]);
    }
    raster
}

/// Draws a raster over the rectangle inside the axes.
fn blend(raster: &Raster, pixels: &mut [u8], size: (u32, u32)) {
    let [left, top, width, height] = inside(size);
    let (parts, steps) = (f64::from(FINE), 0..FINE);
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        let place = ((top + row) * size.0 + left + column) as usize * 3;
        let mut sum = [0.0; 4];
        for (down, right) in
            steps.clone().flat_map(|down| steps.clone().map(move |right| (down, right)))
        {
            let part = |at: u32, step: u32, size: u32| {
                (f64::from(at) + (f64::from(step) + 0.5) / parts) / f64::from(size)
            };
            let [r, g, b, a] = raster.at(part(column, right, width), part(row, down, height));
            let opacity = f64::from(a) / 255.0;
            [r, g, b]
                .iter()
                .zip(&mut sum)
                .for_each(|(&color, sum)| *sum += f64::from(color) * opacity);
            sum[3] += opacity;
        }
        let through = 1.0 - sum[3] / (parts * parts);
        for (pixel, sum) in pixels[place..place + 3].iter_mut().zip(sum) {
            let color = f64::from(*pixel) * through + sum / (parts * parts);
            #[allow(
                clippy::cast_sign_loss,
                clippy::cast_possible_truncation,
                reason = "it is a byte"
            )]
            (*pixel = color.round() as u8);
        }
    }
}

fn i32_of(size: u32) -> i32 {
    i32::try_from(size).expect("a picture is small")
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn numbers_beside_axes_are_short() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (20.0, "20"),
            (0.25, "0.25"),
            (2e7, "2.00e7"),
            (1e-4, "1.00e-4"),
        ];
        for (number, text) in cases {
            assert_eq!(label(&number), text);
        }
    }
}
