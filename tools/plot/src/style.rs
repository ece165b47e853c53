//! Colours and fonts of all pictures.

use plotters::style::RGBColor;

pub(crate) const BLUE: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
pub(crate) const ORANGE: RGBColor = RGBColor(0xd9, 0x5f, 0x02);
pub(crate) const GREEN: RGBColor = RGBColor(0x1b, 0x9e, 0x77);
pub(crate) const GREY: RGBColor = RGBColor(0x55, 0x55, 0x55);
pub(crate) const COLOURS: [RGBColor; 3] = [BLUE, ORANGE, GREEN];

pub(crate) const CAPTION: (&str, u32) = ("sans-serif", 17);
pub(crate) const NOTE: (&str, u32) = ("sans-serif", 15);
pub(crate) const LEGEND: (&str, u32) = ("sans-serif", 15);
