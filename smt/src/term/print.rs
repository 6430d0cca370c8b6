//! Terms as SMT-LIB text.
//!
//! Sub-terms with several parents are named by `let`, so that the text is linear in the size of the term's graph. The writer works off a
//! stack of pieces and does not recurse.

use super::{NO_INDEX, Symbol, Term, TermId, TermPool, UpdateSource};
use crate::hash::FxHashMap;
use crate::num::{Int, Rational};
use std::fmt::Write;

/// How symbols are written. The default writes `name@index` in bars, and a name without index as itself.
pub trait SmtLibStyle {
    /// The symbol's text, quoted where SMT-LIB needs it.
    fn symbol(&self, pool: &TermPool, symbol: Symbol) -> String {
        if symbol.index == NO_INDEX {
            quote_symbol(pool.name(symbol.name))
        } else {
            format!("|{}|", strip_bars(&pool.symbol_text(symbol)))
        }
    }

    /// The text of a variable.
    fn variable(&self, pool: &TermPool, symbol: Symbol) -> String {
        self.symbol(pool, symbol)
    }

    /// Whether the function is declared with result `Bool`: its integer value is then written `(ite (p x) 1 0)`.
    fn returns_bool(&self, _function: Symbol) -> bool {
        false
    }

    /// Whether an argument is declared `Bool`: the integer argument `a` is then written `(= a 1)`.
    fn takes_bool(&self, _function: Symbol, _argument: usize) -> bool {
        false
    }

    /// Whether a function with real values is declared with result `Real`: otherwise its value is written `(to_real (f x))`.
    fn returns_real(&self, _function: Symbol) -> bool {
        true
    }

    /// Whether an argument of a function with real values is declared `Real`.
    fn takes_real(&self, _function: Symbol, _argument: usize) -> bool {
        true
    }
}

/// The default style.
struct Plain;
impl SmtLibStyle for Plain {}

/// Names cannot contain bars or backslashes in SMT-LIB, not even quoted.
fn strip_bars(name: &str) -> String {
    name.replace(['|', '\\'], "_")
}

/// A name as an SMT-LIB symbol: as it is if it is a simple symbol, in bars otherwise.
pub fn quote_symbol(name: &str) -> String {
    const RESERVED: [&str; 10] = [
        "_", "!", "as", "let", "exists", "forall", "match", "par", "true", "false",
    ];
    let simple = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
    let is_simple = !name.is_empty()
        && name.bytes().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if is_simple {
        name.to_owned()
    } else {
        format!("|{}|", strip_bars(name))
    }
}

/// A part that is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    Term(TermId),
    /// The number as a term of the sort `Real`.
    Real(TermId),
    /// The term in place, even if it is named by a `let`.
    Definition(TermId),
}

struct Printer<'a> {
    pool: &'a TermPool,
    style: &'a dyn SmtLibStyle,
    /// The `let` names of shared terms.
    named: FxHashMap<TermId, u32>,
}

impl TermPool {
    /// The term as SMT-LIB text: a formula or number that another solver reads.
    pub fn to_smtlib(&self, term: TermId) -> String {
        self.to_smtlib_styled(term, &Plain)
    }

    /// The term as SMT-LIB text in a given style.
    pub fn to_smtlib_styled(&self, term: TermId, style: &dyn SmtLibStyle) -> String {
        let shared = self.shared_terms(term);
        let mut printer = Printer {
            pool: self,
            style,
            named: FxHashMap::default(),
        };
        let mut text = String::new();
        for (name, &id) in (0_u32..).zip(&shared) {
            write!(text, "(let ((.t{name} ").expect("strings accept text");
            printer.write(&mut text, Piece::Definition(id));
            text.push_str(")) ");
            printer.named.insert(id, name);
        }
        printer.write(&mut text, Piece::Term(term));
        text.extend(std::iter::repeat_n(')', shared.len()));
        text
    }

    /// The terms below `root` that would be written more than once and are worth a name, children first.
    fn shared_terms(&self, root: TermId) -> Vec<TermId> {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let count = uses.entry(id).or_insert(0);
            *count += 1;
            if *count > 1 {
                continue;
            }
            order.push(id);
            match *self.term(id) {
                // The sum of an atom is written as two sides, never as itself.
                Term::Le(sum) | Term::Lt(sum) | Term::Eq(sum) if matches!(self.term(sum), Term::Sum(..)) => {
                    self.term(sum).for_each_child(|child| stack.push(child));
                }
                _ => self.term(id).for_each_child(|child| stack.push(child)),
            }
        }
        let leaf = |t: &Term| {
            matches!(
                t,
                Term::True | Term::False | Term::BoolVar(_) | Term::IntVar(_) | Term::RealVar(_) | Term::Const(_)
            )
        };
        order.retain(|id| uses[id] > 1 && !leaf(self.term(*id)));
        order.sort_unstable();
        order
    }
}

/// A number, in SMT-LIB's way of writing negative ones.
pub(crate) fn smtlib_number(value: &Int) -> String {
    if value.is_negative() {
        format!("(- {})", value.abs())
    } else {
        value.to_string()
    }
}

/// A rational number as a real constant, in SMT-LIB's way of writing negative ones and fractions.
pub(crate) fn smtlib_rational(value: &Rational) -> String {
    let numerator = value.numer().abs();
    let text = if value.is_integer() {
        format!("{numerator}.0")
    } else {
        format!("(/ {numerator}.0 {}.0)", value.denom())
    };
    if value.is_negative() {
        format!("(- {text})")
    } else {
        text
    }
}

/// A constant of a sum.
fn constant_text(value: &Int, is_real: bool) -> String {
    if is_real {
        smtlib_rational(&Rational::from(value))
    } else {
        smtlib_number(value)
    }
}

impl Printer<'_> {
    fn write(&self, text: &mut String, piece: Piece) {
        let mut stack = vec![piece];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(t) => text.push_str(t),
                Piece::Owned(t) => text.push_str(&t),
                Piece::Term(id) => match self.named.get(&id) {
                    Some(name) => write!(text, ".t{name}").expect("strings accept text"),
                    None => stack.push(Piece::Definition(id)),
                },
                Piece::Real(id) => match self.pool.term(id) {
                    _ if self.pool.is_real(id) => stack.push(Piece::Term(id)),
                    Term::Const(value) => text.push_str(&constant_text(value, true)),
                    _ => stack.extend([Piece::Text(")"), Piece::Term(id), Piece::Text("(to_real ")]),
                },
                Piece::Definition(id) => {
                    let start = stack.len();
                    self.expand(id, &mut stack);
                    stack[start..].reverse();
                }
            }
        }
    }

    /// Appends the pieces of one term, in reading order.
    fn expand(&self, id: TermId, out: &mut Vec<Piece>) {
        match self.pool.term(id) {
            Term::True => out.push(Piece::Text("true")),
            Term::False => out.push(Piece::Text("false")),
            Term::BoolVar(s) | Term::IntVar(s) | Term::RealVar(s) => {
                out.push(Piece::Owned(self.style.variable(self.pool, *s)))
            }
            Term::Const(value) => out.push(Piece::Owned(smtlib_number(value))),
            Term::Not(a) => match *self.pool.term(*a) {
                Term::Le(sum) if !self.named.contains_key(a) => self.relation("(>", sum, out),
                Term::Lt(sum) if !self.named.contains_key(a) => self.relation("(>=", sum, out),
                _ => self.call("(not", &[*a], out),
            },
            Term::And(list) => self.call("(and", list, out),
            Term::Or(list) => self.call("(or", list, out),
            Term::Iff(a, b) => self.call("(=", &[*a, *b], out),
            Term::Ite(a, b, c) if self.pool.is_real(id) => out.extend([
                Piece::Text("(ite "),
                Piece::Term(*a),
                Piece::Text(" "),
                Piece::Real(*b),
                Piece::Text(" "),
                Piece::Real(*c),
                Piece::Text(")"),
            ]),
            Term::IteBool(a, b, c) | Term::Ite(a, b, c) => self.call("(ite", &[*a, *b, *c], out),
            Term::Le(sum) => self.relation("(<=", *sum, out),
            Term::Lt(sum) => self.relation("(<", *sum, out),
            Term::Eq(sum) => self.relation("(=", *sum, out),
            Term::App(f, arguments) => self.application(*f, arguments, out),
            Term::RealApp(f, arguments) => self.real_application(*f, arguments, out),
            Term::Sum(monomials, constant) => {
                let monomials: Vec<(Int, TermId)> = monomials.to_vec();
                self.side(&monomials, constant, self.pool.is_real(id), out);
            }
            Term::Ratio(a, divisor) => match self.pool.as_rational(id) {
                Some(value) => out.push(Piece::Owned(smtlib_rational(&value))),
                None => {
                    out.extend([Piece::Text("(/ "), Piece::Real(*a)]);
                    out.push(Piece::Owned(format!(" {divisor}.0)")));
                }
            },
            Term::Div(a, divisor) if self.pool.is_real(*a) => {
                if divisor.is_one() {
                    self.call("(to_int", &[*a], out);
                } else {
                    out.extend([Piece::Text("(to_int (/ "), Piece::Real(*a)]);
                    out.push(Piece::Owned(format!(" {divisor}.0))")));
                }
            }
            Term::Div(a, divisor) => {
                self.call("(div", &[*a], out);
                out.pop();
                out.push(Piece::Owned(format!(" {divisor})")));
            }
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => self.update([*new, *old], [*lo, *hi], source, out),
        }
    }

    fn call(&self, head: &'static str, arguments: &[TermId], out: &mut Vec<Piece>) {
        out.push(Piece::Text(head));
        for &argument in arguments {
            out.push(Piece::Text(" "));
            out.push(Piece::Term(argument));
        }
        out.push(Piece::Text(")"));
    }

    fn application(&self, f: Symbol, arguments: &[TermId], out: &mut Vec<Piece>) {
        let truth = self.style.returns_bool(f);
        if truth {
            out.push(Piece::Text("(ite "));
        }
        out.push(Piece::Text("("));
        out.push(Piece::Owned(self.style.symbol(self.pool, f)));
        for (position, &argument) in arguments.iter().enumerate() {
            out.push(Piece::Text(" "));
            if self.style.takes_bool(f, position) {
                out.extend([Piece::Text("(= "), Piece::Term(argument), Piece::Text(" 1)")]);
            } else {
                out.push(Piece::Term(argument));
            }
        }
        out.push(Piece::Text(if truth { ") 1 0)" } else { ")" }));
    }

    fn real_application(&self, f: Symbol, arguments: &[TermId], out: &mut Vec<Piece>) {
        let (truth, number) = (self.style.returns_bool(f), self.style.returns_real(f));
        out.push(Piece::Text(match (truth, number) {
            (true, _) => "(ite (",
            (false, true) => "(",
            (false, false) => "(to_real (",
        }));
        out.push(Piece::Owned(self.style.symbol(self.pool, f)));
        for (position, &argument) in arguments.iter().enumerate() {
            out.push(Piece::Text(" "));
            if self.style.takes_bool(f, position) {
                out.extend([Piece::Text("(= "), Piece::Term(argument), Piece::Text(" 1)")]);
            } else if self.style.takes_real(f, position) {
                out.push(Piece::Real(argument));
            } else {
                out.push(Piece::Term(argument));
            }
        }
        out.push(Piece::Text(match (truth, number) {
            (true, _) => ") 1.0 0.0)",
            (false, true) => ")",
            (false, false) => "))",
        }));
    }

    /// `sum REL 0`, with what is negative moved to the right side.
    fn relation(&self, relation: &'static str, sum: TermId, out: &mut Vec<Piece>) {
        let is_real = self.pool.is_real(sum);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let constant = self.pool.for_each_monomial(sum, |coefficient, term| {
            if coefficient.is_negative() {
                right.push((-coefficient, term));
            } else {
                left.push((coefficient.clone(), term));
            }
        });
        let (left_constant, right_constant) =
            if constant.is_negative() || left.is_empty() != right.is_empty() && right.is_empty() {
                (Int::ZERO, -constant)
            } else {
                (constant, Int::ZERO)
            };
        out.extend([Piece::Text(relation), Piece::Text(" ")]);
        self.side(&left, &left_constant, is_real, out);
        out.push(Piece::Text(" "));
        self.side(&right, &right_constant, is_real, out);
        out.push(Piece::Text(")"));
    }

    /// The sum of monomials and a constant, as a real number if it `is_real`.
    fn side(&self, monomials: &[(Int, TermId)], constant: &Int, is_real: bool, out: &mut Vec<Piece>) {
        let with_constant = !constant.is_zero();
        match (monomials, with_constant) {
            ([], _) => out.push(Piece::Owned(constant_text(constant, is_real))),
            ([(coefficient, term)], false) => self.monomial(coefficient, *term, is_real, out),
            _ => {
                out.push(Piece::Text("(+"));
                for (coefficient, term) in monomials {
                    out.push(Piece::Text(" "));
                    self.monomial(coefficient, *term, is_real, out);
                }
                if with_constant {
                    out.push(Piece::Owned(format!(" {}", constant_text(constant, is_real))));
                }
                out.push(Piece::Text(")"));
            }
        }
    }

    fn monomial(&self, coefficient: &Int, term: TermId, is_real: bool, out: &mut Vec<Piece>) {
        let factor = if is_real { Piece::Real(term) } else { Piece::Term(term) };
        if coefficient.is_one() {
            out.push(factor);
        } else {
            out.extend([
                Piece::Owned(format!("(* {} ", constant_text(coefficient, is_real))),
                factor,
                Piece::Text(")"),
            ]);
        }
    }

    /// An update has no quantifier-free SMT-LIB form; it is written as the universal formula that it abbreviates.
    fn update(&self, functions: [Symbol; 2], range: [TermId; 2], source: &UpdateSource, out: &mut Vec<Piece>) {
        let [new, old] = functions.map(|f| self.style.symbol(self.pool, f));
        let havoc = matches!(source, UpdateSource::Havoc);
        out.push(Piece::Owned(format!(
            "(forall ((.x Int)) ({} (and (<= ",
            if havoc { "or" } else { "ite" }
        )));
        out.extend([
            Piece::Term(range[0]),
            Piece::Text(" .x) (< .x "),
            Piece::Term(range[1]),
            Piece::Text(")) "),
        ]);
        match source {
            UpdateSource::Const(value) => {
                out.extend([
                    Piece::Owned(format!("(= ({new} .x) ")),
                    Piece::Term(*value),
                    Piece::Text(") "),
                ]);
            }
            UpdateSource::Havoc => {}
            UpdateSource::Copy { from, shift } => {
                let from = self.style.symbol(self.pool, *from);
                out.extend([Piece::Owned(format!("(= ({new} .x) ({from} (+ .x "))]);
                out.extend([Piece::Term(*shift), Piece::Text("))) ")]);
            }
        }
        out.push(Piece::Owned(format!("(= ({new} .x) ({old} .x))))")));
    }
}
