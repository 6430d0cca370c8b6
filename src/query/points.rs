//! Exact values of non-linear operators at the points where models got them wrong.
//!
//! For `x * y` or `x & y` with two unknowns, the encoder has only cheap axioms ([`evaluate_operator`] computes exact values). A model of a path may
//! therefore rest on a wrong product. Then the exact value for these arguments becomes a *point* of the run, and from then on every block formula that
//! applies the operator contains it. This is refinement of the encoding on demand, driven by spurious models
//! (Brummayer and Biere, *Lemmas on demand*, 2009). A point holds for all terms with these values, wherever they
//! occur; so one point serves all paths.
//!
//! Products and floating-point operations get more than their points. A floating-point operation is monotone ([`float_lemmas`]), and there are [laws](float_law) of two applications. A product with one known factor is linear in the other, as long as it does not wrap around.

use crate::encode::{
    Application, evaluate_operator, float_corner, float_law, float_lemmas, float_thresholds, is_product,
};
use provident_smt::fault::planted;
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// More points of one operator are not collected: what needs them is not decided this way.
const MAX_POINTS: usize = 64;

/// The value of an operator at concrete arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    operator: String,
    arguments: Vec<Int>,
    value: Int,
}

impl Point {
    /// Whether it is the value of a product.
    pub fn is_product(&self) -> bool {
        is_product(&self.operator)
    }
}

/// The points known so far.
#[derive(Debug, Clone, Default)]
pub struct Points {
    known: BTreeMap<String, BTreeSet<(Vec<Int>, Int)>>,
}

impl Points {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Adds a point; whether it is new (and there was room).
    pub fn add(&mut self, point: Point) -> bool {
        let points = self.known.entry(point.operator).or_default();
        points.len() < MAX_POINTS && points.insert((point.arguments, point.value))
    }

    /// Adds the greatest and the least product with a factor that does not wrap around: it is linear in between. `is_first` says on which side the factor stands.
    pub fn scale(&mut self, operator: &str, factor: &Int, is_first: bool) {
        let kind = operator.split_once(':').map(|(_, kind)| kind);
        let Some((sign, Ok(width))) = kind.and_then(|kind| Some((kind.get(..1)?, kind.get(1..)?.parse::<u32>())))
        else {
            return;
        };
        let (least, greatest) = match sign {
            "i" if width > 0 => (-Int::pow2(width - 1), Int::pow2(width - 1) - Int::ONE),
            _ => (Int::ZERO, Int::pow2(width) - Int::ONE),
        };
        if *factor <= Int::ZERO {
            return;
        }
        let up = |number: &Int| -(-number).div_floor(factor);
        for other in [up(&least), greatest.div_floor(factor)] {
            let arguments = match is_first {
                true => vec![factor.clone(), other],
                false => vec![other, factor.clone()],
            };
            if let Some(value) = evaluate_operator(operator, &arguments) {
                self.add(Point {
                    operator: operator.to_string(),
                    arguments,
                    value,
                });
            }
        }
    }

    /// All points: operator, arguments, value.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[Int], &Int)> {
        let all = self.known.iter();
        all.flat_map(|(operator, points)| {
            points
                .iter()
                .map(move |(at, value)| (operator.as_str(), at.as_slice(), value))
        })
    }

    /// The facts that the points give for the applications in a formula.
    pub fn lemmas(&self, pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
        let mut lemmas = Vec::new();
        let applications = applications(pool, &[formula]);
        for (term, operator, operands) in &applications {
            let Some(points) = self.known.get(operator) else {
                continue;
            };
            for (arguments, value) in points {
                lemmas.extend(lemma(pool, (*term, operator, operands), arguments, value));
            }
            if operator.starts_with("__fp:") {
                let one = Application {
                    term: *term,
                    operator,
                    operands,
                };
                for (term, operator, operands) in &applications {
                    let other = Application {
                        term: *term,
                        operator,
                        operands,
                    };
                    lemmas.extend(float_law(pool, one, other));
                }
            }
        }
        lemmas
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(all: I) -> Points {
        let mut points = Points::default();
        for point in all {
            points.add(point);
        }
        points
    }
}

/// The points that a model of the formulas gets wrong, each once, in order of occurrence; for floating-point operations also points from which
/// monotonicity says most. Applications that the model leaves open are not looked at.
pub fn violated(pool: &TermPool, model: &Model, formulas: &[TermId]) -> Vec<Point> {
    let mut values = model.evaluator(pool);
    let mut found = Vec::new();
    let mut thresholds = None;
    for (term, operator, arguments) in applications(pool, formulas) {
        let arguments: Vec<Int> = arguments.into_iter().map(|a| values.eval_int(a)).collect();
        let Term::App(symbol, _) = pool.term(term) else {
            continue;
        };
        if !model.mentions_point(*symbol, &arguments) {
            continue;
        }
        let Some(value) = evaluate_operator(&operator, &arguments) else {
            continue;
        };
        let value = if planted("operator-value") {
            value + Int::ONE
        } else {
            value
        };
        let point = Point {
            operator,
            arguments,
            value,
        };
        let given = values.eval_int(term);
        if given == point.value || found.contains(&point) {
            continue;
        }
        if point.operator.starts_with("__fp:") {
            let thresholds = thresholds.get_or_insert_with(|| float_thresholds(pool, formulas));
            let corner = float_corner(&point.operator, &point.arguments, &point.value, &given, thresholds);
            let corner = corner.and_then(|arguments| {
                let value = evaluate_operator(&point.operator, &arguments)?;
                Some(Point {
                    operator: point.operator.clone(),
                    arguments,
                    value,
                })
            });
            found.extend(corner.filter(|corner| !found.contains(corner)));
        }
        found.push(point);
    }
    found
}

/// Whether a formula applies a non-linear operator.
pub fn has_operators(pool: &TermPool, formula: TermId) -> bool {
    !applications(pool, &[formula]).is_empty()
}

/// The applications of non-linear operators, in order of occurrence.
fn applications(pool: &TermPool, formulas: &[TermId]) -> Vec<(TermId, String, Vec<TermId>)> {
    let mut found = Vec::new();
    for term in pool.sub_terms(formulas) {
        let Term::App(symbol, arguments) = pool.term(term) else {
            continue;
        };
        let name = pool.name(symbol.name);
        if name.starts_with("__") && (arguments.len() == 2 || name.starts_with("__fp:")) {
            found.push((term, name.to_string(), arguments.to_vec()));
        }
    }
    found
}

/// The fact that a point gives for an application.
fn lemma(
    pool: &mut TermPool,
    (term, operator, operands): (TermId, &str, &[TermId]),
    at: &[Int],
    value: &Int,
) -> Vec<TermId> {
    let result = pool.int(value.clone());
    let mut premises = Vec::with_capacity(at.len());
    for (&operand, at) in operands.iter().zip(at) {
        let at = pool.int(at.clone());
        premises.push(pool.eq(operand, at));
    }
    let premise = pool.and(&premises);
    let conclusion = pool.eq(term, result);
    let mut lemmas = vec![pool.implies(premise, conclusion)];
    lemmas.extend(float_lemmas(pool, operator, term, operands, at, value));
    // At its own point the product does not wrap around if the value is that of the numbers.
    if let (&[a, b], [at_a, at_b], true) = (operands, at, operator.starts_with("__mul:"))
        && *value == at_a * at_b
    {
        for (premise, factor, other, end) in [(premises[0], at_a, b, at_b), (premises[1], at_b, a, at_a)] {
            let product = pool.scale(factor, other);
            let same = pool.eq(term, product);
            let near = between_zero_and(pool, other, end);
            let premise = pool.and2(premise, near);
            lemmas.push(pool.implies(premise, same));
        }
    }
    lemmas
}

/// A product grows with a factor's distance from 0: what does not wrap around at `end` does not between 0 and `end`.
fn between_zero_and(pool: &mut TermPool, term: TermId, end: &Int) -> TermId {
    let (zero, end_term) = (pool.int(0), pool.int(end.clone()));
    let (low, high) = if end.is_negative() {
        (end_term, zero)
    } else {
        (zero, end_term)
    };
    let lemmas = [pool.le(low, term), pool.le(term, high)];
    pool.and(&lemmas)
}
