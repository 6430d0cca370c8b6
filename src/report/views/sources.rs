//! The lines of the program that a page shows: those of its functions, and small files as a whole.

use super::FileView;
use crate::cfa::{FuncId, Program};
use crate::frontend::text::source::Loc;
use crate::frontend::text::written::WrittenLines;
use std::collections::BTreeSet;

/// Files of at most this number of lines are shown as a whole.
const WHOLE: usize = 1_500;
/// Lines of all functions together, and of one function.
const MAX_LINES: usize = 40_000;
const MAX_LINES_OF_ONE: usize = 5_000;

/// The lines of the functions that a program defines: first those of the functions on error paths, which are named, then the others, until there are very many.
pub(super) fn files<'n>(program: &Program, on_paths: impl Iterator<Item = &'n str>) -> Vec<FileView> {
    let named: BTreeSet<&str> = on_paths.collect();
    let shown = |id: &FuncId| {
        let function = program.function(*id);
        function.defined && !function.library && *id != program.start
    };
    let mut functions: Vec<FuncId> = program.function_ids().filter(shown).collect();
    functions.sort_by_key(|&id| !named.contains(&*program.function(id).name));
    let mut spans: Vec<Option<(Loc, Loc)>> = program.function_ids().map(|id| own(program, id)).collect();
    for edge in program.edge_ids().map(|id| program.edge(id)) {
        let function = program.node(edge.from).func;
        if let Some((begin, end)) = &mut spans[function.index()]
            && is_beside(program, *begin, edge.loc)
        {
            (*begin, *end) = ((*begin).min(edge.loc), (*end).max(edge.loc));
        }
    }
    let lines = |&(begin, end): &(Loc, Loc)| {
        let (begin, end) = (program.sources.line_number(begin), program.sources.line_number(end));
        end - begin + 1
    };
    let mut left = MAX_LINES;
    let mut parts: Vec<(Loc, Loc)> = Vec::new();
    for span in functions.iter().filter_map(|id| spans[id.index()]) {
        let size = lines(&span);
        if size <= MAX_LINES_OF_ONE && size <= left {
            left -= size;
            parts.push(span);
        }
    }
    parts.sort_unstable();
    let files = WrittenLines::new(&program.sources).files(&parts, WHOLE);
    let files = files.into_iter().map(|file| FileView {
        name: file.name,
        lines: file.lines,
    });
    files.collect()
}

/// The place of a function's declarator.
fn own(program: &Program, id: FuncId) -> Option<(Loc, Loc)> {
    let loc = program.function(id).loc;
    loc.is_some().then_some((loc, loc))
}

/// Whether a position is behind the beginning of a function, in the same file.
fn is_beside(program: &Program, begin: Loc, loc: Loc) -> bool {
    let sources = &program.sources;
    loc.is_some() && loc >= begin && sources.piece_of(begin).begin == sources.piece_of(loc).begin
}
