//! Provident: a software model checker for C.
//!
//! The way of the data: C text becomes a typed syntax tree ([`frontend`]), the tree becomes control-flow automata
//! ([`cfa`]), a property becomes a set of edges that must not be executed ([`spec`]). The [`engine`] explores the abstract
//! states of the program ([`cpa`]) and refines the abstraction ([`refine`]) with formulas ([`encode`]) that the solver
//! (`provident_smt`) decides and interpolates. A violation counts only after [`evidence`] has replayed it on a concrete
//! machine that shares no code with the encoder. [`report`] writes down what was found. [`verify`](mod@verify) owns the whole of it, from the task to the
//! verdicts; [`campaign`] runs many tasks, and [`cli`] is the command line.
//!
//! Each module ("room") may use only those that stand above it in this table; `tests/unit/architecture.rs` holds the rule.
//!
//! | room | does | knows nothing of |
//! |---|---|---|
//! | `provident_smt` | terms, solver, proofs, interpolation | programs, C, files |
//! | [`frontend`] | preprocessing, parsing, types and layout | control-flow automata |
//! | [`cfa`] | control-flow automata and the lowering to them | formulas |
//! | [`spec`] | property files and task definitions | abstract domains |
//! | [`encode`] | path formulas | abstract states |
//! | [`query`] | effort, values of operators found so far, checks of the answers of the solver | abstract states |
//! | [`explicit`] | exploration with explicit values and symbolic inputs, simulation | refinement |
//! | [`cpa`] | abstract domains and the exploration | refinement |
//! | [`refine`] | feasibility, interpolation to precisions, provident operators | budgets |
//! | [`engine`] | the refinement loops, budgets, verdicts | files and terminals |
//! | [`certify`] | claims of a proof: states, invariants, guesses | files and terminals |
//! | [`evidence`] | replay of counterexamples, the assumption ledger | the command line |
//! | [`report`] | text and JSON reports | |
//! | [`verify`](mod@verify) | a verification: stages, verdict policy, evidence | the command line |
//! | [`campaign`] | many tasks, tables | |
//! | [`cli`] | options, commands, exit codes | |

pub mod campaign;
pub mod certify;
pub mod cfa;
pub mod cli;
pub mod cpa;
pub mod encode;
pub mod engine;
pub mod evidence;
pub mod explicit;
pub mod frontend;
pub mod query;
pub mod refine;
pub mod report;
pub mod spec;
pub mod verify;
