//! Executions along an error path.
//!
//! The formula of an error path may be hard although its execution is not: words of memory as sums of bytes, and operations that wrap around, keep a solver busy with numbers that an execution simply
//! has. So where the solver has not decided an error path, or has found no inputs that lead along it, the program is explored with explicit values on the edges of this path alone: a test that an
//! abstract counterexample directs (Gulavani, Henzinger, Kannan, Nori, Rajamani, *SYNERGY: a new algorithm for property checking*, FSE 2006). Loops of the path may have other numbers of rounds there.
//!
//! It proves nothing; what it finds is replayed as every other violation.

use super::explicit::{Run, SLICE, automata_off};
use crate::cfa::EdgeId;
use crate::cpa::predicate::blocks::BlockId;
use crate::engine::loops::session::Session;
use crate::explicit::{Compiled, Event, Explorer};

/// Steps along one error path.
const STEPS: u64 = 1_000_000;

/// Ticks of the solver for paths on which the exploration has approximated something.
const SOLVER_TICKS: u64 = 2_000_000;

/// Paths that the replay may not confirm.
const MAX_FAILURES: usize = 8;

/// Explores the edges of an error path for violations at its target.
pub(in crate::engine) fn along(session: &mut Session<'_, '_>, blocks: &[BlockId], target: EdgeId) {
    let code = Compiled::without(session.program, automata_off(session).into_iter().collect());
    let edges = session.current.cpa.domain.blocks.edges(blocks);
    let imagines = session.options.explicit.objects;
    let mut run = Run::new(session, &code, SOLVER_TICKS);
    let mut explorer = Explorer::new(&code, [target].into_iter());
    explorer.keep_to(edges);
    if imagines {
        explorer.imagine_objects();
    }
    let limit = run.affordable(STEPS);
    while run.failures < MAX_FAILURES && !run.is_interrupted() {
        match explorer.run(limit.min(explorer.steps + SLICE)) {
            Event::Target(edge) => {
                run.target(&mut explorer, edge);
                if run.session.current.cpa.violated(edge).is_empty() {
                    break;
                }
            }
            Event::Complete => break,
            Event::Exhausted if explorer.steps >= limit => break,
            Event::Exhausted | Event::Cut | Event::Unmodelled(_) => {}
        }
    }
    run.spent += explorer.steps;
    run.charge();
}
