//! C text to typed syntax tree.
pub mod ast;
pub mod diagnostics;
mod layout;
pub mod source;
pub mod types;

use ast::TranslationUnit;
use diagnostics::Diagnostics;
use source::Source;
use types::DataModel;

/// What the front end has to be told.
#[derive(Clone, Debug)]
pub struct FrontendOptions {
    /// The sizes of `long` and pointers.
    pub data_model: DataModel,
}

/// Analyses one program.
///
/// # Errors
///
/// All problems found.
pub fn parse(source: Source, _options: &FrontendOptions) -> Result<TranslationUnit, Diagnostics> {
    Err(Diagnostics::of_file(&source.name, "the parser is being written"))
}
