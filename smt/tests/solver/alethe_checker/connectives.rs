//! The rules for connectives and clauses.

use super::{Check, Checker, Id, ensure, set};

/// A rule, the head of its formula, whether that is negated, and the arguments that follow, each with whether it is negated.
type Tautology = (&'static str, &'static str, bool, &'static [(usize, bool)]);

impl Checker {
    pub(super) fn junction(&mut self, rule: &str, clause: &[Id], args: &[i128]) -> Check {
        let head = &rule[..rule.find('_').expect("of the form")];
        match rule {
            "and_pos" => {
                let parts = self.is(self.is(clause[0], "not")?[0], head)?;
                let at = usize::try_from(args[0]).map_err(|_| "a position")?;
                ensure(clause.len() == 2 && parts.get(at) == Some(&clause[1]), "the conjunct")
            }
            "or_neg" => {
                let part = *self.is(clause[0], head)?.get(args[0] as usize).ok_or("a position")?;
                ensure(clause[1..] == [self.no(part)], "the disjunct")
            }
            "and_neg" => {
                let parts = self.is(clause[0], head)?.to_vec();
                let negated: Vec<Id> = parts.into_iter().map(|part| self.no(part)).collect();
                ensure(clause[1..] == negated, "the conjuncts")
            }
            _ => {
                let parts = self.is(self.is(clause[0], "not")?[0], head)?;
                ensure(clause[1..] == *parts, "the disjuncts")
            }
        }
    }

    pub(super) fn connective(&mut self, rule: &str, clause: &[Id]) -> Check {
        let table: [Tautology; 15] = [
            ("implies_pos", "=>", true, &[(0, true), (1, false)]),
            ("implies_neg1", "=>", false, &[(0, false)]),
            ("implies_neg2", "=>", false, &[(1, true)]),
            ("xor_pos1", "xor", true, &[(0, false), (1, false)]),
            ("xor_pos2", "xor", true, &[(0, true), (1, true)]),
            ("xor_neg1", "xor", false, &[(0, false), (1, true)]),
            ("xor_neg2", "xor", false, &[(0, true), (1, false)]),
            ("equiv_pos1", "=", true, &[(0, false), (1, true)]),
            ("equiv_pos2", "=", true, &[(0, true), (1, false)]),
            ("equiv_neg1", "=", false, &[(0, true), (1, true)]),
            ("equiv_neg2", "=", false, &[(0, false), (1, false)]),
            ("ite_pos1", "ite", true, &[(0, false), (2, false)]),
            ("ite_pos2", "ite", true, &[(0, true), (1, false)]),
            ("ite_neg1", "ite", false, &[(0, false), (2, true)]),
            ("ite_neg2", "ite", false, &[(0, true), (1, true)]),
        ];
        let found = table
            .iter()
            .find(|row| row.0 == rule)
            .ok_or("a rule that nobody checks")?;
        let formula = if found.2 {
            self.is(clause[0], "not")?[0]
        } else {
            clause[0]
        };
        let parts = self.is(formula, found.1)?.to_vec();
        ensure(
            parts.len() == if found.1 == "ite" { 3 } else { 2 },
            "the number of arguments",
        )?;
        let expected: Vec<Id> = found
            .3
            .iter()
            .map(|&(at, negated)| if negated { self.no(parts[at]) } else { parts[at] })
            .collect();
        ensure(clause[1..] == expected, "the other literals")
    }

    pub(super) fn expand(&mut self, rule: &str, whole: Id) -> Result<Id, String> {
        let (head, args) = self.terms[whole].clone();
        Ok(match (rule, head.as_str()) {
            ("nary_elim", "=" | "<=" | "<" | ">=" | ">") => {
                let pairs = args.windows(2).map(|pair| self.make(&head, pair.to_vec())).collect();
                self.make("and", pairs)
            }
            ("nary_elim", "xor") => args[1..]
                .iter()
                .fold(args[0], |left, &right| self.make("xor", vec![left, right])),
            ("nary_elim", "=>") => {
                let (last, rest) = args.split_last().expect("arguments");
                rest.iter()
                    .rev()
                    .fold(*last, |right, &left| self.make("=>", vec![left, right]))
            }
            ("distinct_elim", "distinct") => {
                if args.len() > 2 && self.is_bool(args[0]) {
                    return Ok(self.make("false", Vec::new()));
                }
                let mut parts = Vec::new();
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[i + 1..] {
                        let equal = self.make("=", vec![a, b]);
                        parts.push(self.no(equal));
                    }
                }
                if parts.len() == 1 {
                    parts[0]
                } else {
                    self.make("and", parts)
                }
            }
            _ => return Err("nothing to expand".to_owned()),
        })
    }

    /// Resolution of clauses as sets, from left to right. Each premise has exactly one literal whose complement is there.
    pub(super) fn resolution(&mut self, clause: &[Id], premises: &[Vec<Id>]) -> Check {
        let mut current = set(&premises[0]);
        for premise in &premises[1..] {
            let mut pivots = Vec::new();
            for literal in set(premise) {
                let negation = self.no(literal);
                let inner = self.is(literal, "not").ok().map(|args| args[0]);
                pivots.extend(
                    [Some(negation), inner]
                        .into_iter()
                        .flatten()
                        .filter(|c| current.contains(c))
                        .map(|c| (literal, c)),
                );
            }
            let [(theirs, ours)] = pivots[..] else {
                return Err(format!("{} pivots", pivots.len()));
            };
            current.remove(&ours);
            current.extend(premise.iter().filter(|&&literal| literal != theirs));
        }
        ensure(
            current == set(clause) && clause.len() == current.len(),
            "another resolvent",
        )
    }
}
