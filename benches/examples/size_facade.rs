//! A program of ordinary size; see `src/size.rs`.

use dynamo_model_benches::libraries::{Facade, Failure};
use dynamo_model_benches::size;

fn main() -> Result<(), Failure> {
    size::run::<Facade>()
}
