//! Measures the release binary of one program for each library: the tasks of [`Library`] over a
//! real client.

use crate::entities::{Booking, Order};
use crate::libraries::{Failure, Library};
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Region};
use std::env;
use std::io;
use std::path::Path;
use std::process::Command;

/// The programs, in `examples/`, and the names of their libraries.
pub const PROGRAMS: [(&str, &str); 4] = [
    ("size_sdk", crate::RAW),
    ("size_ours", crate::OURS),
    ("size_modyne", "modyne"),
    ("size_facade", "dynamodb-facade"),
];

/// The program: each task once, on the engine whose URL is the first argument.
///
/// # Errors
///
/// If the engine cannot be reached or refuses a request.
pub fn run<L: Library>() -> Result<(), Failure> {
    let url = env::args().nth(1).ok_or("give the URL of an engine")?;
    let http = aws_smithy_http_client::Builder::new().build_http();
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(Credentials::new("bench", "bench", None, None, "bench"))
        .region(Region::new("us-east-1"))
        .endpoint_url(url)
        .http_client(http)
        .build();
    let library = L::over(Client::from_conf(config));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(tasks(&library))
}

async fn tasks<L: Library>(library: &L) -> Result<(), Failure> {
    let orders = Order::samples(10);
    let booking = Booking::sample(0);
    library.put_order(&orders[0]).await?;
    library.get(&orders[0]).await?;
    library.update(&orders[0]).await?;
    library.batch(&orders).await?;
    library.transaction(&orders[..5], &orders[5..]).await?;
    library.orders(Order::CUSTOMER).await?;
    library.put_booking(&booking).await?;
    library.bookings(booking.user_id).await?;
    Ok(())
}

/// Builds the programs and returns the bytes of each, without symbols.
///
/// # Errors
///
/// If a program does not compile.
pub fn measure() -> io::Result<Vec<(&'static str, u64)>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    for (program, _) in PROGRAMS {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(root)
            .args(["rustc", "--release", "--quiet"]);
        cargo.args(["-p", "dynamo-model-benches", "--example", program]);
        // Only the program is linked again, not the libraries compiled.
        if !cargo.args(["--", "-Cstrip=symbols"]).status()?.success() {
            return Err(io::Error::other(format!("{program} does not compile")));
        }
    }
    let size = |(program, library)| {
        let file = target.join("release/examples").join(program);
        Ok((library, file.metadata()?.len()))
    };
    PROGRAMS.into_iter().map(size).collect()
}
