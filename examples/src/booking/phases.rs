//! "5.2" and "11.": the phases of the rollout. The tables are declared for the first; the others
//! show their deployments, made from the same declarations.

use dynamo_model::schema::{Billing, Stream};
use dynamo_model_tools::{AutoScaling, Deployment, Model};

/// A phase of "11. Rollout".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// "MVP": on demand.
    Mvp,
    /// "Optimisation": the traffic is known, so its least is provisioned, and scaling follows it.
    Optimised,
    /// "Scale": the tables have replicas in another region.
    Global,
}

/// The document names no region; this is the other one of the country.
const REPLICAS: &[&str] = &["ap-northeast-3"];

/// "High usage" is 80 %: scaling aims below that, so that the alarm means that it does not keep up.
const SCALING: AutoScaling = AutoScaling {
    max_read: 400,
    max_write: 200,
    target_percent: 70,
};

impl Phase {
    /// Returns the tables of this phase.
    #[must_use]
    pub fn model(self, mut model: Model) -> Model {
        for table in &mut model.tables {
            if self != Self::Mvp {
                table.schema.billing = Billing::Provisioned { read: 5, write: 5 };
            }
            if self == Self::Global {
                table.schema.replicas = REPLICAS;
                table.schema.stream = Some(Stream::NewAndOldImages);
            }
        }
        model
    }

    /// Returns the deployment of a phase.
    #[must_use]
    pub fn deployment(self, deployment: Deployment) -> Deployment {
        match self {
            Self::Mvp => deployment,
            Self::Optimised | Self::Global => deployment.auto_scaling(SCALING),
        }
    }
}
