//! The control-flow automata of a whole program: plain data, no SMT.
//!
//! A [`Program`] is a list of functions, each a graph of [`Node`]s and [`Edge`]s. An edge carries one [`Op`]: an assumption, an
//! assignment, a call, a memory operation. The rest of C inside an operation is an [`Expr`] without side effects and
//! without control flow: `&&`, `||`, `?:`, calls and assignments inside expressions have become edges and temporaries.
//! So an analysis needs one case per operation and one per expression kind, and no more.
//!
//! # Meaning of expressions
//!
//! * Operands of `Add` to `Xor` and of comparisons have equal types; conversions are explicit [`ExprKind::Cast`]s.
//!   Comparisons and `LogNot` give the `int` 0 or 1. `Shl` and `Shr` have the left operand's type, the right is any integer.
//! * Pointer arithmetic is in **bytes**: `Add` with a pointer type has a pointer left and a (signed) integer of pointer width
//!   right (scaling is an explicit `Mul`, subtraction a negative right side) and wraps modulo 2^width. Pointer difference is:
//!   casts to integer, `Sub`, `Div` by the size. Comparisons of pointers are unsigned.
//! * A conversion to `_Bool` tests whether the operand is not zero; any other conversion between integers keeps the low bits.
//! * The value of an index is taken as a mathematical integer; the address of an element wraps modulo 2^width.
//! * Signed overflow wraps. Division by zero, `INT_MIN / -1` and over-wide shifts have an unspecified value.
//! * Functions and pointers share one address space; 0 is the null pointer.
//!
//! # Invariants
//!
//! `Program::validate` states them as assertions.
//!
//! This room uses only the front end's types and places, and the names of the C library.
//!
//! | module | does |
//! |---|---|
//! | `ids` | numbers of variables, functions, nodes and edges |
//! | `automaton` | the program: functions as graphs, and variables |
//! | `operation` | what edges do |
//! | `tree` | expressions and places |
//! | `operators` | the operators of expressions |
//! | [`visit`] | the expressions and places in an operation |
//! | [`path`] | steps of paths |
//! | [`assumption`] | what is taken on trust |
//! | [`check`] | places where C gives an operation no meaning |
//! | [`invention`] | values that the model invents |
//! | [`expr`] | building expressions with exact constant folding |
//! | [`interval`] | bounds of results |
//! | [`math`] | functions of scalars: the exact part of `math.h` |
//! | [`layout`] | fixed addresses |
//! | [`outside`] | addresses of objects of the environment |
//! | [`scalar`] | the scalars that objects consist of |
//! | `addresses` | where a program makes numbers of addresses |
//! | `validate` | the structural invariants |

pub(super) mod addresses;
pub mod assumption;
pub mod check;
pub mod expr;
pub mod interval;
pub mod invention;
pub mod layout;
pub mod math;
pub mod outside;
pub mod path;
pub mod scalar;
pub(super) mod validate;
pub mod visit;

mod automaton;
mod ids;
mod operation;
mod operators;
mod tree;

pub use automaton::*;
pub use ids::*;
pub use invention::Invention;
pub use operation::*;
pub use operators::*;
pub use tree::*;
