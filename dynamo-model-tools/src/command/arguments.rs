//! The arguments that all commands share, and the list of commands.

use super::connection::Connection;
use super::{deployed, lock, output};

/// Operates the tables of this application.
#[derive(Debug, clap::Parser)]
#[command(
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Exit status: 0 done, 1 failed, 2 wrong arguments, 3 what was compared differs."
)]
pub(super) struct Arguments {
    /// Which schema
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) schema: Option<String>,

    /// Print JSON, for scripts
    #[arg(long, global = true)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) connection: Connection,

    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Print what is made from the declarations: templates, policies, documents
    Output(output::Output),
    /// Compare the declarations with `schema.lock`: can stored items still be read?
    Lock(lock::Lock),
    /// Compare the deployed tables with the declarations
    Verify(deployed::Verify),
    /// Print the steps from the deployed tables to the declarations; changes nothing
    Plan(deployed::PlanTables),
    /// Take the steps of `plan`, one after the other; can be stopped and run again
    Apply(deployed::Apply),
    /// Print a completion script for a shell
    Completion {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// The name of the program, for its completion script.
pub(super) fn program_name() -> String {
    let path = std::env::args_os().next().unwrap_or_default();
    let name = std::path::Path::new(&path).file_stem();
    name.map_or_else(
        || "tools".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}
