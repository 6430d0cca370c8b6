//! The texts of a program one after the other: translation units, each with a file scope of its own, then the files of a library.
//!
//! All of them go into the same tables, so that joining units (`link`) means to say which entries are one. The file scopes of all units together are what
//! a library sees of the program.

use super::{Binding, MAX_ERRORS, Meaning, Parser, Tag, token_problems};
use crate::frontend::text::diagnostics::Diagnostic;
use crate::frontend::text::lexer::Tokens;

/// The meaning of names at file scope.
#[derive(Default)]
pub(super) struct FileScope {
    pub(super) ordinary: Vec<Option<Binding<Meaning>>>,
    pub(super) tags: Vec<Option<Binding<Tag>>>,
}

impl FileScope {
    /// Adds what another scope declares and this one does not.
    fn add(&mut self, other: FileScope) {
        fn add<M: Copy>(to: &mut Vec<Option<Binding<M>>>, from: Vec<Option<Binding<M>>>) {
            to.resize(to.len().max(from.len()), None);
            for (to, from) in to.iter_mut().zip(from) {
                *to = to.or(from);
            }
        }
        add(&mut self.ordinary, other.ordinary);
        add(&mut self.tags, other.tags);
    }
}

/// Where the tables of a translation unit begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitBegin {
    pub records: usize,
    pub enums: usize,
}

impl<'t> Parser<'t> {
    /// The number of the unit that is read.
    pub fn unit(&self) -> u32 {
        u32::try_from(self.units.len() - 1).expect("a text of 4 GiB has fewer units")
    }

    /// Ends the unit: its names at file scope are out of scope.
    pub fn end_unit(&mut self) {
        self.unit_typedefs.push(self.typedefs());
        let ended = FileScope {
            ordinary: std::mem::take(&mut self.ordinary),
            tags: std::mem::take(&mut self.tags),
        };
        self.earlier.add(ended);
        self.linked.clear();
        self.poisoned.clear();
    }

    /// Begins the next unit, with a file scope of its own.
    pub fn start_unit(&mut self, text: &'t [u8], base: u32, mut tokens: Tokens<'t>) {
        self.units.push(UnitBegin {
            records: self.types.records().count(),
            enums: self.types.enums().count(),
        });
        let room = MAX_ERRORS.saturating_sub(self.diagnostics.len());
        let problems = token_problems(std::mem::take(&mut tokens.errors));
        self.diagnostics.extend(problems.into_iter().take(room));
        self.pending_vlas.clear();
        self.open_records.clear();
        let symbols = tokens.names.len();
        (self.ordinary, self.tags) = (vec![None; symbols], vec![None; symbols]);
        self.start_text(text, base, tokens);
    }

    /// Hides what the program declares, but for its types.
    pub fn enter_library(&mut self) {
        assert!(
            self.at_file_scope() && self.program.is_none(),
            "a library begins behind the program"
        );
        self.program = Some(std::mem::take(&mut self.earlier));
    }

    /// Goes on with another text.
    pub fn start_text(&mut self, text: &'t [u8], base: u32, tokens: Tokens<'t>) {
        (self.text, self.base, self.pos) = (text, base, 0);
        (self.tokens, self.names) = (tokens.list, tokens.names);
        (self.packs, self.weak) = (tokens.packs, tokens.weak);
    }

    /// Takes the problems so far, so that what follows is read as if there were none.
    pub fn forget_problems(&mut self) -> Vec<Diagnostic> {
        self.poisoned.clear();
        std::mem::take(&mut self.diagnostics)
    }
}
