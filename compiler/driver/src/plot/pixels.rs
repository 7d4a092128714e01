//! Pictures of pixels: images, and sets of points that are too large for circles.
//!
//! Invariant: a raster has `width * height` pixels, each with red, green, blue and opacity.

use arr_runtime::host::{Scalar, View};
use plotters::style::colors::colormaps::ViridisRGB;

use super::PlotError;
use super::figure::numbers;

/// An image: its pixels are elements of an array.
pub(super) struct Image {
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) raster: Raster,
}

/// Pixels, row by row, from the top.
#[derive(Clone)]
pub(super) struct Raster {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pixels: Vec<[u8; 4]>,
}

/// The maximum number of pixels of a side. Of larger images, only some rows and columns are drawn.
const MAX_PIXELS: usize = 1600;

impl Image {
    /// An array [h][w] in the colours of its range, or [h][w][3] of red, green and blue.
    pub(super) fn new(value: &View<'_>) -> Result<Self, PlotError> {
        let sizes: Vec<usize> =
            value.shape().iter().filter_map(|&size| usize::try_from(size).ok()).collect();
        let (&[rows, columns] | &[rows, columns, _]) = &sizes[..] else {
            unreachable!("an image has two or three dimensions")
        };
        if rows == 0 || columns == 0 {
            return Err(PlotError::new(
                format!("an image of {rows} rows and {columns} columns has no pixels"),
                "draw an array with elements",
            ));
        }
        let colors = if sizes.len() == 3 { mixed(value) } else { shaded(value) };
        let [height, width] = [rows, columns].map(|size| size.min(MAX_PIXELS));
        let rows_shown = (0..height).map(|row| row * rows / height * columns);
        let pixels = rows_shown
            .flat_map(|row| (0..width).map(move |column| row + column * columns / width))
            .map(|place| colors[place])
            .collect();
        let [rows, columns] = [rows, columns].map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let [height, width] =
            [height, width].map(|size| u32::try_from(size).expect("at most 1600"));
        Ok(Self { columns, rows, raster: Raster { width, height, pixels } })
    }
}

/// A colour for each number, by its place between the least and the greatest number. A number that is not finite has
/// no colour.
fn shaded(value: &View<'_>) -> Vec<[u8; 4]> {
    let numbers = numbers(value);
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let (least, most) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    let color = |&number: &f64| {
        if !number.is_finite() {
            return [0; 4];
        }
        let place = if most > least { (number - least) / (most - least) } else { 0.5 };
        let color = ViridisRGB::get_color(place);
        [color.0, color.1, color.2, 255]
    };
    numbers.iter().map(color).collect()
}

/// The colours that an array has: floats from 0 to 1, integers from 0 to 255.
fn mixed(value: &View<'_>) -> Vec<[u8; 4]> {
    let most = match value.elements().ty() {
        Scalar::F32 | Scalar::F64 | Scalar::Bool => 255.0,
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64 => 1.0,
    };
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "casts saturate")]
    let byte = |number: f64| (number * most).round() as u8;
    let numbers = numbers(value);
    numbers.as_chunks::<3>().0.iter().map(|&[r, g, b]| [byte(r), byte(g), byte(b), 255]).collect()
}

impl Raster {
    /// Transparent pixels.
    pub(super) fn clear(width: u32, height: u32) -> Self {
        let count = usize::try_from(u64::from(width) * u64::from(height));
        Self { width, height, pixels: vec![[0; 4]; count.expect("a raster has a picture's size")] }
    }

    /// Fills a square around a place.
    pub(super) fn dot(&mut self, (x, y): (i64, i64), side: i64, color: [u8; 4]) {
        let inside = |from: i64, size: u32| {
            let from = from - side / 2;
            (from.max(0)..(from + side).min(i64::from(size)))
                .filter_map(|at| usize::try_from(at).ok())
        };
        let width = usize::try_from(self.width).expect("a picture's width");
        for row in inside(y, self.height) {
            for column in inside(x, self.width) {
                self.pixels[row * width + column] = color;
            }
        }
    }

    /// The pixel that is shown at a part of the width and the height, from 0 to 1.
    pub(super) fn at(&self, x: f64, y: f64) -> [u8; 4] {
        #[allow(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "casts saturate"
        )]
        let place =
            |part: f64, size: u32| ((part * f64::from(size)) as usize).min(size as usize - 1);
        self.pixels[place(y, self.height) * self.width as usize + place(x, self.width)]
    }

    /// The pixels as a PNG file.
    pub(super) fn png(&self) -> Vec<u8> {
        encode(self.width, self.height, png::ColorType::Rgba, self.pixels.as_flattened())
    }
}

/// A PNG file.
pub(super) fn encode(width: u32, height: u32, color: png::ColorType, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(data));
    written.expect("a picture of that size is written to memory");
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use arr_runtime::host::{ArrayData, ArrayValue, Value};

    fn image(shape: &[i64], data: ArrayData) -> Result<Image, PlotError> {
        let array = ArrayValue::new(shape.to_vec(), data).expect("as many as the shape says");
        Image::new(&View::from(&Value::Array(array)))
    }

    #[test]
    fn colors_are_those_of_the_array() {
        let floats = vec![0.0, 0.5, 1.0, 2.0, -1.0, 1.0].into();
        let found = image(&[1, 2, 3], ArrayData::F64(floats)).expect("it has pixels");
        assert_eq!(found.raster.pixels, [[0, 128, 255, 255], [255, 0, 255, 255]]);
        let bytes = vec![7, 8, 9].into();
        let found = image(&[1, 1, 3], ArrayData::U8(bytes)).expect("it has pixels");
        assert_eq!(found.raster.pixels, [[7, 8, 9, 255]]);
    }

    #[test]
    fn large_images_are_bounded() {
        let ramp: Vec<u8> = (0..5000).map(|at| u8::from(at >= 2500)).collect();
        let found = image(&[1, 5000], ArrayData::U8(ramp.into())).expect("it has pixels");
        let Raster { width, height, pixels } = found.raster;
        assert_eq!((width, height, pixels.len()), (1600, 1, 1600));
        assert!(
            pixels[0] == pixels[799] && pixels[800] == pixels[1599] && pixels[0] != pixels[800]
        );
        assert!(image(&[0, 3], ArrayData::U8(Vec::new().into())).is_err());
    }
}
