//! Writes as the SDK's own types, for those who want attribute maps.

use super::request::{Action, Write};
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind};
use crate::wire::{self, Attempts, Item, Reply, Stored, call};
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, DeleteRequest, Put, PutRequest, ReturnConsumedCapacity, ReturnValue,
    ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update, WriteRequest,
};
use core::pin::pin;

/// The table and the condition, on any of the SDK's builders: they have these methods, and nothing in common.
macro_rules! conditional {
    ($write:expr, $builder:expr) => {
        $builder
            .table_name(&*$write.place.table)
            .set_condition_expression($write.condition.clone())
            .set_expression_attribute_names($write.aliases.names())
            .set_expression_attribute_values($write.aliases.values())
            .set_return_values_on_condition_check_failure(
                $write
                    .wants_old()
                    .then_some(ReturnValuesOnConditionCheckFailure::AllOld),
            )
    };
}

/// Sends such a request alone.
macro_rules! sent {
    ($db:expr, $write:expr, $builder:expr, $returns:expr, $capacity:expr, $attempts:expr) => {{
        let request = conditional!($write, $builder)
            .set_return_values(Some($returns.clone()).filter(|it| *it != ReturnValue::None))
            .set_return_consumed_capacity($capacity.then_some(ReturnConsumedCapacity::Total));
        let request = pin!(request.send());
        let reply = call::send_watched($db, None, $attempts, request);
        reply.await.map_err(|error| $write.failed(error))
    }};
}

impl Write {
    pub(super) async fn attempt_typed(
        &self,
        db: &Dynamo,
        returns: &ReturnValue,
        capacity: bool,
        attempts: &mut Attempts,
    ) -> Result<Reply, Error> {
        let client = db.client();
        match &self.action {
            Action::Put(item) => {
                let put = client.put_item().set_item(Some(self.map(item)?));
                sent!(db, self, put, returns, capacity, attempts)
            }
            Action::Update(expression) => {
                let expression = (!expression.is_empty()).then(|| expression.clone());
                let update = client
                    .update_item()
                    .set_key(Some(self.key.to_item(self.schema)));
                let update = update.set_update_expression(expression);
                sent!(db, self, update, returns, capacity, attempts)
            }
            Action::Delete | Action::Check => {
                let delete = client
                    .delete_item()
                    .set_key(Some(self.key.to_item(self.schema)));
                sent!(db, self, delete, returns, capacity, attempts)
            }
        }
    }

    /// As one operation of a transaction.
    pub(crate) fn in_transaction(&self) -> Result<TransactWriteItem, Error> {
        let operation = TransactWriteItem::builder();
        let key = || Some(self.key.to_item(self.schema));
        let operation = match &self.action {
            Action::Put(item) => {
                let put = Put::builder().set_item(Some(self.map(item)?));
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

    fn map(&self, item: &Stored) -> Result<Item, Error> {
        wire::into_map(&self.place, item.clone())
    }

    /// As one of a batch.
    pub(super) fn in_batch(&self) -> Result<WriteRequest, Error> {
        let request = WriteRequest::builder();
        let request = match &self.action {
            Action::Put(item) => PutRequest::builder()
                .set_item(Some(self.map(item)?))
                .build()
                .map(|put| request.put_request(put)),
            _ => DeleteRequest::builder()
                .set_key(Some(self.key.to_item(self.schema)))
                .build()
                .map(|delete| request.delete_request(delete)),
        };
        request.map(|request| request.build()).map_err(|error| {
            let attribute = "the request".into();
            let kind = ErrorKind::Encode { attribute };
            Error::new(self.place.clone(), kind, Some(Box::new(error)))
        })
    }
}
