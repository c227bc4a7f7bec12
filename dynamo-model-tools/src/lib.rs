#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "command")]
mod command;
#[cfg(feature = "client")]
pub mod live;
mod model;
mod output;
#[cfg(feature = "studio")]
pub mod studio;

#[cfg(feature = "command")]
pub use command::{Schema, Tools, run};
pub use model::{
    AccessPattern, AttributeType, DeclaredPattern, EntityModel, Model, ModelError, Request,
    SampleItem, TableModel, Target,
};
#[doc(hidden)]
pub use output::rewritten;
pub use output::{
    Alarms, Application, AutoScaling, Capacity, CapacityReport, Change, Deployment, HotPartition,
    Identity, Impact, LockDifference, PatternCapacity, Policy, PolicyDocument, Prices, Rate,
    Refusal, StateMachine, Step,
};
