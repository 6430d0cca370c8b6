//! The views of the page: the text of the program, automata and abstract states as drawings, and the ways of error paths through them, in types made for being written.
//!
//! | module | does |
//! |---|---|
//! | `sources` | the lines of the functions of the program |
//! | `automata` | control-flow automata with places for boxes and edges, and error paths in them |
//! | `exploration` | the abstract reachability graph, on the page and as Graphviz text |

mod automata;
mod exploration;
mod sources;

use super::layout::{Drawing, Size};
use crate::cfa::{Program, Step};
use crate::engine::{Graph, Round};
use crate::evidence::replay::TraceLine;
pub use exploration::arg_dot;
use serde::Serialize;

/// Everything that a report shows besides its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Views {
    /// The text of the program, as far as functions stand in it.
    pub files: Vec<FileView>,
    /// The functions of the program, in order of their names.
    pub functions: Vec<FunctionView>,
    /// The abstract reachability graph.
    pub arg: ArgView,
    /// The explorations of the refinement loop.
    pub rounds: Vec<RoundView>,
    /// The error paths.
    pub paths: Vec<PathView>,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileView {
    /// Its name, as in traces and invariants.
    pub name: String,
    /// The lines with their numbers, in the order of the text.
    pub lines: Vec<(u32, String)>,
}

/// The automaton of a function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FunctionView {
    /// Its name.
    pub name: String,
    /// The file in which it stands.
    pub file: String,
    /// The line of its declarator; 0 if there is none.
    pub line: u32,
    /// Locations and runs of operations, in reverse post-order.
    pub boxes: Vec<BoxView>,
    /// How they follow each other.
    pub edges: Vec<EdgeView>,
    /// Width and height of the drawing.
    pub size: (i64, i64),
    /// Boxes that are left out, because there are too many.
    pub omitted: usize,
}

/// A box of a drawing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoxView {
    /// Its text.
    pub lines: Vec<String>,
    /// `head` for a loop head, else empty.
    pub kind: &'static str,
    /// The line of the program; 0 if there is none.
    pub line: u32,
    /// Left, top, width, height.
    pub area: [i64; 4],
}

/// An edge between boxes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeView {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its points, as [`Line`](super::layout::Line) describes them: horizontal and vertical coordinates in turn.
    pub points: Vec<i64>,
    /// `back` if it leads up, `cover` if it leads to a covering state, else empty.
    pub kind: &'static str,
}

/// Abstract states.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ArgView {
    /// Those at abstraction points, and targets.
    pub states: Vec<StateView>,
    /// Which leads to which, and which is covered by which, for the states that have an area.
    pub edges: Vec<EdgeView>,
    /// Width and height of the drawing.
    pub size: (i64, i64),
    /// Which leads to which, for all states.
    #[serde(skip)]
    pub links: Vec<(usize, usize)>,
    /// All states, also those inside blocks.
    pub total: usize,
    /// States that are left out.
    pub omitted: usize,
    /// Whether it is the whole state space.
    pub complete: bool,
}

/// An abstract state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateView {
    /// The function.
    pub function: String,
    /// The line.
    pub line: u32,
    /// The open calls, as names of the functions called.
    pub stack: Vec<String>,
    /// The abstraction formula as text.
    pub region: String,
    /// Whether it is at a loop head.
    pub head: bool,
    /// Whether it violates a property.
    pub target: bool,
    /// The state that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<usize>,
    /// The text of its box and the area: left, top, width, height; none if it is not drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<(Vec<String>, [i64; 4])>,
}

/// An exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RoundView {
    /// Its number.
    pub round: u64,
    /// Abstract states reached.
    pub states: u64,
    /// Target states among them.
    pub targets: u64,
    /// Predicates of the precision.
    pub predicates: u64,
}

/// An error path in the automata.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathView {
    /// The position of its property.
    pub property: usize,
    /// For each line of the trace the boxes that it passes, as positions of a function and a box of it; of a line with very many boxes the last ones.
    pub lines: Vec<Vec<(usize, usize)>>,
    /// The edges that it passes, as positions of a function and an edge of it.
    pub edges: Vec<(usize, usize)>,
    /// The variables of static storage duration that the trace names.
    pub globals: Vec<String>,
}

/// An error path, as the views are made of it.
#[derive(Debug)]
pub struct ErrorPath<'p> {
    /// The position of its property.
    pub property: usize,
    /// Its steps in the program.
    pub steps: &'p [Step],
    /// Its trace.
    pub lines: &'p [TraceLine],
}

/// The exploration of the predicate analysis, which is about a program of its own, a slice perhaps.
#[derive(Debug)]
pub struct Explored<'p> {
    /// The program.
    pub program: &'p Program,
    /// The last graph.
    pub graph: &'p Graph,
    /// The explorations.
    pub rounds: &'p [Round],
}

/// The views of a program, of what a run explored, and of the error paths.
pub fn views(program: &Program, explored: &Explored<'_>, paths: &[ErrorPath<'_>]) -> Views {
    let (functions, paths) = automata::automata(program, paths);
    let rounds = explored.rounds.iter().map(|round| RoundView {
        round: round.round,
        states: round.states,
        targets: round.targets,
        predicates: round.predicates,
    });
    Views {
        files: sources::files(
            program,
            paths
                .iter()
                .flat_map(|path| &path.lines)
                .flatten()
                .map(|(at, _)| &*functions[*at].name),
        ),
        functions,
        arg: exploration::arg(explored.program, explored.graph),
        rounds: rounds.collect(),
        paths,
    }
}

/// Pixels of a character and of a line in a box, and of its border.
const CHARACTER: i64 = 73;
const TENTHS: i64 = 10;
const LINE: i64 = 16;
const BORDER: i64 = 16;

/// The size of a box with a text.
fn size(lines: &[String]) -> Size {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let pixels = |count: usize, each: i64| i64::try_from(count).unwrap_or(i64::MAX / each).saturating_mul(each);
    Size {
        width: (pixels(longest, CHARACTER) / TENTHS + BORDER).max(30),
        height: pixels(lines.len(), LINE) + 10,
    }
}

/// The area of a box of a drawing.
fn area(drawing: &Drawing, sizes: &[Size], at: usize) -> [i64; 4] {
    let (x, y) = drawing.boxes[at];
    [x, y, sizes[at].width, sizes[at].height]
}

/// The points of an edge of a drawing, and what it is, if nothing else.
fn line(drawing: &Drawing, at: usize) -> (Vec<i64>, &'static str) {
    let line = &drawing.lines[at];
    let points = line.points.iter().flat_map(|&(x, y)| [x, y]);
    (points.collect(), if line.back { "back" } else { "" })
}

fn shorten(line: &str, longest: usize) -> String {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match line.char_indices().nth(longest) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}
