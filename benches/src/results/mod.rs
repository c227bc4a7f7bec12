//! The results page: measurements are stored as text, and page and plots are written from that.

mod about;
mod aims;
mod charts;
mod figures;
mod page;
mod svg;
mod tables;

pub use about::About;
pub use figures::Figures;

use std::fs;
use std::io;
use std::path::Path;

/// Where page, plots and figures are: `benches`.
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Reads the last measurement.
///
/// # Errors
///
/// If there is none, or it cannot be read.
pub fn load() -> io::Result<Figures> {
    let text = fs::read_to_string(Path::new(HERE).join("results/figures.txt"))?;
    Figures::parse(&text).ok_or_else(|| io::Error::other("results/figures.txt cannot be read"))
}

/// Writes figures, plots and page.
///
/// # Errors
///
/// If one of the files cannot be written.
pub fn write(figures: &Figures) -> io::Result<()> {
    let directory = Path::new(HERE).join("results");
    fs::create_dir_all(&directory)?;
    fs::write(directory.join("figures.txt"), figures.to_string())?;
    for (name, svg) in charts::all(figures) {
        fs::write(directory.join(name), svg)?;
    }
    fs::write(Path::new(HERE).join("RESULTS.md"), page::page(figures))
}
