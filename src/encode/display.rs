//! Formulas as C-like text for people.

use super::Encoder;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, Term, TermId, TermPool, UpdateSource};

/// Deeper terms are cut: they are unreadable, and the stack is finite.
const DEPTH: u32 = 200;

/// See [`Encoder::display`].
pub fn display(pool: &TermPool, formula: TermId) -> String {
    Printer { pool }.show(formula, DEPTH, false)
}

struct Printer<'a> {
    pool: &'a TermPool,
}

impl Printer<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        let name = self.pool.name(symbol.name);
        if symbol.index == NO_INDEX {
            name.to_owned()
        } else {
            format!("{name}@{}", symbol.index)
        }
    }

    fn show(&self, term: TermId, depth: u32, nested: bool) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "...".to_owned();
        };
        let sub = |t: TermId| self.show(t, depth, true);
        let list = |ts: &[TermId], op: &str| {
            let mut parts: Vec<String> = ts.iter().map(|&t| sub(t)).collect();
            // The order of ids is the order of creation, which means nothing to a reader.
            parts.sort_unstable();
            parts.join(op)
        };
        let (text, compound) = match self.pool.term(term) {
            Term::True => ("1".to_owned(), false),
            Term::False => ("0".to_owned(), false),
            Term::BoolVar(s) | Term::IntVar(s) | Term::RealVar(s) => (self.symbol(*s), false),
            Term::Not(inner) => match self.pool.term(*inner) {
                Term::Eq(sum) => (self.relation(*sum, "!=", depth), true),
                Term::Le(sum) => (self.relation(*sum, ">", depth), true),
                Term::Lt(sum) => (self.relation(*sum, ">=", depth), true),
                _ => (format!("!{}", sub(*inner)), false),
            },
            Term::And(ts) => (list(ts, " && "), true),
            Term::Or(ts) => (list(ts, " || "), true),
            Term::Iff(a, b) => (format!("{} == {}", sub(*a), sub(*b)), true),
            Term::IteBool(c, t, e) | Term::Ite(c, t, e) => (format!("{} ? {} : {}", sub(*c), sub(*t), sub(*e)), true),
            Term::Le(sum) => (self.relation(*sum, "<=", depth), true),
            Term::Lt(sum) => (self.relation(*sum, "<", depth), true),
            Term::Eq(sum) => (self.relation(*sum, "==", depth), true),
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => {
                let what = match source {
                    UpdateSource::Const(v) => sub(*v),
                    UpdateSource::Havoc => "*".to_owned(),
                    UpdateSource::Copy { from, shift } => format!("{}[+ {}]", self.symbol(*from), sub(*shift)),
                };
                (
                    format!(
                        "{} = {}[{}..{} := {what}]",
                        self.symbol(*new),
                        self.symbol(*old),
                        sub(*lo),
                        sub(*hi)
                    ),
                    true,
                )
            }
            Term::App(f, args) | Term::RealApp(f, args) => (self.application(*f, args, depth), false),
            Term::Const(value) => (value.to_string(), value.is_negative()),
            Term::Sum(..) => (self.sum(term, depth), true),
            Term::Ratio(t, by) => (format!("{} / {by}", sub(*t)), true),
            Term::Div(t, by) => (format!("floor({} / {by})", sub(*t)), false),
        };
        if nested && compound { format!("({text})") } else { text }
    }

    /// A function: an operator in infix form, a region as an array of what it holds.
    fn application(&self, f: Symbol, args: &[TermId], depth: u32) -> String {
        let name = self.pool.name(f.name);
        let infix = [
            ("__mul:", "*"),
            ("__div:", "/"),
            ("__rem:", "%"),
            ("__and:", "&"),
            ("__or:", "|"),
            ("__xor:", "^"),
            ("__shl:", "<<"),
            ("__shr:", ">>"),
        ];
        if let (Some((_, op)), [a, b]) = (infix.iter().find(|(prefix, _)| name.starts_with(prefix)), args) {
            return format!("({} {op} {})", self.show(*a, depth, true), self.show(*b, depth, true));
        }
        let inner: Vec<String> = args.iter().map(|&a| self.show(a, depth, false)).collect();
        format!("{}[{}]", self.symbol(f), inner.join(", "))
    }

    /// `sum op 0` with what is negative moved to the right.
    fn relation(&self, sum: TermId, op: &str, depth: u32) -> String {
        let mut left: Vec<(Int, TermId)> = Vec::new();
        let mut right: Vec<(Int, TermId)> = Vec::new();
        let constant = self.pool.for_each_monomial(sum, |c, t| {
            if c.is_negative() {
                right.push((-c, t))
            } else {
                left.push((c.clone(), t))
            }
        });
        let bound = -constant;
        // Strictness is kept; `3 > x` reads worse than `x < 3`.
        if left.is_empty() {
            let mirrored = match op {
                "<=" => ">=",
                ">" => "<",
                other => other,
            };
            return format!("{} {mirrored} {}", self.monomials(&right, &Int::ZERO, depth), -bound);
        }
        format!(
            "{} {op} {}",
            self.monomials(&left, &Int::ZERO, depth),
            self.monomials(&right, &bound, depth)
        )
    }

    fn sum(&self, term: TermId, depth: u32) -> String {
        let mut all: Vec<(Int, TermId)> = Vec::new();
        let constant = self.pool.for_each_monomial(term, |c, t| all.push((c.clone(), t)));
        self.monomials(&all, &constant, depth)
    }

    fn monomials(&self, monomials: &[(Int, TermId)], constant: &Int, depth: u32) -> String {
        let mut parts: Vec<(String, bool)> = monomials
            .iter()
            .map(|(c, t)| {
                let text = self.show(*t, depth, true);
                let text = if c.abs().is_one() {
                    text
                } else {
                    format!("{} * {text}", c.abs())
                };
                (text, c.is_negative())
            })
            .collect();
        parts.sort_unstable();
        parts.sort_by_key(|(_, negative)| *negative);
        let mut text = String::new();
        for (part, negative) in parts {
            text.push_str(match (text.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            text.push_str(&part);
        }
        if text.is_empty() {
            return constant.to_string();
        }
        if constant.is_negative() {
            text.push_str(&format!(" - {}", constant.abs()));
        } else if !constant.is_zero() {
            text.push_str(&format!(" + {constant}"));
        }
        text
    }
}

impl Encoder<'_> {
    /// Whether a symbol's name is that of a variable of the program, not of a region or of the encoder's own.
    pub fn is_variable(&self, name: &str) -> bool {
        self.slots
            .find(name)
            .is_some_and(|slot| self.slots.scalar(slot).is_some())
    }
}
