//! A program of ordinary size; see `src/size.rs`.

use dynamo_model_benches::libraries::{Failure, Ours};
use dynamo_model_benches::size;

fn main() -> Result<(), Failure> {
    size::run::<Ours>()
}
