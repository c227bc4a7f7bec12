//! Measures release binaries: `size/modyne 7654321 1.02`, bytes and the ratio to the SDK's.

use dynamo_model_benches::size::measure;
use std::io;

fn main() -> io::Result<()> {
    let sizes = measure()?;
    let sdk = sizes[0].1;
    for (library, bytes) in sizes {
        #[allow(clippy::cast_precision_loss)]
        let ratio = bytes as f64 / sdk as f64;
        println!("size/{library} {bytes} {ratio:.3}");
    }
    Ok(())
}
