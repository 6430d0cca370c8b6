//! Provident's solver: linear integer and real arithmetic and uninterpreted functions with proofs and interpolants.
//!
//! This crate knows nothing of programs, C or files.
//!
//! | module | does |
//! |---|---|
//! | [`num`] | small-first exact integers and rationals |
//! | [`term`] | hash-consed terms, symbols with SSA indices, portable formulas |
//! | [`solver`] | the incremental CDCL(T) search and its theories |
//! | [`model`] | models and the independent evaluation of terms in them |
//! | [`proof`] | the clausal proof, its independent checker |
//! | [`interpolate`] | sequence interpolants from a proof, and their checks |
//! | [`allsat`] | all models over a set of literals |
//! | [`products`] | all valuations of a set of literals, as a union of products |
//! | [`blast`] | formulas over the bits of integers |
//! | [`smtlib`] | the SMT-LIB 2.6 front end |
//! | [`hash`] | the one alias of the hash function in use |
//! | [`fault`] | planted faults, for tests of the checks |
//!
//! # How it is used
//!
//! Terms come from a [`term::TermPool`]; the solver's calls take the pool along.
//!
//! **Checks and models.** A [`solver::Solver`] keeps its assertions, and the work done on them, between checks.
//!
//! ```
//! use provident_smt::proof::Part;
//! use provident_smt::solver::{Answer, Config, Solver};
//! use provident_smt::term::TermPool;
//!
//! let mut pool = TermPool::new();
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
//! let (x, y, five) = (pool.int_var(x, 0), pool.int_var(y, 0), pool.int(5));
//! let (a, b) = (pool.le(five, x), pool.lt(x, y));
//!
//! let mut solver = Solver::new(Config::default());
//! solver.assert(&mut pool, a, Part(0));
//! solver.assert(&mut pool, b, Part(0));
//! assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
//! let model = solver.model(&pool);
//! assert!(model.eval_int(&pool, y) > 5.into());
//! assert!(model.eval_bool(&pool, a) && model.eval_bool(&pool, b));
//! ```
//!
//! **Assumptions and cores.** A check may assume formulas for itself only. After `Unsat`, the core says which of them were needed.
//!
//! ```
//! # use provident_smt::{proof::Part, solver::{Answer, Config, Solver}, term::TermPool};
//! # let mut pool = TermPool::new();
//! # let mut solver = Solver::new(Config::default());
//! let x = pool.symbol("x");
//! let (x, zero, nine) = (pool.int_var(x, 0), pool.int(0), pool.int(9));
//! let (positive, small, negative) = (pool.lt(zero, x), pool.lt(x, nine), pool.lt(x, zero));
//! solver.assert(&mut pool, positive, Part(0));
//! assert_eq!(solver.check(&mut pool, &[small, negative]), Answer::Unsat);
//! assert_eq!(solver.core(), [negative]);
//! assert_eq!(solver.check(&mut pool, &[small]), Answer::Sat);
//! ```
//!
//! **Scopes.** Assertions are taken back with the scope that they were made in. Learned clauses stay.
//!
//! ```
//! # use provident_smt::{proof::Part, solver::{Answer, Config, Solver}, term::TermPool};
//! # let mut pool = TermPool::new();
//! # let mut solver = Solver::new(Config::default());
//! let p = pool.symbol("p");
//! let p = pool.bool_var(p, 0);
//! let not_p = pool.not(p);
//! solver.assert(&mut pool, p, Part(0));
//! solver.push();
//! solver.assert(&mut pool, not_p, Part(0));
//! assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
//! solver.pop();
//! assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
//! ```
//!
//! **Proofs.** A solver with proofs hands out a refutation, which the independent checker accepts or not.
//!
//! ```
//! # use provident_smt::{proof::{self, Part}, solver::{Answer, Config, Solver}, term::TermPool};
//! # let mut pool = TermPool::new();
//! let mut solver = Solver::new(Config { proofs: true, ..Config::default() });
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
//! let (x, y) = (pool.int_var(x, 0), pool.int_var(y, 0));
//! let (below, above) = (pool.lt(x, y), pool.lt(y, x));
//! solver.assert(&mut pool, below, Part(0));
//! solver.assert(&mut pool, above, Part(1));
//! assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
//! let refutation = solver.proof().expect("no assumption was needed");
//! assert_eq!(proof::check(&mut pool, &refutation, &[(Part(0), below), (Part(1), above)]), Ok(()));
//! assert!(proof::check(&mut pool, &refutation, &[(Part(0), below)]).is_err());
//! let size = refutation.statistics();
//! assert_eq!((size.inputs, size.farkas, size.clauses), (2, 1, refutation.len()));
//! ```
//!
//! **Interpolants.** From formulas that contradict each other in their order: what the first ones say in the words of the last ones.
//!
//! ```
//! # use provident_smt::term::TermPool;
//! use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};
//! # let mut pool = TermPool::new();
//! # let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
//! # let (x, y, five) = (pool.int_var(x, 0), pool.int_var(y, 0), pool.int(5));
//! let (a, b, c) = (pool.le(five, x), pool.le(x, y), pool.lt(y, five));
//! let left = pool.and2(a, b);
//! let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &[left, c], &InterpolationConfig::default()) else {
//!     panic!("the parts contradict each other");
//! };
//! assert_eq!(pool.to_smtlib(interpolants[0]), "(> |y@0| 4)");
//! ```
//!
//! **All models**, projected on some formulas, as disjoint cubes.
//!
//! ```
//! # use provident_smt::{proof::Part, solver::{Config, Solver}, term::TermPool};
//! use provident_smt::allsat::{AllSatAnswer, all_sat};
//! # let mut pool = TermPool::new();
//! # let mut solver = Solver::new(Config::default());
//! # let x = pool.symbol("x");
//! # let (x, three, seven) = (pool.int_var(x, 0), pool.int(3), pool.int(7));
//! let (small, large) = (pool.lt(x, three), pool.lt(seven, x));
//! let mut cubes = Vec::new();
//! let answer = all_sat(&mut solver, &mut pool, &[small, large], &mut |cube| cubes.push(cube.to_vec()));
//! assert!(matches!(answer, AllSatAnswer::Complete(_)));
//! // Small, large, or neither; but not both.
//! let valuations: usize = cubes.iter().map(|cube| 1 << (2 - cube.len())).sum();
//! assert_eq!(valuations, 3);
//! ```

pub mod allsat;
pub mod blast;
pub mod fault;
pub mod hash;
pub mod interpolate;
pub mod model;
pub mod num;
pub mod products;
pub mod proof;
pub mod smtlib;
pub mod solver;
pub mod term;
