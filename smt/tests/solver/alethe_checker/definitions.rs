//! Instances of definitions, which the format takes without proof: each is one of the clauses that the exporter promises, word for word.

use super::{Check, Checker, Id, ensure};

impl Checker {
    fn make_number(&mut self, value: i128) -> Id {
        let digits = self.make(&value.abs().to_string(), Vec::new());
        if value < 0 {
            self.make("-", vec![digits])
        } else {
            digits
        }
    }

    fn numeral(&self, id: Id) -> Option<i128> {
        let (head, args) = &self.terms[id];
        match (head.as_str(), &args[..]) {
            ("-", &[inner]) => self.terms[inner].0.parse::<i128>().ok().map(|value| -value),
            (digits, []) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The arguments of a term, with its head.
    fn parts<const N: usize>(&self, id: Id, head: &str) -> Result<[Id; N], String> {
        let found = self.is(id, head)?;
        found
            .try_into()
            .map_err(|_| format!("{head} has {} arguments", found.len()))
    }

    pub(super) fn definition(&mut self, name: &str, clause: &[Id]) -> Check {
        ensure(self.takes_definitions, "a hole in a proof without holes")?;
        let expected = match (name, clause) {
            ("\"div\"", &[both]) => {
                let [low, _] = self.parts(both, "and")?;
                let [low, a] = self.parts(low, "<=")?;
                let [c, quotient] = self.parts(low, "*")?;
                let [dividend, divisor] = self.parts(quotient, "div")?;
                ensure((dividend, divisor) == (a, c), "another quotient")?;
                let value = self.numeral(c).filter(|&value| value != 0).ok_or("no divisor")?;
                let step = self.make_number(value.signum());
                let next = self.make("+", vec![quotient, step]);
                let [low, high] = [quotient, next].map(|factor| self.make("*", vec![c, factor]));
                let (low, high) = (self.make("<=", vec![low, a]), self.make("<", vec![a, high]));
                vec![self.make("and", vec![low, high])]
            }
            ("\"mod\"", &[equation]) => {
                let [remainder, _] = self.parts(equation, "=")?;
                let [a, c] = self.parts(remainder, "mod")?;
                self.numeral(c).filter(|&value| value != 0).ok_or("no divisor")?;
                let quotient = self.make("div", vec![a, c]);
                let product = self.make("*", vec![c, quotient]);
                let body = self.make("-", vec![a, product]);
                vec![self.make("=", vec![remainder, body])]
            }
            ("\"abs\"", &[equation]) => {
                let [absolute, _] = self.parts(equation, "=")?;
                let [a] = self.parts(absolute, "abs")?;
                let (zero, negated) = (self.make_number(0), self.make("-", vec![a]));
                let condition = self.make("<", vec![a, zero]);
                let body = self.make("ite", vec![condition, negated, a]);
                vec![self.make("=", vec![absolute, body])]
            }
            ("\"select\"", &[equation]) => {
                let [read, v] = self.parts(equation, "=")?;
                let [array, i] = self.parts(read, "select")?;
                let [_, at, value] = self.parts(array, "store")?;
                ensure((at, value) == (i, v), "another place")?;
                vec![equation]
            }
            ("\"select-other\"", &[same, equation]) => {
                let [left, _] = self.parts(equation, "=")?;
                let [array, j] = self.parts(left, "select")?;
                let [a, i, _] = self.parts(array, "store")?;
                let right = self.make("select", vec![a, j]);
                ensure(self.parts(same, "=")? == [i, j], "other indices")?;
                vec![same, self.make("=", vec![left, right])]
            }
            ("\"select-const\"", &[equation]) => {
                let [read, v] = self.parts(equation, "=")?;
                let [array, _] = self.parts(read, "select")?;
                let (head, args) = &self.terms[array];
                let is_constant = head.starts_with("List([Atom(\"as\"), Atom(\"const\"), ");
                ensure(is_constant && *args == [v], "no constant array")?;
                vec![equation]
            }
            ("\"extensionality\"", &[same, different]) => {
                let [a, b] = self.parts(same, "=")?;
                let [equation] = self.parts(different, "not")?;
                let [left, _] = self.parts(equation, "=")?;
                let [_, witness] = self.parts(left, "select")?;
                let [binding, _] = self.parts(witness, "choice")?;
                let variable = self.bound.get(&binding).cloned().ok_or("no variable")?;
                let variable = self.make(&variable, Vec::new());
                let [there, here] = [variable, witness].map(|index| {
                    let [left, right] = [a, b].map(|array| self.make("select", vec![array, index]));
                    let equation = self.make("=", vec![left, right]);
                    self.no(equation)
                });
                let body = self.make("or", vec![same, there]);
                ensure(self.make("choice", vec![binding, body]) == witness, "another witness")?;
                vec![same, here]
            }
            _ => return Err(format!("no definition {name}")),
        };
        ensure(expected == clause, "no instance of this definition")
    }
}
