//! A strict checker of Alethe proofs, for the rules that the exporter uses. It reads the script and the proof as texts and shares nothing with the crate.
//!
//! Terms are compared as they are written, after the expansion of `let`, defined functions and names. A rule that is not listed here, a premise
//! that does not come before, a clause that is not exactly what the rule yields: all are errors.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

/// Reads all S-expressions of a text.
pub fn read(text: &str) -> Vec<Sexp> {
    let mut stack: Vec<Vec<Sexp>> = vec![Vec::new()];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => stack.push(Vec::new()),
            b')' => {
                let list = stack.pop().expect("balanced");
                stack.last_mut().expect("balanced").push(Sexp::List(list));
            }
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b if b.is_ascii_whitespace() => {}
            quote @ (b'"' | b'|') => {
                let end = at + 1 + text[at + 1..].find(quote as char).expect("a closing quote");
                let inside = if quote == b'|' {
                    &text[at + 1..end]
                } else {
                    &text[at..=end]
                };
                stack.last_mut().expect("balanced").push(Sexp::Atom(inside.to_owned()));
                at = end;
            }
            _ => {
                let end = text[at..].find(|c: char| c.is_whitespace() || "()\";|".contains(c));
                let end = end.map_or(text.len(), |length| at + length);
                stack
                    .last_mut()
                    .expect("balanced")
                    .push(Sexp::Atom(text[at..end].to_owned()));
                at = end - 1;
            }
        }
        at += 1;
    }
    assert_eq!(stack.len(), 1, "balanced");
    stack.pop().expect("balanced")
}

type Id = usize;
/// A rule, the head of its formula, whether that is negated, and the arguments that follow, each with whether it is negated.
type Tautology = (&'static str, &'static str, bool, &'static [(usize, bool)]);
type Form = BTreeMap<Id, Fraction>;

/// A rational number with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    const ZERO: Fraction = Fraction(0, 1);

    fn new(numerator: i128, denominator: i128) -> Fraction {
        let (mut a, mut b) = (numerator.abs(), denominator.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1) * denominator.signum();
        Fraction(numerator / divisor, denominator / divisor)
    }

    fn plus(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.0, self.1 * other.1)
    }

    /// None for 0.
    fn inverse(self) -> Option<Fraction> {
        (self.0 != 0).then(|| Fraction::new(self.1, self.0))
    }
}

/// What is checked against: hash-consed terms, and the assertions of the script.
#[derive(Default)]
pub struct Checker {
    terms: Vec<(String, Vec<Id>)>,
    table: HashMap<(String, Vec<Id>), Id>,
    sorts: HashMap<String, String>,
    macros: HashMap<String, (Vec<String>, Sexp)>,
    named: HashMap<String, Id>,
    assertions: BTreeSet<Id>,
    clauses: HashMap<String, Vec<Id>>,
}

type Env = HashMap<String, Id>;
type Check = Result<(), String>;

fn ensure(holds: bool, what: &str) -> Check {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

fn set(ids: &[Id]) -> BTreeSet<Id> {
    ids.iter().copied().collect()
}

impl Checker {
    /// Reads the commands of a script up to its `get-proof`.
    pub fn new(script: &str) -> Checker {
        let mut checker = Checker::default();
        let mut scopes: Vec<BTreeSet<Id>> = Vec::new();
        for command in read(script) {
            let Sexp::List(parts) = command else {
                panic!("a command")
            };
            let Sexp::Atom(name) = &parts[0] else {
                panic!("a command")
            };
            let levels = || match parts.get(1) {
                Some(Sexp::Atom(number)) => number.parse().expect("a number"),
                _ => 1,
            };
            match name.as_str() {
                "declare-fun" | "declare-const" => {
                    let Sexp::Atom(name) = &parts[1] else { panic!("a name") };
                    let sort = format!("{:?}", parts[parts.len() - 1]);
                    checker.sorts.insert(name.clone(), sort);
                }
                "define-fun" | "define-const" => {
                    let Sexp::Atom(name) = &parts[1] else { panic!("a name") };
                    let mut formals = Vec::new();
                    if let (Sexp::List(list), 5) = (&parts[2], parts.len()) {
                        for formal in list {
                            let Sexp::List(pair) = formal else {
                                panic!("a parameter")
                            };
                            let Sexp::Atom(name) = &pair[0] else {
                                panic!("a parameter")
                            };
                            formals.push(name.clone());
                        }
                    }
                    checker
                        .macros
                        .insert(name.clone(), (formals, parts[parts.len() - 1].clone()));
                }
                "assert" => {
                    let term = checker.term(&parts[1], &Env::new());
                    checker.assertions.insert(term);
                }
                "push" => (0..levels()).for_each(|_| scopes.push(checker.assertions.clone())),
                "pop" => (0..levels()).for_each(|_| checker.assertions = scopes.pop().expect("a scope")),
                "get-proof" => break,
                _ => {}
            }
        }
        checker
    }

    fn make(&mut self, head: &str, args: Vec<Id>) -> Id {
        let key = (head.to_owned(), args);
        if let Some(&id) = self.table.get(&key) {
            return id;
        }
        self.terms.push(key.clone());
        self.table.insert(key, self.terms.len() - 1);
        self.terms.len() - 1
    }

    fn term(&mut self, sexp: &Sexp, env: &Env) -> Id {
        match sexp {
            Sexp::Atom(name) => {
                if let Some(&id) = env.get(name).or_else(|| self.named.get(name)) {
                    return id;
                }
                match self.macros.get(name).cloned() {
                    Some((_, body)) => self.term(&body, &Env::new()),
                    None => self.make(name, Vec::new()),
                }
            }
            Sexp::List(parts) => match &parts[0] {
                Sexp::Atom(head) if head == "let" => {
                    let Sexp::List(bindings) = &parts[1] else {
                        panic!("bindings")
                    };
                    let mut inner = env.clone();
                    for binding in bindings {
                        let Sexp::List(pair) = binding else { panic!("a binding") };
                        let Sexp::Atom(name) = &pair[0] else {
                            panic!("a binding")
                        };
                        let value = self.term(&pair[1], env);
                        inner.insert(name.clone(), value);
                    }
                    self.term(&parts[2], &inner)
                }
                Sexp::Atom(head) if head == "!" => {
                    let id = self.term(&parts[1], env);
                    for pair in parts[2..].windows(2) {
                        if let (Sexp::Atom(key), Sexp::Atom(name)) = (&pair[0], &pair[1])
                            && key == ":named"
                        {
                            self.named.insert(name.clone(), id);
                        }
                    }
                    id
                }
                head => {
                    let args: Vec<Id> = parts[1..].iter().map(|part| self.term(part, env)).collect();
                    match head {
                        Sexp::Atom(name) => match self.macros.get(name).cloned() {
                            Some((formals, body)) => {
                                let env = formals.into_iter().zip(args).collect();
                                self.term(&body, &env)
                            }
                            None => self.make(name, args),
                        },
                        Sexp::List(_) => self.make(&format!("{head:?}"), args),
                    }
                }
            },
        }
    }

    /// Checks a proof. Returns the number of its commands.
    pub fn check(&mut self, proof: &str) -> Result<usize, String> {
        let [Sexp::List(commands)] = &read(proof)[..] else {
            return Err("a proof is one list of commands".to_owned());
        };
        let mut last = None;
        for command in commands {
            let Sexp::List(parts) = command else {
                return Err("a command is a list".to_owned());
            };
            let text = format!("{command:?}");
            let name = self.command(parts).map_err(|why| format!("{why}: {text}"))?;
            last = Some(name);
        }
        let last = last.ok_or("an empty proof")?;
        ensure(self.clauses[&last].is_empty(), "the last clause is not empty")?;
        Ok(commands.len())
    }

    fn command(&mut self, parts: &[Sexp]) -> Result<String, String> {
        let atom = |sexp: &Sexp| match sexp {
            Sexp::Atom(text) => Ok(text.clone()),
            Sexp::List(_) => Err("an atom is needed".to_owned()),
        };
        let (kind, name) = (atom(&parts[0])?, atom(&parts[1])?);
        ensure(!self.clauses.contains_key(&name), "a name is used twice")?;
        if kind == "assume" {
            let term = self.term(&parts[2], &Env::new());
            ensure(self.assertions.contains(&term), "this is not asserted")?;
            self.clauses.insert(name.clone(), vec![term]);
            return Ok(name);
        }
        ensure(kind == "step", "neither assume nor step")?;
        let Sexp::List(clause) = &parts[2] else {
            return Err("a clause is a list".to_owned());
        };
        let clause: Vec<Id> = clause[1..].iter().map(|term| self.term(term, &Env::new())).collect();
        let (mut rule, mut premises, mut args) = (String::new(), Vec::new(), Vec::new());
        for pair in parts[3..].chunks(2) {
            match (atom(&pair[0])?.as_str(), &pair[1]) {
                (":rule", Sexp::Atom(text)) => rule.clone_from(text),
                (":premises", Sexp::List(list)) => {
                    for premise in list {
                        let known = self.clauses.get(&atom(premise)?);
                        premises.push(known.ok_or("a premise that is not there")?.clone());
                    }
                }
                (":args", Sexp::List(list)) => {
                    for arg in list {
                        let id = self.term(arg, &Env::new());
                        let value = self.number(id).filter(|value| value.1 == 1);
                        args.push(value.ok_or("an argument is an integer")?.0);
                    }
                }
                _ => return Err("an unknown attribute".to_owned()),
            }
        }
        self.rule(&rule, &clause, &premises, &args)?;
        self.clauses.insert(name.clone(), clause);
        Ok(name)
    }

    fn is(&self, id: Id, head: &str) -> Result<&[Id], String> {
        let (found, args) = &self.terms[id];
        if found == head {
            Ok(args)
        } else {
            Err(format!("{head} is needed, not {found}"))
        }
    }

    fn two(&self, id: Id, head: &str) -> Result<(Id, Id), String> {
        match *self.is(id, head)? {
            [a, b] => Ok((a, b)),
            _ => Err(format!("{head} with two arguments is needed")),
        }
    }

    fn no(&mut self, id: Id) -> Id {
        self.make("not", vec![id])
    }

    fn rule(&mut self, rule: &str, clause: &[Id], premises: &[Vec<Id>], args: &[i128]) -> Check {
        let first = *clause.first().unwrap_or(&usize::MAX);
        let takes = match rule {
            "resolution" => 2..=usize::MAX,
            "or" => 1..=1,
            "cong" => 1..=usize::MAX,
            _ => 0..=0,
        };
        ensure(takes.contains(&premises.len()), "the number of premises")?;
        ensure(rule == "resolution" || !clause.is_empty(), "an empty clause")?;
        match rule {
            "resolution" => self.resolution(clause, premises),
            "or" => {
                let [only] = premises[0][..] else {
                    return Err("a unit clause is needed".to_owned());
                };
                ensure(self.is(only, "or")? == clause, "other disjuncts")
            }
            "cong" => self.cong(clause, premises),
            "la_generic" => self.la_generic(clause, args),
            "true" => self.is(first, "true").map(drop),
            "false" => self.is(self.is(first, "not")?[0], "false").map(drop),
            "not_not" => {
                let inner = self.is(self.is(self.is(first, "not")?[0], "not")?[0], "not")?[0];
                ensure(clause[1..] == [inner], "the inner formula")
            }
            "and_pos" | "or_neg" | "and_neg" | "or_pos" => self.junction(rule, clause, args),
            "eq_reflexive" => self
                .two(first, "=")
                .and_then(|(a, b)| ensure(a == b && clause.len() == 1, "a = a")),
            "eq_transitive" => {
                let (last, rest) = clause.split_last().expect("not empty");
                let (mut at, end) = self.two(*last, "=")?;
                for &literal in rest {
                    let (a, b) = self.two(self.is(literal, "not")?[0], "=")?;
                    ensure(at == a || at == b, "a chain of equations")?;
                    at = if at == a { b } else { a };
                }
                ensure(at == end && rest.len() > 1, "the end of the chain")
            }
            "eq_symmetric" => {
                let (one, other) = self.two(first, "=")?;
                let ((a, b), (c, d)) = (self.two(one, "=")?, self.two(other, "=")?);
                ensure((a, b) == (d, c) && clause.len() == 1, "the sides exchanged")
            }
            "eq_congruent" => {
                let (last, rest) = clause.split_last().expect("not empty");
                let (f, g) = self.two(*last, "=")?;
                let mut equations = Vec::new();
                for &literal in rest {
                    equations.push(self.two(self.is(literal, "not")?[0], "=")?);
                }
                let ((f, xs), (g, ys)) = (&self.terms[f], &self.terms[g]);
                ensure(
                    f == g && xs.len() == ys.len() && xs.len() == equations.len(),
                    "the same function",
                )?;
                let pairs = xs.iter().copied().zip(ys.iter().copied());
                ensure(
                    pairs.zip(equations).all(|((x, y), e)| e == (x, y) || e == (y, x)),
                    "the arguments' equations",
                )
            }
            "la_disequality" => {
                let [equal, one, two] = self.is(first, "or")?.to_vec()[..] else {
                    return Err("three disjuncts".to_owned());
                };
                let (a, b) = self.two(equal, "=")?;
                let (one, two) = (self.is(one, "not")?[0], self.is(two, "not")?[0]);
                ensure(
                    self.two(one, "<=")? == (a, b) && self.two(two, "<=")? == (b, a) && clause.len() == 1,
                    "the two orders",
                )
            }
            "ite_intro" => {
                let (itself, both) = self.two(first, "=")?;
                let (again, cases) = self.two(both, "and")?;
                let [c, yes, no] = self.is(cases, "ite")?.to_vec()[..] else {
                    return Err("cases".to_owned());
                };
                let ((choice, a), (choice2, b)) = (self.two(yes, "=")?, self.two(no, "=")?);
                ensure(
                    itself == again && choice == choice2 && self.is(choice, "ite")? == [c, a, b] && clause.len() == 1,
                    "the conditional term",
                )
            }
            "nary_elim" | "distinct_elim" => {
                let (whole, expansion) = self.two(first, "=")?;
                let expected = self.expand(rule, whole)?;
                ensure(expected == expansion && clause.len() == 1, "the expansion")
            }
            _ => self.connective(rule, clause),
        }
    }

    fn junction(&mut self, rule: &str, clause: &[Id], args: &[i128]) -> Check {
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

    fn connective(&mut self, rule: &str, clause: &[Id]) -> Check {
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

    fn expand(&mut self, rule: &str, whole: Id) -> Result<Id, String> {
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

    fn is_bool(&self, id: Id) -> bool {
        let (head, args) = &self.terms[id];
        match head.as_str() {
            "not" | "and" | "or" | "=>" | "xor" | "=" | "distinct" | "<=" | "<" | ">=" | ">" | "true" | "false" => true,
            "ite" => self.is_bool(args[1]),
            name => self.sorts.get(name).is_some_and(|sort| sort.contains("\"Bool\"")),
        }
    }

    /// The sort of a number: whether it is real; none for other sorts. Numerals among reals are reals.
    fn is_real(&self, id: Id) -> Option<bool> {
        let (head, args) = &self.terms[id];
        match head.as_str() {
            "+" | "-" | "*" => {
                let sorts = args
                    .iter()
                    .map(|&arg| self.is_real(arg))
                    .collect::<Option<Vec<bool>>>()?;
                Some(sorts.contains(&true))
            }
            "div" | "mod" | "abs" => Some(false),
            "/" => Some(true),
            "ite" => Some(self.is_real(args[1])? || self.is_real(args[2])?),
            name if name.parse::<i128>().is_ok() => Some(false),
            name if name.parse::<f64>().is_ok() => Some(true),
            name => match self.sorts.get(name)?.as_str() {
                sort if sort.contains("\"Int\"") => Some(false),
                sort if sort.contains("\"Real\"") => Some(true),
                _ => None,
            },
        }
    }

    /// Resolution of clauses as sets, from left to right. Each premise has exactly one literal whose complement is there.
    fn resolution(&mut self, clause: &[Id], premises: &[Vec<Id>]) -> Check {
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

    fn cong(&mut self, clause: &[Id], premises: &[Vec<Id>]) -> Check {
        let [only] = clause else {
            return Err("a unit clause".to_owned());
        };
        let (f, g) = self.two(*only, "=")?;
        let mut equations = Vec::new();
        for premise in premises {
            let [only] = premise[..] else {
                return Err("a unit premise".to_owned());
            };
            equations.push(self.two(only, "=")?);
        }
        let ((f, xs), (g, ys)) = (self.terms[f].clone(), self.terms[g].clone());
        ensure(f == g && xs.len() == ys.len(), "the same function")?;
        let mut left = equations.into_iter().peekable();
        for (x, y) in xs.into_iter().zip(ys) {
            if left.next_if(|&e| e == (x, y) || e == (y, x)).is_none() {
                ensure(x == y, "an argument without equation")?;
            }
        }
        ensure(left.next().is_none(), "too many equations")
    }

    fn number(&self, id: Id) -> Option<Fraction> {
        let (head, args) = &self.terms[id];
        match (head.as_str(), &args[..]) {
            (text, []) => match text.split_once('.') {
                None => Some(Fraction(text.parse().ok()?, 1)),
                Some((whole, rest)) => {
                    let digits: i128 = format!("{whole}{rest}").parse().ok()?;
                    Some(Fraction::new(digits, 10_i128.pow(rest.len() as u32)))
                }
            },
            ("-", &[inner]) => Some(self.number(inner)?.times(Fraction(-1, 1))),
            ("/", &[a, b]) => Some(self.number(a)?.times(self.number(b)?.inverse()?)),
            _ => None,
        }
    }

    fn linear(&self, id: Id, factor: Fraction, form: &mut Form, constant: &mut Fraction) -> Check {
        if let Some(value) = self.number(id) {
            *constant = constant.plus(factor.times(value));
            return Ok(());
        }
        let minus = factor.times(Fraction(-1, 1));
        let (head, args) = &self.terms[id];
        match (head.as_str(), &args[..]) {
            ("+", parts) => parts
                .iter()
                .try_for_each(|&part| self.linear(part, factor, form, constant)),
            ("-", &[part]) => self.linear(part, minus, form, constant),
            ("-", [first, rest @ ..]) => {
                self.linear(*first, factor, form, constant)?;
                rest.iter()
                    .try_for_each(|&part| self.linear(part, minus, form, constant))
            }
            ("*", &[a, b]) if self.number(a).is_some() || self.number(b).is_some() => match self.number(a) {
                Some(value) => self.linear(b, factor.times(value), form, constant),
                None => self.linear(a, factor.times(self.number(b).expect("a number")), form, constant),
            },
            ("/", &[a, b]) if self.number(b).is_some() => {
                let divisor = self.number(b).and_then(Fraction::inverse).ok_or("division by zero")?;
                self.linear(a, factor.times(divisor), form, constant)
            }
            _ => {
                ensure(self.is_real(id).is_some(), "a term that is no number")?;
                let sum = form.entry(id).or_insert(Fraction::ZERO);
                *sum = sum.plus(factor);
                Ok(())
            }
        }
    }

    fn la_generic(&self, clause: &[Id], args: &[i128]) -> Check {
        ensure(clause.len() == args.len(), "a factor for each literal")?;
        let (mut sum, mut constant, mut any_strict) = (Form::new(), Fraction::ZERO, false);
        for (&literal, &factor) in clause.iter().zip(args) {
            let (head, inner) = &self.terms[literal];
            let (negated, atom) = if head == "not" {
                (true, inner[0])
            } else {
                (false, literal)
            };
            let (relation, sides) = &self.terms[atom];
            ensure(sides.len() == 2, "two sides")?;
            // The negation of the literal as `left - right REL 0`.
            let (sign, strict, equation) = match (relation.as_str(), negated) {
                ("=", true) => (1, false, true),
                ("<=", true) => (-1, false, false),
                ("<=", false) => (1, true, false),
                ("<", true) => (-1, true, false),
                ("<", false) => (1, false, false),
                (">=", true) => (1, false, false),
                (">=", false) => (-1, true, false),
                (">", true) => (1, true, false),
                (">", false) => (-1, false, false),
                _ => return Err("no constraint".to_owned()),
            };
            let is_real = sides.iter().any(|&side| self.is_real(side) == Some(true));
            let factor = if equation { factor } else { factor.abs() };
            let signed = Fraction(factor * sign, 1);
            self.linear(sides[0], signed, &mut sum, &mut constant)?;
            self.linear(sides[1], signed.times(Fraction(-1, 1)), &mut sum, &mut constant)?;
            // Strict bounds of integers are moved by one.
            match is_real {
                true => any_strict |= strict && factor != 0,
                false if strict => constant = constant.plus(Fraction(-factor, 1)),
                false => {}
            }
        }
        sum.retain(|_, factor| *factor != Fraction::ZERO);
        // Equations alone may contradict with either sign.
        let only_equations = clause
            .iter()
            .all(|&l| self.terms[self.terms[l].1.first().copied().unwrap_or(l)].0 == "=");
        let contradicts = constant.0 < 0 || any_strict && constant.0 == 0 || only_equations && constant.0 != 0;
        ensure(sum.is_empty() && contradicts, "no contradiction")
    }
}
