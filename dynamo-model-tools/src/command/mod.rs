//! The command: arguments → a schema and a connection → one command, its output and exit status.
//!
//! Each command is a module with its arguments and a `run`. It writes what it found to
//! [`Context::out`], and returns a [`Status`]; a failure goes to standard error.

mod arguments;
mod connection;
mod deployed;
mod lock;
mod output;
mod schema;

pub use schema::{Schema, Tools};

use arguments::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use connection::Connection;
use core::fmt;
use dynamo_model::Dynamo;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

type BoxError = Box<dyn core::error::Error + Send + Sync>;

/// How a command ended, as its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// 0.
    Done,
    /// 3: what was compared differs.
    Differs,
}

/// The exit status of a failure.
const FAILED: u8 = 1;
/// The exit status of wrong arguments, as clap has it.
const MISUSED: u8 = 2;
/// The exit status of [`Status::Differs`].
const DIFFERS: u8 = 3;

/// Why a command did nothing, or stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong; says how to correct them.
    Misuse(String),
    /// It was tried, and failed.
    Failed(BoxError),
}

impl<E: Into<BoxError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// With the sources of the error, a line each.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misuse(message) => f.write_str(message),
            Self::Failed(error) => {
                write!(f, "{error}")?;
                let mut source = error.source();
                while let Some(error) = source {
                    write!(
                        f,
                        "\n  because: {}",
                        error.to_string().replace('\n', "\n  ")
                    )?;
                    source = error.source();
                }
                Ok(())
            }
        }
    }
}

/// What a command works with.
pub(crate) struct Context<'c> {
    schema: &'c Schema,
    connection: &'c Connection,
    json: bool,
    out: &'c mut dyn Write,
    err: &'c mut dyn Write,
}

impl Context<'_> {
    /// Opens the connection that the arguments name.
    async fn connect(&self) -> Result<Dynamo, Failure> {
        self.connection.open(self.schema).await
    }

    /// Prints a value as JSON.
    fn print_json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        writeln!(self.out, "{value:#}")
    }
}

/// Runs the command of an application with the arguments of the process.
///
/// ```no_run
/// use dynamo_model_tools::Model;
/// use std::process::ExitCode;
///
/// # fn model() -> Model { Model::new("app") }
/// fn main() -> ExitCode {
///     dynamo_model_tools::run(model())
/// }
/// ```
///
/// The exit status is 0, or 1 if the command failed, 2 if its arguments are wrong, 3 if what it
/// compared differs.
pub fn run(tools: impl Into<Tools>) -> ExitCode {
    let tools = tools.into();
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            let status = tools.execute(std::env::args_os(), &mut out, &mut err);
            ExitCode::from(runtime.block_on(status))
        }
        Err(error) => {
            let _ = writeln!(err, "cannot start tokio's runtime: {error}");
            ExitCode::from(FAILED)
        }
    }
}

impl Tools {
    /// Runs the command with these arguments, of which the first is the name of the program, and
    /// returns the exit status. [`run`] calls it with the arguments of the process.
    ///
    /// ```
    /// use dynamo_model::{DynamoEntity, DynamoTable};
    /// use dynamo_model_tools::{Model, Tools};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK")]
    /// struct App;
    ///
    /// #[derive(DynamoEntity)]
    /// #[dynamo(table = App)]
    /// #[pk("USER#<user_id>")]
    /// struct User {
    ///     user_id: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let tools = Tools::from(Model::new("app").entity::<User>());
    /// let (mut out, mut err) = (Vec::new(), Vec::new());
    /// let status = tools.execute(["tools", "plan", "--memory"], &mut out, &mut err).await;
    /// assert_eq!((status, String::from_utf8(out).unwrap()), (0, "App: nothing to do\n".into()));
    /// # }
    /// ```
    pub async fn execute<A: Into<OsString> + Clone>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> u8 {
        let arguments = match self.parse(arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                // clap's help is an error, too.
                let to: &mut dyn Write = if error.use_stderr() { err } else { out };
                let _ = write!(to, "{error}");
                return u8::try_from(error.exit_code()).unwrap_or(MISUSED);
            }
        };
        let outcome = self.dispatch(arguments, out, err).await;
        match outcome {
            Ok(Status::Done) => 0,
            Ok(Status::Differs) => DIFFERS,
            // A closed pipe, as in `tools output html | head`, is not a failure.
            Err(Failure::Failed(error)) if is_closed_pipe(&*error) => 0,
            Err(failure) => {
                let _ = writeln!(err, "error: {failure}");
                match failure {
                    Failure::Misuse(_) => MISUSED,
                    Failure::Failed(_) => FAILED,
                }
            }
        }
    }

    fn parse<A: Into<OsString> + Clone>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Arguments, clap::Error> {
        let matches = self.command().try_get_matches_from(arguments)?;
        Arguments::from_arg_matches(&matches)
    }

    /// The option `--schema` is shown only where there is a choice.
    fn command(&self) -> clap::Command {
        Arguments::command().mut_arg("schema", |arg| match self.schemas.as_slice() {
            [] | [_] => arg.hide(true),
            _ => arg.help(format!("Which schema: {}", self.names())),
        })
    }

    fn names(&self) -> String {
        let names: Vec<_> = self.schemas.iter().map(|it| it.name.as_str()).collect();
        names.join(", ")
    }

    async fn dispatch(
        &self,
        arguments: Arguments,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<Status, Failure> {
        if let Command::Completion { shell } = arguments.command {
            let mut command = self.command();
            let name = arguments::program_name();
            // clap_complete panics where it cannot write; a text can always be written.
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut command, name, &mut text);
            out.write_all(&text)?;
            return Ok(Status::Done);
        }
        let mut context = Context {
            schema: self.chosen(arguments.schema.as_deref())?,
            connection: &arguments.connection,
            json: arguments.json,
            out,
            err,
        };
        match arguments.command {
            Command::Output(output) => output.run(&mut context).await,
            Command::Lock(lock) => lock.run(&mut context).await,
            Command::Verify(verify) => verify.run(&mut context).await,
            Command::Plan(plan) => plan.run(&mut context).await,
            Command::Apply(apply) => apply.run(&mut context).await,
            Command::Completion { .. } => Ok(Status::Done),
        }
    }

    fn chosen(&self, name: Option<&str>) -> Result<&Schema, Failure> {
        match (name, self.schemas.as_slice()) {
            (None, [only]) => Ok(only),
            (None, []) => Err(Failure::Misuse(
                "there is no schema; give one to `run`".into(),
            )),
            (None, _) => Err(Failure::Misuse(format!(
                "there are several schemas; choose one with `--schema`: {}",
                self.names()
            ))),
            (Some(name), all) => all.iter().find(|it| it.name == name).ok_or_else(|| {
                Failure::Misuse(format!("no schema `{name}`; there are {}", self.names()))
            }),
        }
    }
}

fn is_closed_pipe(error: &(dyn core::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
