//! The state machines of an application in templates without SAM. Their functions are deployed
//! elsewhere: the template takes the ARN of each that a state machine invokes.

use super::machine::{Prepared, Target, statements, trust};
use super::{Application, function_id, machine_id};
use crate::output::cloud_formation::resource;
use crate::output::{Deployment, StateMachine, pascal, snake, terraform};
use crate::{Model, ModelError};
use serde_json::{Map, Value, json};

const ARN: &str = "The ARN of the function";

impl Model {
    /// Returns the template of [`cloud_formation`](Self::cloud_formation) with the state machines
    /// of an application, each with a role that may send its requests and invoke its functions.
    /// Plain CloudFormation cannot build functions, so the template has a parameter for the ARN of
    /// each function that a state machine invokes.
    ///
    /// # Errors
    ///
    /// If a state machine names something that does not exist, or if two names make one resource.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::{Application, Deployment, Model, Policy, StateMachine, Step};
    ///
    /// let model = Model::new("app").entity::<User>();
    /// let application = Application::new()
    ///     .function("Notify", Policy::new())
    ///     .state_machine(StateMachine::new("tell").step(Step::function("Notify")));
    /// let template = model.cloud_formation_application(&Deployment::new(), &application)?;
    /// let machine = &template["Resources"]["TellStateMachine"];
    /// assert_eq!(machine["Type"], "AWS::StepFunctions::StateMachine");
    /// assert_eq!(template["Parameters"]["NotifyFunctionArn"]["Type"], "String");
    /// # Ok::<(), dynamo_model_tools::ModelError>(())
    /// ```
    pub fn cloud_formation_application(
        &self,
        deployment: &Deployment,
        application: &Application,
    ) -> Result<Value, ModelError> {
        let mut template = self.cloud_formation(deployment);
        for machine in &application.state_machines {
            let prepared = self.prepare(application, machine)?;
            for name in prepared.functions() {
                template["Parameters"][format!("{}Arn", function_id(name))] =
                    json!({ "Type": "String", "Description": format!("{ARN} {name}") });
            }
            for (id, resource) in self.plain_machine(deployment, machine, prepared)? {
                super::add(&mut template["Resources"], id, resource)?;
            }
        }
        Ok(template)
    }

    /// Writes a state machine and its role.
    fn plain_machine(
        &self,
        deployment: &Deployment,
        machine: &StateMachine,
        prepared: Prepared<'_>,
    ) -> Result<[(String, Value); 2], ModelError> {
        let function = |name: &str| json!({ "Ref": format!("{}Arn", function_id(name)) });
        let functions: Vec<_> = prepared.functions().map(function).collect();
        let statements = self.machine_policy(deployment, machine, &functions)?;
        let targets = prepared.placeholders.into_iter();
        let substitutions = targets.map(|(placeholder, target)| match target {
            Target::Table(name) => (placeholder, json!({ "Ref": pascal(name) })),
            Target::Function(name) => (placeholder, function(name)),
        });
        let id = machine_id(machine);
        let role = resource(
            "AWS::IAM::Role",
            json!({
                "AssumeRolePolicyDocument": trust(),
                "Policies": [{
                    "PolicyName": "requests",
                    "PolicyDocument": { "Version": "2012-10-17", "Statement": statements },
                }],
            }),
        );
        let role_id = format!("{id}Role");
        let properties = json!({
            "StateMachineName": super::machine_name(machine),
            "Definition": prepared.definition,
            "DefinitionSubstitutions": substitutions.collect::<Map<_, _>>(),
            "RoleArn": { "Fn::GetAtt": [role_id, "Arn"] },
        });
        let machine = resource("AWS::StepFunctions::StateMachine", properties);
        Ok([(id, machine), (role_id, role)])
    }

    /// Returns the resources of [`terraform`](Self::terraform) with the state machines of an
    /// application, each with its role. A variable takes the ARN of each function that a state
    /// machine invokes.
    ///
    /// # Errors
    ///
    /// If a state machine names something that does not exist, or if two names make one resource.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::{Application, Deployment, Model, Policy, StateMachine, Step};
    ///
    /// let model = Model::new("app").entity::<User>();
    /// let application = Application::new()
    ///     .function("Notify", Policy::new())
    ///     .state_machine(StateMachine::new("tell").step(Step::function("Notify")));
    /// let terraform = model.terraform_application(&Deployment::new(), &application)?;
    /// let machine = &terraform["resource"]["aws_sfn_state_machine"]["tell"];
    /// assert_eq!(machine["role_arn"], "${aws_iam_role.tell_state_machine.arn}");
    /// assert_eq!(terraform["variable"]["notify_function_arn"]["type"], "string");
    /// # Ok::<(), dynamo_model_tools::ModelError>(())
    /// ```
    pub fn terraform_application(
        &self,
        deployment: &Deployment,
        application: &Application,
    ) -> Result<Value, ModelError> {
        let mut out = self.terraform(deployment);
        for machine in &application.state_machines {
            let prepared = self.prepare(application, machine)?;
            for name in prepared.functions() {
                out["variable"][variable(name)] =
                    json!({ "type": "string", "description": format!("{ARN} {name}") });
            }
            for (kind, name, value) in self.terraform_machine(deployment, machine, &prepared)? {
                if !out["resource"][kind].is_object() {
                    out["resource"][kind] = json!({});
                }
                super::add(&mut out["resource"][kind], name, value)?;
            }
        }
        Ok(out)
    }

    /// Writes a state machine, its role and the role's policy: kind, name and value of each.
    fn terraform_machine(
        &self,
        deployment: &Deployment,
        machine: &StateMachine,
        prepared: &Prepared<'_>,
    ) -> Result<[(&'static str, String, Value); 3], ModelError> {
        let id = snake(&machine.name);
        let role = format!("{id}_state_machine");
        let deployed = format!("{}-{}", self.name, machine.name);
        let deployed = terraform::literal(&deployed);
        let function = |name: &str| format!("${{var.{}}}", variable(name));
        let functions: Vec<_> = prepared.functions().map(|it| json!(function(it))).collect();
        let place = terraform::PLACE;
        let arn = |kind: &str, rest: &str| {
            let (region, account) = place;
            json!(format!(
                "arn:aws:states:{region}:{account}:{kind}:{deployed}{rest}"
            ))
        };
        let prefix = match deployment.table_prefix.is_empty() {
            true => "",
            false => "${var.table_prefix}",
        };
        let policy = self.policy_of(machine);
        let mut allowed = self.statements_for(deployment, policy, place, prefix)?;
        allowed.extend(statements(machine, &functions, arn));
        let policy = json!({ "Version": "2012-10-17", "Statement": allowed });

        let mut definition = prepared.definition.to_string().replace("%{", "%%{");
        for (placeholder, target) in &prepared.placeholders {
            let value = match target {
                Target::Table(name) => format!("${{aws_dynamodb_table.{}.name}}", snake(name)),
                Target::Function(name) => function(name),
            };
            definition = definition.replace(&format!("${{{placeholder}}}"), &value);
        }
        Ok([
            (
                "aws_sfn_state_machine",
                id,
                json!({
                    "name": deployed,
                    "role_arn": format!("${{aws_iam_role.{role}.arn}}"),
                    "definition": definition,
                }),
            ),
            (
                "aws_iam_role",
                role.clone(),
                json!({
                    "name": format!("{deployed}-state-machine"),
                    "assume_role_policy": trust().to_string(),
                }),
            ),
            (
                "aws_iam_role_policy",
                role.clone(),
                json!({
                    "name": "requests",
                    "role": format!("${{aws_iam_role.{role}.id}}"),
                    "policy": policy.to_string(),
                }),
            ),
        ])
    }
}

/// The variable that has the ARN of a function.
fn variable(function: &str) -> String {
    format!("{}_arn", snake(&function_id(function)))
}
