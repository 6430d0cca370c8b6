//! The selection of a metric of distances for a program, by a model that was learned from runs (chapter 4 of Lee's thesis on TOUR, 2022): `explore.metric=learned`.
//!
//! A model is a decision tree over the [25 features](crate::cfa::analysis::features) of a program, with its origin. `provident study train` learns one from the journals of studies; [`Model::shipped`] is
//! the one that Provident brings along, and its file says what it was trained on and how good it was. A choice is a matter of effort only: no verdict depends on it.
//!
//! | module | does |
//! |---|---|
//! | [`model`] | models, their files, and the choice |
//! | [`format`] | what a file says |
//! | [`tree`] | decision trees by recursive partitioning |

pub mod format;
pub mod model;
pub mod tree;

pub use model::Model;

use crate::report::SelectionReport;

/// The choice of a metric for a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The metric.
    pub metric: crate::cfa::analysis::distances::Metric,
    /// The way to it, for the report.
    pub report: SelectionReport,
}
