//! A write that is ready to be sent, alone or in a transaction.

use super::failure::Guard;
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind, Place};
use crate::expr::{Aliases, Condition};
use crate::op::{backoff, paging, trace};
use crate::schema::TableSchema;
use crate::wire::{self, Item};
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Put, ReturnConsumedCapacity, ReturnValue,
    ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use tracing::Instrument;

/// One item, what happens to it, and on which condition.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) place: Place,
    pub(crate) schema: &'static TableSchema,
    /// The key of the item, as it is stored.
    pub(crate) key: Item,
    pub(crate) action: Action,
    pub(crate) condition: Option<String>,
    pub(crate) aliases: Aliases,
    /// What a failed condition means.
    pub(crate) guard: Guard,
    /// For the limits of a transaction.
    pub(crate) bytes: usize,
}

/// What happens to the item.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Put(Item),
    /// The update expression.
    Update(String),
    Delete,
    /// Nothing: only the condition is checked.
    Check,
}

/// The table and the condition, on any of the SDK's builders: they have these methods, and nothing in common.
macro_rules! conditional {
    ($write:expr, $builder:expr) => {
        $builder
            .table_name(&$write.place.table)
            .set_condition_expression($write.condition.clone())
            .set_expression_attribute_names($write.aliases.names())
            .set_expression_attribute_values($write.aliases.values())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
    };
}

/// Sends such a request alone.
macro_rules! sent {
    ($write:expr, $builder:expr, $returns:expr) => {{
        let request = conditional!($write, $builder)
            .return_values($returns.clone())
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let output = request.send().await.map_err(|error| $write.failed(error))?;
        let consumed = paging::capacity(output.consumed_capacity);
        Ok((output.attributes, consumed))
    }};
}

impl Write {
    /// On no condition yet.
    pub(crate) fn new(
        place: Place,
        schema: &'static TableSchema,
        key: Item,
        action: Action,
        bytes: usize,
    ) -> Self {
        Self {
            place,
            schema,
            key,
            action,
            condition: None,
            aliases: Aliases::default(),
            guard: Guard::default(),
            bytes,
        }
    }

    /// Adds what must hold: the guard's own conditions, then the user's.
    pub(crate) fn guarded(
        mut self,
        guard: Guard,
        condition: Option<Condition>,
    ) -> Result<Self, Error> {
        let guard = Guard {
            has_condition: condition.is_some(),
            ..guard
        };
        let condition = match (guard.condition(self.schema), condition) {
            (Some(own), Some(user)) => Some(own & user),
            (own, user) => own.or(user),
        };
        self.guard = guard;
        let constant = condition.as_ref().and_then(Condition::constant);
        self.condition = match (condition, constant) {
            (None, _) | (_, Some(true)) => None,
            (_, Some(false)) => Some(self.never()),
            (Some(condition), None) => {
                let text = condition.expression(&mut self.aliases);
                Some(text.map_err(|attribute| {
                    Error::new(self.place.clone(), ErrorKind::Encode { attribute }, None)
                })?)
            }
        };
        Ok(self)
    }

    /// A condition that no item meets: DynamoDB has no word for `false`.
    fn never(&mut self) -> String {
        let name = self.aliases.name(self.schema.pk.name);
        format!("(attribute_exists({name}) AND attribute_not_exists({name}))")
    }

    /// Sends it alone; what DynamoDB returns of the item, and how much it cost.
    pub(crate) async fn send(
        self,
        db: &Dynamo,
        returns: ReturnValue,
    ) -> Result<(Option<Item>, f64), Error> {
        let span = trace::request(&self.place, None);
        let mut attempts = 1;
        loop {
            let sent = self.attempt(db, &returns).instrument(span.clone()).await;
            match sent {
                Err(error) if error.is_conflict_in_progress() && attempts < backoff::ATTEMPTS => {
                    backoff::wait(attempts).await;
                    attempts += 1;
                }
                Ok((item, consumed)) => {
                    trace::answered(&span, 1, 1, consumed);
                    return Ok((item, consumed));
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn attempt(
        &self,
        db: &Dynamo,
        returns: &ReturnValue,
    ) -> Result<(Option<Item>, f64), Error> {
        let client = db.client();
        match &self.action {
            Action::Put(item) => {
                let put = client.put_item().set_item(Some(item.clone()));
                sent!(self, put, returns)
            }
            Action::Update(expression) => {
                let expression = (!expression.is_empty()).then(|| expression.clone());
                let update = client.update_item().set_key(Some(self.key.clone()));
                sent!(self, update.set_update_expression(expression), returns)
            }
            Action::Delete | Action::Check => {
                let delete = client.delete_item().set_key(Some(self.key.clone()));
                sent!(self, delete, returns)
            }
        }
    }

    /// As one operation of a transaction.
    pub(crate) fn in_transaction(&self) -> Result<TransactWriteItem, Error> {
        let operation = TransactWriteItem::builder();
        let key = || Some(self.key.clone());
        let operation = match &self.action {
            Action::Put(item) => {
                let put = Put::builder().set_item(Some(item.clone()));
                conditional!(self, put).build().map(|it| operation.put(it))
            }
            Action::Update(expression) => {
                let update = Update::builder().set_key(key());
                let update = update.update_expression(expression);
                conditional!(self, update)
                    .build()
                    .map(|it| operation.update(it))
            }
            Action::Delete => {
                let delete = Delete::builder().set_key(key());
                conditional!(self, delete)
                    .build()
                    .map(|it| operation.delete(it))
            }
            Action::Check => {
                let check = ConditionCheck::builder().set_key(key());
                conditional!(self, check)
                    .build()
                    .map(|it| operation.condition_check(it))
            }
        };
        operation
            .map(|operation| operation.build())
            .map_err(|error| {
                let attribute = "the request".into();
                let kind = ErrorKind::Encode { attribute };
                Error::new(self.place.clone(), kind, Some(Box::new(error)))
            })
    }

    /// The table and the key: no two operations of a transaction may have the same.
    pub(crate) fn identity(&self) -> (String, String) {
        let key = |name: &str| self.key.get(name).and_then(wire::key_ref);
        let sk = self.schema.sk.map(|sk| key(sk.name));
        (
            self.place.table.clone(),
            format!("{:?}{sk:?}", key(self.schema.pk.name)),
        )
    }
}
