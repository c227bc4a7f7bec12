//! Measures the compile time of fifty entities: `check/declared/modyne 1.20 s`, and so on.

use dynamo_model_benches::compile::{ENTITIES, measure};
use std::io;

fn main() -> io::Result<()> {
    for cost in measure()? {
        let used = if cost.used { "used" } else { "declared" };
        let name = format!("{used}/{}", cost.library);
        for (command, seconds) in [("check", cost.check), ("build", cost.build)] {
            println!("{command}/{name} {:.2} s", seconds.wall);
            println!("{command}-processor/{name} {:.2} s", seconds.processor);
        }
        println!("lines/{name} {}", cost.lines / ENTITIES);
        for (pass, seconds) in cost.passes {
            println!("pass/{name}/{pass} {seconds:.2} s");
        }
    }
    Ok(())
}
