//! The solver from outside: `cargo test -p provident-smt --test solver`, or one module of it with a filter such as `interpolation::`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`numbers`], [`terms`] | numbers and terms mean what they should |
//! | [`solver_random`], [`traces`], [`equality`], [`reals`], [`nonlinear`], [`joins`], [`inprocessing`], [`finite`], [`choices`], [`unbounded`] | answers, against enumeration and fresh solvers; models and proofs checked |
//! | [`proof_checker`], [`alethe`], [`alethe_definitions`] | the checkers of proofs accept and reject what they should |
//! | [`interpolation`], [`interpolation_variants`], [`portfolio`], [`certificates`], [`interpolation_mixed`], [`simplify_interpolants`], [`interpolation_problems`] | interpolants are valid, and as strong as promised |
//! | [`allsat`], [`check_allsat`] | enumerations of models |
//! | [`scripts`], [`fuzz_scripts`], [`printed_models`], [`nested_arrays`], [`shared_arrays`], [`bitvectors`] | SMT-LIB texts |
//! | [`decided`], [`formulas`], [`trees`], [`derivations`], [`alethe_checker`] | what several of them share: answers with checked evidence, random formulas, an observer, a checker of texts |

mod alethe_checker;
mod decided;
mod derivations;
mod formulas;
mod trees;

mod alethe;
mod alethe_definitions;
mod allsat;
mod bitvectors;
mod certificates;
mod check_allsat;
mod choices;
mod equality;
mod finite;
mod fuzz_scripts;
mod inprocessing;
mod interpolation;
mod interpolation_mixed;
mod interpolation_problems;
mod interpolation_variants;
mod joins;
mod nested_arrays;
mod nonlinear;
mod numbers;
mod portfolio;
mod printed_models;
mod proof_checker;
mod reals;
mod scripts;
mod shared_arrays;
mod simplify_interpolants;
mod solver_random;
mod terms;
mod traces;
mod unbounded;
