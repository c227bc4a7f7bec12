//! "5.2" and "11.": the phases of the rollout. The tables are declared for the first; the others show
//! what would be deployed, made from the same declarations.

use dynamo_model::schema::{AutoScaling, Billing, Deployment, Model};

/// A phase of "11. Rollout".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// "MVP": on demand.
    Mvp,
    /// "Optimisation": the traffic is known, so its least is provisioned, and scaling follows it.
    Optimised,
}

/// "High usage" is 80 %: scaling aims below that, so that the alarm means that it does not keep up.
const SCALING: AutoScaling = AutoScaling {
    max_read: 400,
    max_write: 200,
    target_percent: 70,
};

impl Phase {
    /// The tables of this phase.
    #[must_use]
    pub fn model(self, mut model: Model) -> Model {
        if self != Self::Mvp {
            for table in &mut model.tables {
                table.schema.billing = Billing::Provisioned { read: 5, write: 5 };
            }
        }
        model
    }

    /// What is deployed beside them.
    #[must_use]
    pub fn deployment(self, deployment: Deployment) -> Deployment {
        match self {
            Self::Mvp => deployment,
            Self::Optimised => deployment.auto_scaling(SCALING),
        }
    }
}
