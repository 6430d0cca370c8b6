//! Provident's solver: linear integer arithmetic and uninterpreted functions with proofs and interpolants.
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
//! | [`smtlib`] | the SMT-LIB 2.6 front end |
//! | [`hash`] | the one alias of the hash function in use |
//!
//! ```
//! use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};
//! use provident_smt::proof::Part;
//! use provident_smt::solver::{Answer, Config, Solver};
//! use provident_smt::term::TermPool;
//!
//! let mut pool = TermPool::new();
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
//! let (x, y, five) = (pool.int_var(x, 0), pool.int_var(y, 0), pool.int(5));
//! let (a, b, c) = (pool.le(five, x), pool.le(x, y), pool.lt(y, five));
//!
//! let mut solver = Solver::new(Config::default());
//! solver.assert(&mut pool, a, Part(0));
//! solver.assert(&mut pool, b, Part(0));
//! assert_eq!(solver.check(&mut pool, &[]), Answer::Sat);
//! assert!(solver.model(&pool).eval_int(&pool, y) >= 5.into());
//! assert_eq!(solver.check(&mut pool, &[c]), Answer::Unsat);
//!
//! let left = pool.and2(a, b);
//! let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &[left, c], &InterpolationConfig::default()) else {
//!     panic!("the parts contradict each other");
//! };
//! assert_eq!(pool.to_smtlib(interpolants[0]), "(> |y@0| 4)");
//! ```

pub mod allsat;
pub mod hash;
pub mod interpolate;
pub mod model;
pub mod num;
pub mod products;
pub mod proof;
pub mod smtlib;
pub mod solver;
pub mod term;
