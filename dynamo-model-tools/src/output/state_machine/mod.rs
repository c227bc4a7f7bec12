//! A workflow of AWS Step Functions, in the Amazon States Language: requests of typed calls and
//! functions, one after the other.
//!
//! A step is a request that the library has made, so its keys, index keys and conditions are those
//! of the declarations. Where a request has the sample text of an input, the state machine uses the
//! input of its execution. See [`bind`] for the values that cannot be inputs, and [`states`] for
//! the states of a step.

mod bind;
mod states;

use crate::{Model, ModelError, Request};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A workflow for AWS Step Functions. [`Model::state_machine`] makes its definition.
///
/// ```
/// use dynamo_model_tools::{Request, StateMachine, Step};
/// use serde_json::json;
///
/// let tokens = Request::new("Query", json!({
///     "TableName": "PushTokens",
///     "KeyConditionExpression": "#n0 = :v0",
///     "ExpressionAttributeNames": { "#n0": "userId" },
///     "ExpressionAttributeValues": { ":v0": { "S": "the-user" } },
/// }));
/// let machine = StateMachine::new("withdraw")
///     .input("userId", "the-user")
///     .step(Step::delete_found("PushTokens", tokens))
///     .step(Step::function("Answers"));
/// assert_eq!(machine.name, "withdraw");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StateMachine {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub comment: String,
    table_prefix: String,
    inputs: Vec<Input>,
    steps: Vec<Step>,
}

/// An input text of an execution: its name, and its sample text in requests.
#[derive(Debug, Clone, PartialEq)]
struct Input {
    name: String,
    sample: String,
}

/// One step of a [`StateMachine`].
///
/// ```
/// use dynamo_model_tools::Step;
///
/// let step = Step::function("Answers");
/// assert_eq!(step.name, "Answers");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The name of its state.
    pub name: String,
    action: Action,
    skips_failed_condition: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Action {
    Request(Request),
    DeleteFound(Request),
    ForEach {
        read: Request,
        write: Request,
        /// Attributes of each item: their names, and their sample texts in `write`.
        attributes: Vec<Input>,
    },
    Function,
}

impl StateMachine {
    /// Creates a workflow without steps.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            comment: String::new(),
            table_prefix: String::new(),
            inputs: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Sets the purpose of the workflow.
    #[must_use]
    pub fn comment(mut self, comment: impl Into<String>) -> Self {
        self.comment = comment.into();
        self
    }

    /// Puts this before the names of all tables, as
    /// [`Dynamo::with_table_prefix`](dynamo_model::Dynamo::with_table_prefix) does. The requests of
    /// the steps have declared names.
    #[must_use]
    pub fn table_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.table_prefix = prefix.into();
        self
    }

    /// Declares an input text of the execution: `sample` represents it in the requests. It replaces
    /// whole values only, because a state machine cannot escape as keys do: for `USER#<id>` the
    /// whole key text is the input.
    #[must_use]
    pub fn input(mut self, name: impl Into<String>, sample: impl Into<String>) -> Self {
        self.inputs.push(Input {
            name: name.into(),
            sample: sample.into(),
        });
        self
    }

    /// Adds a step, which runs when the one before it is done.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Returns every request that an execution sends, for its policy.
    pub(super) fn needs<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = Request> + 'a {
        self.steps.iter().flat_map(|step| step.needs(model))
    }

    /// The names of the steps that are functions.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        let functions = self.steps.iter();
        let functions = functions.filter(|step| matches!(step.action, Action::Function));
        functions.map(|step| step.name.as_str())
    }

    /// Returns whether a step processes pages, in separate executions.
    pub(super) fn reads_pages(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step.action, Action::DeleteFound(_) | Action::ForEach { .. }))
    }
}

impl Step {
    fn new(name: impl Into<String>, action: Action) -> Self {
        Self {
            name: name.into(),
            action,
            skips_failed_condition: false,
        }
    }

    /// Sends one request.
    pub fn request(name: impl Into<String>, request: Request) -> Self {
        Self::new(name, Action::Request(request))
    }

    /// Deletes each item that a query or a scan finds, page by page, by the key it is stored under.
    pub fn delete_found(name: impl Into<String>, read: Request) -> Self {
        Self::new(name, Action::DeleteFound(read))
    }

    /// Sends `write` for each item that a query or a scan finds, page by page. `attributes` are the
    /// attributes of the item that `write` needs: their names, and their sample texts.
    pub fn for_each<'a>(
        name: impl Into<String>,
        read: Request,
        write: Request,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let attributes = attributes.into_iter().map(|(name, sample)| Input {
            name: name.into(),
            sample: sample.into(),
        });
        let attributes = attributes.collect();
        let action = Action::ForEach {
            read,
            write,
            attributes,
        };
        Self::new(name, action)
    }

    /// Invokes a Lambda function with the execution's input. It is invoked again after a failure,
    /// so it must continue where it stopped. `${<Name>FunctionArn}` in the definition is replaced
    /// by its ARN.
    pub fn function(name: impl Into<String>) -> Self {
        Self::new(name, Action::Function)
    }

    /// Continues if the condition of a write fails, because then the work is already done. Without
    /// it the execution fails. A transaction that was cancelled for another reason fails in any
    /// case.
    #[must_use]
    pub fn skip_failed_condition(mut self) -> Self {
        self.skips_failed_condition = true;
        self
    }

    fn needs(&self, model: &Model) -> Vec<Request> {
        match &self.action {
            Action::Request(request) => vec![request.clone()],
            Action::DeleteFound(read) => {
                let table = read.body["TableName"].as_str().unwrap_or_default();
                let table = model.find_table(table).map(|it| it.schema.name);
                let delete = json!({ "TableName": table });
                vec![read.clone(), Request::new("DeleteItem", delete)]
            }
            Action::ForEach { read, write, .. } => vec![read.clone(), write.clone()],
            Action::Function => Vec::new(),
        }
    }
}

impl Model {
    /// Returns the definition of a state machine in the Amazon States Language.
    ///
    /// Each execution checks its input first. Throttled requests are sent again; a request that
    /// adds to a number is not sent again if its outcome is unknown. Items are read in pages, and
    /// separate executions process each page, so that the history of the execution stays short.
    ///
    /// # Errors
    ///
    /// If a request names another table or none of the inputs, has an input within a longer text,
    /// or a name is there twice.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "PushTokens", pk = "userId", sk = "token")]
    /// # struct PushTokens;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[serde(rename_all = "camelCase")]
    /// # #[dynamo(table = PushTokens)]
    /// # #[pk("<user_id>")]
    /// # #[sk("<token>")]
    /// # struct PushToken { user_id: String, token: String }
    /// use dynamo_model_tools::{Model, Request, StateMachine, Step};
    ///
    /// let db = dynamo_model::Dynamo::embedded()?;
    /// let tokens = Request::explained(&PushToken::query("the-user").explain(&db)?)?;
    /// let machine = StateMachine::new("withdraw")
    ///     .input("userId", "the-user")
    ///     .step(Step::delete_found("PushTokens", tokens));
    ///
    /// let definition = Model::new("app").entity::<PushToken>().state_machine(&machine)?;
    /// let states = &definition["States"];
    /// assert_eq!(states["PushTokens"]["Resource"], "arn:aws:states:::aws-sdk:dynamodb:query");
    /// let values = &states["PushTokens"]["Parameters"]["ExpressionAttributeValues"];
    /// assert_eq!(values[":v0"]["S.$"], "$.userId");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_machine(&self, machine: &StateMachine) -> Result<Value, ModelError> {
        check_names(machine)?;
        states::definition(self, machine)
    }
}

/// Refuses names that Step Functions would refuse, or that would confuse two inputs.
fn check_names(machine: &StateMachine) -> Result<(), ModelError> {
    const RESERVED: [&str; 3] = ["page", "item", "error"];
    let error = |message: String| ModelError::new(format!("{}: {message}", machine.name));
    let mut known = BTreeSet::new();
    for Input { name, sample } in &machine.inputs {
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        if !is_word || RESERVED.contains(&name.as_str()) {
            let message = format!(
                "`{name}` cannot be the name of an input; use letters and digits, and none of \
                 `page`, `item`, `error`"
            );
            return Err(error(message));
        }
        if sample.is_empty() || !known.insert(name) || !known.insert(sample) {
            return Err(error(format!(
                "the name or sample of the input `{name}` is empty or used twice"
            )));
        }
    }
    if machine.steps.is_empty() {
        return Err(error("a state machine needs a step".into()));
    }
    let mut names = BTreeSet::new();
    for step in &machine.steps {
        // The names of a step's other states are up to 20 characters longer, and a name has 80.
        if step.name.is_empty() || step.name.len() > 60 || !names.insert(&step.name) {
            return Err(error(format!(
                "the name of the step `{}` is empty, longer than 60 characters, or used twice",
                step.name
            )));
        }
    }
    Ok(())
}
