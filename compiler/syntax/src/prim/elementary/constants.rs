//! Constants of the float formats, and polynomials with as many coefficients as each format needs.
//!
//! Invariant: the parts of a constant have so few digits that their products with the integers of the functions are
//! exact. Polynomials have the least relative error on their interval, by Remez' algorithm in multiple precision.
//!
//! ```text
//! ln 2 = LN2_PARTS[0] + LN2_PARTS[1]     k * LN2_PARTS[0] is exact for each exponent k
//! ```

use super::machine::{Bits, Float, Table};

/// A float format.
pub(super) trait Format: Float {
    /// 1.
    const ONE: Self;
    /// ½.
    const HALF: Self;
    /// 2.
    const TWO: Self;
    /// 0.
    const ZERO: Self;
    /// Infinity.
    const INFINITY: Self;
    /// Negative infinity.
    const LOWEST: Self;
    /// Not a number.
    const NAN: Self;
    /// The least number that is not subnormal.
    const LEAST_NORMAL: Self;
    /// The sum of this number and another one has the nearest integer in its lowest bits, if that number's magnitude
    /// is below 2 to the power of [`Format::PLACES`] - 1.
    const INTEGERS: Self;
    /// The number of binary digits behind the point.
    const PLACES: Self::Bits;
    /// The exponent bits of 1.
    const BIAS: Self::Bits;
    /// The mask of the digits behind the point.
    const FRACTION: Self::Bits;
    /// The mask of the sign.
    const SIGN: Self::Bits;
    /// The distance of a shift from the second lowest bit to the sign.
    const SIGN_OF_TWO: Self::Bits;
    /// 1, as bits.
    const ONE_BITS: Self::Bits;
    /// The square root of ½, as bits.
    const ROOT_BITS: Self::Bits;
    /// 2 to the power of [`Format::PLACES`], as bits. With a small integer in the lowest bits, they are the sum of
    /// this number and the integer.
    const EXPONENTS: Self::Bits;
    /// The sum of that number and [`Format::BIAS`].
    const EXPONENTS_AT: Self;
    /// A power of 2 that makes all subnormal numbers normal.
    const ABOVE_SUBNORMAL: Self;
    /// The exponent of [`Format::ABOVE_SUBNORMAL`].
    const ABOVE_SUBNORMAL_EXPONENT: Self;
    /// The mask of the sign, the exponent, and the upper half of the digits.
    const UPPER_DIGITS: Self::Bits;

    /// 1 / ln 2.
    const LOG2_E: Self;
    /// 1 / ln 2 in two parts.
    const LOG2_E_PARTS: [Self; 2];
    /// ln 2.
    const LN2: Self;
    /// ln 2 in two parts.
    const LN2_PARTS: [Self; 2];

    /// eˣ is 0 for x below the first number, and infinite for x above the second.
    const EXP_RANGE: [Self; 2];
    /// (eʳ - 1 - r) / r².
    const EXP: &[Self];
    /// 2ˣ is 0 for x below the first number, and infinite for x above the second.
    const EXP2_RANGE: [Self; 2];
    /// (2ʳ - 1 - r ln 2) / r².
    const EXP2: &[Self];
    /// With s² for w: (log((1 + s) / (1 - s)) / s - 2) / w.
    const LOG: &[Self];
    /// With r² for w: (sin(r) / r - 1) / w.
    const SIN: &[Self];
    /// With r² for w: (cos(r) - 1 + w / 2) / w².
    const COS: &[Self];

    /// A small number as bits.
    fn bits_of(value: u8) -> Self::Bits {
        Self::Bits::small(value)
    }
}

impl Format for f32 {
    const ONE: Self = 1.0;
    const HALF: Self = 0.5;
    const TWO: Self = 2.0;
    const ZERO: Self = 0.0;
    const INFINITY: Self = Self::INFINITY;
    const LOWEST: Self = Self::NEG_INFINITY;
    const NAN: Self = Self::NAN;
    const LEAST_NORMAL: Self = Self::MIN_POSITIVE;
    const INTEGERS: Self = 12_582_912.0;
    const PLACES: u32 = 23;
    const BIAS: u32 = 127;
    const FRACTION: u32 = 0x007f_ffff;
    const SIGN: u32 = 0x8000_0000;
    const SIGN_OF_TWO: u32 = 30;
    const ONE_BITS: u32 = 0x3f80_0000;
    const ROOT_BITS: u32 = 0x3f35_04f3;
    const EXPONENTS: u32 = 0x4b00_0000;
    const EXPONENTS_AT: Self = 8_388_608.0 + 127.0;
    const ABOVE_SUBNORMAL: Self = 33_554_432.0;
    const ABOVE_SUBNORMAL_EXPONENT: Self = 25.0;
    const UPPER_DIGITS: u32 = 0xffff_f000;

    const LOG2_E: Self = std::f32::consts::LOG2_E;
    const LOG2_E_PARTS: [Self; 2] = [1.442_382_8, 0.000_312_228_37];
    const LN2: Self = std::f32::consts::LN_2;
    const LN2_PARTS: [Self; 2] = [0.693_145_75, 1.428_606_8e-6];

    const EXP_RANGE: [Self; 2] = [-104.0, 89.0];
    const EXP: &[Self] = &[0.5, 0.166_665_18, 0.041_666_206, 0.008_368_889, 0.001_395_050_4];
    const EXP2_RANGE: [Self; 2] = [-151.0, 129.0];
    const EXP2: &[Self] =
        &[0.240_226_5, 0.055_503_618, 0.009_618_022, 0.001_339_044, 0.000_154_718_55];
    const LOG: &[Self] = &[0.666_667_76, 0.399_772_85, 0.298_791_68];
    const SIN: &[Self] = &[-0.166_666_55, 0.008_332_178, -0.000_195_172_35];
    const COS: &[Self] = &[0.041_666_646, -0.001_388_736_7, 2.443_838e-5];
}

impl Format for f64 {
    const ONE: Self = 1.0;
    const HALF: Self = 0.5;
    const TWO: Self = 2.0;
    const ZERO: Self = 0.0;
    const INFINITY: Self = Self::INFINITY;
    const LOWEST: Self = Self::NEG_INFINITY;
    const NAN: Self = Self::NAN;
    const LEAST_NORMAL: Self = Self::MIN_POSITIVE;
    const INTEGERS: Self = 6_755_399_441_055_744.0;
    const PLACES: u64 = 52;
    const BIAS: u64 = 1023;
    const FRACTION: u64 = 0x000f_ffff_ffff_ffff;
    const SIGN: u64 = 0x8000_0000_0000_0000;
    const SIGN_OF_TWO: u64 = 62;
    const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;
    const ROOT_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
    const EXPONENTS: u64 = 0x4330_0000_0000_0000;
    const EXPONENTS_AT: Self = 4_503_599_627_370_496.0 + 1023.0;
    const ABOVE_SUBNORMAL: Self = 18_014_398_509_481_984.0;
    const ABOVE_SUBNORMAL_EXPONENT: Self = 54.0;
    const UPPER_DIGITS: u64 = 0xffff_ffff_0000_0000;

    const LOG2_E: Self = std::f64::consts::LOG2_E;
    const LOG2_E_PARTS: [Self; 2] = [1.442_695_040_721_446_3, 1.675_171_316_488_651_2e-10];
    const LN2: Self = std::f64::consts::LN_2;
    const LN2_PARTS: [Self; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

    const EXP_RANGE: [Self; 2] = [-746.0, 710.0];
    const EXP: &[Self] = &[
        0.500_000_000_000_001_2,
        0.166_666_666_666_667,
        0.041_666_666_666_515_445,
        0.008_333_333_333_307_092,
        0.001_388_888_894_701_021_4,
        0.000_198_412_699_176_059_95,
        2.480_148_994_750_893_4e-5,
        2.755_721_612_291_344e-6,
        2.763_127_863_905_071_4e-7,
        2.511_791_106_409_962e-8,
    ];
    const EXP2_RANGE: [Self; 2] = [-1076.0, 1025.0];
    const EXP2: &[Self] = &[
        0.240_226_506_959_101_33,
        0.055_504_108_664_821_69,
        0.009_618_129_107_593_592,
        0.001_333_355_814_638_648_5,
        0.000_154_035_304_578_104_64,
        1.525_273_386_271_420_8e-5,
        1.321_543_493_174_059_8e-6,
        1.017_804_794_181_671_9e-7,
        7.073_842_843_840_742_6e-9,
        4.457_213_198_755_102e-10,
    ];
    const LOG: &[Self] = &[
        0.666_666_666_666_673_7,
        0.399_999_999_993_946_36,
        0.285_714_287_472_676_96,
        0.222_221_980_323_128_,
        0.181_835_943_852_491_77,
        0.153_132_344_408_628_6,
        0.148_045_625_439_313_93,
    ];
    const SIN: &[Self] = &[
        -0.166_666_666_666_666_32,
        0.008_333_333_333_322_413,
        -0.000_198_412_698_298_077_86,
        2.755_731_369_191_819e-6,
        -2.505_075_811_606_095_3e-8,
        1.589_679_573_234_330_5e-10,
    ];
    const COS: &[Self] = &[
        0.041_666_666_666_666_6,
        -0.001_388_888_888_887_412_5,
        2.480_158_728_948_24e-5,
        -2.755_731_435_238_824_6e-7,
        2.087_572_328_010_722_3e-9,
        -1.135_964_813_596_091_8e-11,
    ];
}

/// 2 / π.
pub(super) const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// π / 2 in two parts, for functions of `f32`.
pub(super) const QUARTER_TURN_2: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
/// π / 2 in four parts.
pub(super) const QUARTER_TURN_4: [f64; 4] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_711_166_5e-21,
    8.478_427_660_368_9e-32,
];
/// π / 2 for a factor with as many digits as a float: the nearest float in two parts, and its error.
pub(super) const QUARTER_TURN_3: [f64; 3] =
    [1.570_796_310_901_641_8, 1.589_325_471_229_585_7e-8, 6.123_233_995_736_766e-17];

/// The digits of 2 / π behind the point, after 64 zeros.
pub(super) static TWO_OVER_PI_DIGITS: Table = Table {
    name: "two_over_pi",
    entries: &[
        0,
        0xa2f9_836e_4e44_1529,
        0xfc27_57d1_f534_ddc0,
        0xdb62_9599_3c43_9041,
        0xfe51_63ab_debb_c561,
        0xb724_6e3a_424d_d2e0,
        0x0649_2eea_09d1_921c,
        0xfe1d_eb1c_b129_a73e,
        0xe882_35f5_2ebb_4484,
        0xe99c_7026_b45f_7e41,
        0x3991_d639_8353_39f4,
        0x9c84_5f8b_bdf9_283b,
        0x1ff8_97ff_de05_980f,
        0xef2f_118b_5a0a_6d1f,
        0x6d36_7ecf_27cb_09b7,
        0x4f46_3f66_9e5f_ea2d,
        0x7527_bac7_ebe5_f17b,
        0x3d07_39f7_8a52_92ea,
        0x6bfb_5fb1_1f8d_5d08,
        0x5603_3046_fc7b_6bab,
    ],
};

/// With s² for w: log2((1 + s) / (1 - s)) / s. It has the digits that a power of an `f32` needs.
pub(super) const LOG2_OF_F32: &[f64] = &[
    2.885_390_081_790_487,
    0.961_796_672_815_738_3,
    0.577_083_689_543_339,
    0.411_666_212_246_304_6,
    0.340_854_516_682_454_5,
];
/// (2ʳ - 1) / r, with the digits that a power of an `f32` needs.
pub(super) const EXP2_OF_F32: &[f64] = &[
    0.693_147_206_249_706_8,
    0.240_226_513_465_859_88,
    0.055_503_277_866_671_53,
    0.009_618_003_800_320_967,
    0.001_340_027_176_792_365_8,
    0.000_154_763_255_051_039_08,
];

/// With x² for w: (tanh(x) / x - 1) / w, below 0.55.
pub(super) const TANH_OF_F32: &[f32] =
    &[-0.333_333_2, 0.133_326, -0.053_853_747, 0.021_077_257, -0.006_281_715];
/// (1 - tanh(x) / x) / w for `f64`, as a fraction from the continued fraction tanh x = x / (1 + w / (3 + w / (5 +
/// …))): the numerator.
pub(super) const TANH_ABOVE: &[f64] = &[675_675.0, 45_045.0, 594.0, 1.0];
/// The denominator of that fraction.
pub(super) const TANH_BELOW: &[f64] = &[2_027_025.0, 945_945.0, 51_975.0, 630.0, 1.0];
