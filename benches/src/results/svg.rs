//! Bars, as SVG.

use std::fmt::Write;

/// A colour for each name that has bars.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) colour: &'static str,
}

/// A group of bars, in the order of the series; `None` for a contender without a value.
pub(super) struct Group {
    pub(super) label: String,
    /// Beside each bar, its text.
    pub(super) bars: Vec<Option<(f64, String)>>,
}

/// Groups of horizontal bars.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) series: Vec<Series>,
    pub(super) groups: Vec<Group>,
    /// A line at this value.
    pub(super) mark: Option<f64>,
    /// In a stacked chart, the bars of a group are one.
    pub(super) stacked: bool,
}

const WIDTH: f64 = 880.0;
/// The positions where bars begin and the longest one ends.
const LEFT: f64 = 210.0;
const RIGHT: f64 = 760.0;
const TOP: f64 = 92.0;
const BAR: f64 = 13.0;
const GAP: f64 = 12.0;

impl Chart {
    pub(super) fn svg(&self) -> String {
        let (mut body, mut line) = (String::new(), String::new());
        let mut y = TOP;
        for group in &self.groups {
            y = self.group(&mut body, group, y) + GAP;
        }
        self.mark(&mut line, y);
        let height = y + 8.0;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1f2937\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        let _ = writeln!(
            text,
            "<text x=\"16\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{}</text>",
            escaped(&self.title)
        );
        let _ = writeln!(
            text,
            "<text x=\"16\" y=\"48\" fill=\"#6b7280\">{}</text>",
            escaped(&self.subtitle)
        );
        self.legend(&mut text);
        // The line is behind the bars and their figures.
        text + &line + &body + "</svg>\n"
    }

    fn legend(&self, text: &mut String) {
        let mut x = 16.0;
        for series in &self.series {
            let name = escaped(&series.name);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"62\" width=\"12\" height=\"12\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"72\">{name}</text>",
                series.colour,
                x + 17.0
            );
            x += 34.0 + 6.6 * series.name.len() as f64;
        }
    }

    /// Draws a group below `y`; where it ends.
    fn group(&self, text: &mut String, group: &Group, y: f64) -> f64 {
        let rows = if self.stacked {
            1
        } else {
            group.bars.iter().flatten().count()
        };
        let height = BAR * rows as f64;
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            y + height / 2.0 + 4.0,
            escaped(&group.label)
        );
        let (mut x, mut top) = (LEFT, y);
        let mut label = String::new();
        for (series, bar) in self.series.iter().zip(&group.bars) {
            let Some((value, shown)) = bar else { continue };
            let width = (value.max(0.0) * self.scale()).max(0.5);
            let _ = writeln!(
                text,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" \
                 fill=\"{}\"/>",
                BAR - 1.5,
                series.colour
            );
            label.clone_from(shown);
            if self.stacked {
                x += width;
            } else {
                note(text, x + width, top, shown);
                top += BAR;
            }
        }
        if self.stacked {
            note(text, x, y, &label);
        }
        y + height
    }

    fn mark(&self, text: &mut String, bottom: f64) {
        let Some(mark) = self.mark else { return };
        let x = LEFT + mark * self.scale();
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{:.1}\" stroke=\"#9ca3af\" \
             stroke-dasharray=\"4 3\"/>",
            TOP - 6.0,
            bottom - GAP + 4.0
        );
    }

    /// Units of the picture for one of the values.
    fn scale(&self) -> f64 {
        let lengths = self.groups.iter().map(|group| {
            let values = group.bars.iter().flatten().map(|(value, _)| value.max(0.0));
            if self.stacked {
                values.sum()
            } else {
                values.fold(0.0, f64::max)
            }
        });
        let longest = lengths.fold(self.mark.unwrap_or(0.0), f64::max);
        (RIGHT - LEFT) / longest.max(f64::MIN_POSITIVE)
    }
}

fn note(text: &mut String, x: f64, y: f64, shown: &str) {
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10.5\" fill=\"#374151\">{}</text>",
        x + 5.0,
        y + BAR - 3.5,
        escaped(shown)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
