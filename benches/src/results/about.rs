//! The date and the versions of a measurement.

use jiff::Timestamp;
use std::process::Command;
use std::thread;

/// The date and the versions of a measurement.
#[derive(Debug, Clone, Default)]
pub struct About(pub Vec<(String, String)>);

/// The packages whose versions matter.
const PACKAGES: [&str; 5] = [
    "dynamo-model",
    "aws-sdk-dynamodb",
    "serde_dynamo",
    "modyne",
    "dynamodb-facade",
];

impl About {
    /// Returns the current date and the compiled versions.
    #[must_use]
    pub fn now() -> Self {
        let mut about = vec![
            (
                "date".into(),
                Timestamp::now().strftime("%Y-%m-%d").to_string(),
            ),
            ("rustc".into(), first_line("rustc", &["--version"])),
            ("valgrind".into(), first_line("valgrind", &["--version"])),
            (
                "commit".into(),
                first_line("git", &["rev-parse", "--short", "HEAD"]),
            ),
            (
                "cores".into(),
                thread::available_parallelism()
                    .map_or(0, usize::from)
                    .to_string(),
            ),
        ];
        let lock = include_str!("../../../Cargo.lock");
        about.extend(PACKAGES.map(|name| (name.into(), version(lock, name))));
        Self(about)
    }

    /// Returns one of them.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        let mut about = self.0.iter();
        about
            .find(|(known, _)| known == name)
            .map_or("unknown", |(_, value)| value)
    }
}

fn version(lock: &str, package: &str) -> String {
    let start = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split_once(&start).map(|(_, rest)| rest);
    let version = version.and_then(|rest| rest.split('"').next());
    version.unwrap_or("unknown").into()
}

fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output).into_owned();
    text.lines().next().unwrap_or("unknown").into()
}
