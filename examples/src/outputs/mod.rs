//! The outputs of the six schemas: those that the command `schema` prints, and those in
//! `generated/`.

mod settings;
mod source;

use crate::{Result, SCHEMAS, Schema};
use dynamo_model_tools::{Model, PolicyDocument};
use serde_json::{Value, json};
pub use settings::Settings;

/// One output of a schema.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// Its name in the command.
    pub name: &'static str,
    /// The file under `generated/<schema>/`.
    pub file: &'static str,
    /// Its description.
    pub what: &'static str,
    render: fn(&Model, &Settings) -> Result<String>,
}

const STATE_MACHINE: &str = "state-machine";

/// All of them.
pub const OUTPUTS: [Output; 16] = [
    Output {
        name: "model",
        file: "model.json",
        what: "the whole schema, as data",
        render: |model, _| Ok(pretty(&serde_json::to_value(model)?)),
    },
    Output {
        name: "create-table",
        file: "create-table.json",
        what: "the inputs of CreateTable, UpdateTimeToLive and UpdateContinuousBackups",
        render: |model, _| Ok(pretty(&create_table(model))),
    },
    Output {
        name: "cloudformation",
        file: "cloudformation.json",
        what: "a CloudFormation template",
        render: |model, settings| {
            let application = settings.whole_application()?;
            let template = model.cloud_formation_application(&settings.deployment, &application)?;
            Ok(pretty(&template))
        },
    },
    Output {
        name: "sam",
        file: "sam.json",
        what: "the same, for SAM",
        render: |model, settings| {
            let application = settings.whole_application()?;
            Ok(pretty(
                &model.sam_application(&settings.deployment, &application)?,
            ))
        },
    },
    Output {
        name: "terraform",
        file: "tables.tf.json",
        what: "Terraform, in its JSON syntax",
        render: |model, settings| {
            let application = settings.whole_application()?;
            let resources = model.terraform_application(&settings.deployment, &application)?;
            Ok(pretty(&resources))
        },
    },
    Output {
        name: "service-policy",
        file: "service-policy.json",
        what: "an IAM policy: what the application needs, and nothing else",
        render: |model, settings| Ok(pretty(&model.policy(settings.service.clone())?.document)),
    },
    Output {
        name: "migration-policy",
        file: "migration-policy.json",
        what: "an IAM policy: what a migration needs",
        render: |model, settings| Ok(pretty(&model.policy(settings.migration.clone())?.document)),
    },
    Output {
        name: "user-policy",
        file: "user-policy.json",
        what: "an IAM policy: a user's own items",
        render: |model, settings| Ok(pretty(&model.policy(settings.user.clone())?.document)),
    },
    Output {
        name: "refusals",
        file: "user-policy.md",
        what: "what a user's policy cannot isolate, and why",
        render: |model, settings| Ok(refusals(&model.policy(settings.user.clone())?)),
    },
    Output {
        name: "markdown",
        file: "README.md",
        what: "the design document",
        render: |model, _| Ok(model.markdown()),
    },
    Output {
        name: "html",
        file: "index.html",
        what: "the same as a page, with sample items by partition",
        render: |model, _| Ok(model.html()),
    },
    Output {
        name: "mermaid",
        file: "diagram.mmd",
        what: "a diagram of the entities",
        render: |model, _| Ok(model.mermaid()),
    },
    Output {
        name: "workbench",
        file: "workbench.json",
        what: "a model for NoSQL Workbench",
        render: |model, _| Ok(pretty(&model.workbench())),
    },
    Output {
        name: "lock",
        file: "schema.lock",
        what: "what stored items depend on",
        render: |model, _| Ok(model.lock()),
    },
    Output {
        name: "capacity",
        file: "capacity.md",
        what: "capacity units, cost and hot partitions",
        render: |model, settings| Ok(model.capacity(&settings.capacity)?.to_string()),
    },
    Output {
        name: STATE_MACHINE,
        file: "state-machine.asl.json",
        what: "a workflow for Step Functions, where there is one",
        render: |model, settings| {
            let machine = settings
                .state_machine
                .ok_or("this schema has no state machine")?;
            Ok(pretty(&model.state_machine(&machine()?)?))
        },
    },
];

impl Output {
    /// Returns whether a schema has it.
    pub fn is_of(&self, settings: &Settings) -> bool {
        self.name != STATE_MACHINE || settings.state_machine.is_some()
    }

    /// Returns the text of it.
    pub fn render(&self, model: &Model, settings: &Settings) -> Result<String> {
        (self.render)(model, settings)
    }
}

/// Returns the schema of this name, with the settings of its outputs.
pub fn find(name: &str) -> Option<(Schema, Settings)> {
    let schema = SCHEMAS.into_iter().find(|schema| schema.name == name)?;
    Settings::of(name).map(|settings| (schema, settings))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn create_table(model: &Model) -> Value {
    json!({
        "CreateTable": model.create_table(),
        "UpdateTimeToLive": model.update_time_to_live(),
        "UpdateContinuousBackups": model.update_continuous_backups(),
    })
}

fn refusals(policy: &PolicyDocument) -> String {
    let list = |texts: Vec<String>| {
        let lines: Vec<_> = texts.iter().map(|text| format!("- {text}\n")).collect();
        if lines.is_empty() {
            "- nothing\n".into()
        } else {
            lines.concat()
        }
    };
    let refused = policy.refused.iter().map(ToString::to_string).collect();
    format!(
        "# A user's own items\n\nNot in the policy, because it would reach the items of others:\n\n{}\n\
         In the policy, beyond the requests:\n\n{}",
        list(refused),
        list(policy.notes.clone()),
    )
}
