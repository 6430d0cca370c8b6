//! Provident: a software model checker for C.
//!
//! The way of the data: C text becomes a typed syntax tree ([`frontend`]), the tree becomes control-flow automata
//! ([`cfa`]), a property becomes a set of edges that must not be executed ([`spec`]). The [`engine`] explores the abstract
//! states of the program ([`cpa`]) and refines the abstraction ([`refine`]) with formulas ([`encode`]) that the solver
//! (`provident_smt`) decides and interpolates. A violation counts only after [`evidence`] has replayed it on a concrete
//! machine that shares no code with the encoder. [`report`] writes down what was found. [`verify`](mod@verify) owns the whole of it, from the task to the
//! verdicts; [`campaign`] runs many tasks, and [`cli`] is the command line.
//!
//! Newcomers begin with the [`guide`]: first steps, assumptions, evidence, the walk of one task through the rooms, and a glossary.
//!
//! # As a library
//!
//! [`verify::verify`] is the boundary: it takes a [`Task`](verify::Task) and [`Options`](verify::Options), and returns an [`Outcome`](verify::Outcome) with one answer for each property.
//!
//! ```
//! use provident::cfa::LowerOptions;
//! use provident::engine::Silent;
//! use provident::frontend::types::DataModel;
//! use provident::report::Answer;
//! use provident::spec::parse_properties;
//! use provident::verify::{Claim, Options, ProgramFile, Requested, Task, verify};
//! use std::path::Path;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A preprocessed file: the verification calls no other program.
//! let input = std::env::temp_dir().join(format!("provident-example-{}.i", std::process::id()));
//! std::fs::write(
//!     &input,
//!     "extern int __VERIFIER_nondet_int(void);
//!     extern void reach_error(void);
//!     int main(void) {
//!         int n = __VERIFIER_nondet_int();
//!         if (n > 10 && n * 2 == 42)
//!             reach_error();
//!         return 0;
//!     }",
//! )?;
//!
//! let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
//! let requested: Vec<Requested> = parse_properties(Path::new("example.prp"), text)?
//!     .into_iter()
//!     .map(|property| Requested {
//!         name: property.name.clone(),
//!         claim: Claim::Forbidden(property),
//!         expected: None,
//!     })
//!     .collect();
//! let mut program = ProgramFile {
//!     units: vec![input.clone().into()],
//!     data_model: DataModel::Lp64,
//!     lower: LowerOptions::default(),
//!     models: Vec::new(),
//! };
//! program.forbid(&requested);
//!
//! let outcome = verify(&Task { program, requested }, &Options::default(), &mut Silent)?;
//! let property = &outcome.report.properties[0];
//! assert_eq!(property.verdict, Answer::False);
//! let trace = property.trace.as_ref().expect("a violation is shown by an execution");
//! assert_eq!(trace.inputs[0].value, "21");
//! # std::fs::remove_file(input)?;
//! # Ok(())
//! # }
//! ```
//!
//! An [`Observer`](verify::Observer) in the place of [`Silent`](engine::Silent) hears of progress and can show the report as it would be now.
//!
//! # The rooms
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
//! | [`explicit`] | exploration with explicit values and symbolic inputs | refinement |
//! | [`cpa`] | abstract domains and the exploration | refinement |
//! | [`refine`] | feasibility, interpolation to precisions, provident operators | budgets |
//! | [`engine`] | the refinement loops, budgets, verdicts | files and terminals |
//! | [`certify`] | claims of a proof: states, invariants, guesses | files and terminals |
//! | [`evidence`] | replay of counterexamples, the assumption ledger | the command line |
//! | [`report`] | text and JSON reports | |
//! | [`guide`] | the user guide | code |
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
pub mod guide;
pub mod query;
pub mod refine;
pub mod report;
pub mod spec;
pub mod verify;
