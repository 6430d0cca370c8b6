//! How a task is verified: plain data, filled by the command line or by a test.

use super::selector::Model;
use super::strategy::Strategy;
use crate::cfa::program::invention::Inventions;
use crate::engine;
use crate::report::configuration::Configuration;
use crate::spec::weaving::Mode;
use std::path::PathBuf;
use std::sync::Arc;

/// All options of [`verify`](super::verify).
#[derive(Debug, Clone)]
pub struct Options {
    /// How the engine works in each stage, and the limits of all stages together.
    pub engine: engine::Options,
    /// The model that chooses the metric of distances in place of the engine's options.
    pub selector: Option<Arc<Model>>,
    /// The stages.
    pub strategy: Strategy,
    /// How specification automata are followed.
    pub mode: Mode,
    /// Whether a TRUE that holds only under an assumption counts as UNKNOWN.
    pub strict: bool,
    /// The sorts of invented values that count as inputs.
    pub invented: Inventions,
    /// The folder for evidence.
    pub out: Option<PathBuf>,
    /// The results file.
    pub results: Option<PathBuf>,
    /// The options as the user gave them, for the report.
    pub described: Vec<String>,
    /// All options with the values that are used, for the report.
    pub configuration: Configuration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: engine::Options::default(),
            selector: None,
            strategy: Strategy::sliced(),
            mode: Mode::Auto,
            strict: false,
            invented: Inventions::default(),
            out: None,
            results: None,
            described: Vec::new(),
            configuration: Configuration::default(),
        }
    }
}
