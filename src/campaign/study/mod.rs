//! Studies: what the papers that Provident re-implements measured, over the results of any experiment.
//!
//! Every configuration verifies every subject in a process of its own. Each result is appended to a journal as soon as it is there, so that a
//! study that was killed goes on where it stopped. The evaluation is a page (HTML, with plots as SVG inside) and a table (CSV).
//!
//! | module | does |
//! |---|---|
//! | [`summary`] | mean, median, extremes, speed-ups |
//! | [`plot`] | scatter, quantile and box plots |
//! | [`section`] | the part of the page |
//! | [`provident`] | the study of provident refinement |
//! | `efficiency` | its first hypothesis: time, refinements, operators |
//! | [`together`] | properties together against each alone |
//! | [`selection`] | the study of refinement selection |
//! | [`interpolation`] | the study of interpolation: variants, and what their measures say |
//! | `common` | runs over the subjects that all configurations have |
//! | [`tour`] | the study of directed search and of summaries |
//! | `learned` | its selection of a metric for each program |
//! | `lessons` | examples that runs are, and each program judged by the others |
//! | [`train`] | a model of the selection, learned from journals |
//! | [`capabilities`] | the study of capabilities, each switched off in turn |
//! | [`decomposition`], [`mav`] | the studies of decomposition and of multi-aspect verification |

pub mod capabilities;
mod common;
pub mod decomposition;
mod efficiency;
pub mod interpolation;
mod learned;
mod lessons;
pub mod mav;
pub mod plot;
pub mod provident;
pub mod section;
pub mod selection;
pub mod summary;
pub mod together;
pub mod tour;
pub mod train;

use super::definition::Evaluation;
use super::results::Run;
use section::Section;

/// The evaluation of the runs by a study: a part of the page, and the lines of its summary. It is empty if the general page suffices.
pub fn evaluate(evaluation: Evaluation, runs: &[Run]) -> Option<(Section, Vec<String>)> {
    match evaluation {
        Evaluation::General => None,
        Evaluation::Provident => Some(provident::section(runs)),
        Evaluation::Decomposition => Some(decomposition::section(runs)),
        Evaluation::Mav => Some(mav::section(runs)),
        Evaluation::Selection => Some(selection::section(runs)),
        Evaluation::Interpolation => Some(interpolation::section(runs)),
        Evaluation::Tour => Some(tour::section(runs)),
        Evaluation::Capabilities => Some(capabilities::section(runs)),
    }
}
