//! Colours, fonts and labels of all pictures.

use plotters::style::RGBColor;

pub(crate) const BLUE: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
pub(crate) const ORANGE: RGBColor = RGBColor(0xd9, 0x5f, 0x02);
pub(crate) const GREEN: RGBColor = RGBColor(0x1b, 0x9e, 0x77);
pub(crate) const PURPLE: RGBColor = RGBColor(0x75, 0x50, 0xb3);
pub(crate) const BROWN: RGBColor = RGBColor(0x8c, 0x56, 0x2b);
pub(crate) const RED: RGBColor = RGBColor(0xd6, 0x27, 0x50);
pub(crate) const GREY: RGBColor = RGBColor(0x55, 0x55, 0x55);
pub(crate) const SKY: RGBColor = RGBColor(0x2b, 0xb5, 0xd8);
pub(crate) const GOLD: RGBColor = RGBColor(0xd6, 0xa3, 0x00);
pub(crate) const LIME: RGBColor = RGBColor(0x74, 0xb8, 0x16);
pub(crate) const NAVY: RGBColor = RGBColor(0x1b, 0x2a, 0x6b);
pub(crate) const MAGENTA: RGBColor = RGBColor(0xb8, 0x00, 0xb0);
pub(crate) const BLACK: RGBColor = RGBColor(0x10, 0x10, 0x10);
pub(crate) const COLOURS: [RGBColor; 3] = [BLUE, ORANGE, GREEN];

/// A method has the same colour in every picture. The first entry with which a name begins counts;
/// what is in no entry is grey. examples/python/work_precision.py has the same table.
const METHODS: [(&str, RGBColor); 9] = [
    ("PCDM", BLUE),
    ("SPLITTING_4", GREEN),
    ("SPLITTING_6", BLACK),
    ("SPLITTING", SKY),
    ("FORCE_GRADIENT", NAVY),
    ("CF4", GOLD),
    ("qi_solve SPLITTING", RED),
    ("qi_solve", MAGENTA),
    ("drift", LIME),
];

pub(crate) fn of_method(name: &str) -> RGBColor {
    let found = METHODS.iter().find(|(method, _)| name.starts_with(method));
    found.map_or(GREY, |(_, colour)| *colour)
}

pub(crate) const CAPTION: (&str, u32) = ("sans-serif", 17);
pub(crate) const LEGEND: (&str, u32) = ("sans-serif", 15);

/// A power of ten with a superscript exponent.
pub(crate) fn power(x: &f64) -> String {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match x.log10().round() as i32 {
        0 => "1".into(),
        1 => "10".into(),
        exponent => {
            let sign = if exponent < 0 { "⁻" } else { "" };
            let mut digits = String::new();
            for digit in exponent.abs().to_string().bytes() {
                digits.push(SUPERSCRIPTS[usize::from(digit - b'0')]);
            }
            format!("10{sign}{digits}")
        }
    }
}
