//! Compiling them. Each program is an example of one package, so that all are compiled against the
//! same dependencies, with the same features.

use super::Seconds;
use super::crates::{self, LIBRARIES};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How often each is compiled, unless that takes too long together; then it is less often.
const TIMES: usize = 3;
const TOO_LONG: Duration = Duration::from_secs(60);

/// Where the repository is.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The generated package.
pub(super) struct Package {
    pub(super) directory: PathBuf,
}

impl Package {
    /// Writes the package and compiles its dependencies.
    pub(super) fn generate() -> io::Result<Self> {
        let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = target.unwrap_or_else(|| Path::new(ROOT).join("target"));
        let package = Self {
            directory: target.join("compile-time"),
        };
        fs::create_dir_all(package.directory.join("src"))?;
        fs::create_dir_all(package.directory.join("examples"))?;
        fs::write(package.directory.join("src/lib.rs"), "")?;
        write_if_other(&package.directory.join("Cargo.toml"), &manifest()?)?;
        // The versions of all other measurements.
        let lock = Path::new(ROOT).join("Cargo.lock");
        fs::copy(lock, package.directory.join("Cargo.lock"))?;
        for library in LIBRARIES {
            for used in [false, true] {
                let program = crates::program(library.name, used);
                write_if_other(&package.source(&program), &library.text(used))?;
            }
        }
        for command in ["check", "build"] {
            run(package
                .cargo(command)
                .args(["--quiet", "--example", "serde-used"]))?;
        }
        Ok(package)
    }

    fn source(&self, program: &str) -> PathBuf {
        self.directory.join(format!("examples/{program}.rs"))
    }

    /// Not incremental: the time of a clean build, or one in CI, for the program itself.
    pub(super) fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.directory)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", self.directory.join("target"))
            .arg(command);
        cargo
    }

    /// Returns the medians of several times, cargo's own included.
    pub(super) fn seconds(&self, command: &str, program: &str) -> io::Result<Seconds> {
        let (mut wall, mut processor) = (Vec::new(), Vec::new());
        let begin = Instant::now();
        while wall.is_empty() || wall.len() < TIMES && begin.elapsed() < TOO_LONG {
            self.touch(program)?;
            let (start, before) = (Instant::now(), processor_seconds());
            run(self.cargo(command).args(["--quiet", "--example", program]))?;
            wall.push(start.elapsed().as_secs_f64());
            processor.push(processor_seconds() - before);
        }
        Ok(Seconds {
            wall: median(wall),
            processor: median(processor),
        })
    }

    /// Makes cargo believe that it changed.
    pub(super) fn touch(&self, program: &str) -> io::Result<()> {
        let source = self.source(program);
        fs::write(&source, fs::read(&source)?)
    }
}

/// An unchanged file is not compiled again.
fn write_if_other(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    fs::write(path, text)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Returns the processor time of finished child processes; 0 if the system does not report it.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name in parentheses; after it, the 14th and 15th are ticks of 10 ms.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks = fields
        .skip(13)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Returns the dependencies of `benches`, by their versions; and the profile, which is the
/// repository's.
fn manifest() -> io::Result<String> {
    let root = fs::read_to_string(Path::new(ROOT).join("Cargo.toml"))?;
    let profile = root
        .find("[profile.dev]")
        .map_or("", |start| &root[start..]);
    let profile: Vec<&str> = profile.split("\n\n").take(2).collect();
    let mut text = format!(
        r#"# Written by the benchmarks.
[package]
name = "fifty"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[dependencies]
aws-sdk-dynamodb = {{ version = "1", default-features = false }}
dynamo-model = {{ path = "{ROOT}/dynamo-model", features = ["jiff"] }}
dynamodb-facade = "0.2"
jiff = {{ version = "0.2", default-features = false, features = ["serde", "std"] }}
modyne = {{ version = "0.3", features = ["derive"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_dynamo = {{ version = "4", features = ["aws-sdk-dynamodb+1"] }}

{}
"#,
        profile.join("\n\n")
    );
    for library in LIBRARIES {
        for used in [false, true] {
            let program = crates::program(library.name, used);
            text += &format!("[[example]]\nname = \"{program}\"\ncrate-type = [\"lib\"]\n\n");
        }
    }
    Ok(text)
}

/// Runs it, and it succeeds.
fn run(command: &mut Command) -> io::Result<()> {
    if command.status()?.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?} failed")))
}
