//! A strict checker of Alethe proofs, for the rules that the exporter uses. It reads the script and the proof as texts and shares nothing with the crate.
//!
//! Terms are compared as they are written, after the expansion of `let`, defined functions and names. A rule that is not listed here, a premise
//! that does not come before, a clause that is not exactly what the rule yields: all are errors.
//!
//! | module | does |
//! |---|---|
//! | [`sexp`] | reads texts |
//! | [`connectives`] | the rules for connectives and clauses |
//! | [`definitions`] | the instances of definitions that are taken without proof |
//! | [`arithmetic`] | the rule for linear arithmetic |

mod arithmetic;
mod connectives;
mod definitions;
mod sexp;

use sexp::{Sexp, read};
use std::collections::{BTreeSet, HashMap};

type Id = usize;

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
    /// Whether the script lets definitions be taken without proof.
    takes_definitions: bool,
    /// The variables of binders, by the terms of their declarations.
    bound: HashMap<Id, String>,
    /// The sorts of the elements of sorts of arrays.
    elements: HashMap<String, String>,
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
                    if let Sexp::List(array) = &parts[parts.len() - 1] {
                        let element = format!("{:?}", array[array.len() - 1]);
                        checker.elements.insert(sort.clone(), element);
                    }
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
                "set-option" => {
                    if let [_, Sexp::Atom(key), Sexp::Atom(value)] = &parts[..]
                        && key == ":alethe-definitions"
                    {
                        checker.takes_definitions = value == "true";
                    }
                }
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
                Sexp::Atom(head) if head == "choice" => {
                    let Sexp::List(bindings) = &parts[1] else {
                        panic!("bindings")
                    };
                    let [Sexp::List(pair)] = &bindings[..] else {
                        panic!("a binding")
                    };
                    let Sexp::Atom(name) = &pair[0] else {
                        panic!("a binding")
                    };
                    let binding = self.make(&format!("{pair:?}"), Vec::new());
                    self.bound.insert(binding, name.clone());
                    self.sorts.insert(name.clone(), format!("{:?}", pair[1]));
                    let body = self.term(&parts[2], env);
                    self.make("choice", vec![binding, body])
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
        let mut definition = String::new();
        for pair in parts[3..].chunks(2) {
            match (atom(&pair[0])?.as_str(), &pair[1]) {
                (":rule", Sexp::Atom(text)) => rule.clone_from(text),
                (":premises", Sexp::List(list)) => {
                    for premise in list {
                        let known = self.clauses.get(&atom(premise)?);
                        premises.push(known.ok_or("a premise that is not there")?.clone());
                    }
                }
                (":args", Sexp::List(list)) if rule == "hole" => {
                    let [name] = &list[..] else {
                        return Err("the name of a definition".to_owned());
                    };
                    definition = atom(name)?;
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
        match rule == "hole" {
            true => self.definition(&definition, &clause)?,
            false => self.rule(&rule, &clause, &premises, &args)?,
        }
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

    /// The sort of a symbol, of an element of an array or of an array, if it is known.
    fn sort(&self, id: Id) -> Option<String> {
        let (head, args) = &self.terms[id];
        match head.as_str() {
            "select" => self.elements.get(&self.sort(args[0])?).cloned(),
            "store" => self.sort(args[0]),
            "ite" => self.sort(args[1]),
            "choice" => self.sorts.get(self.bound.get(&args[0])?).cloned(),
            head => match head.strip_prefix("List([Atom(\"as\"), Atom(\"const\"), ") {
                Some(sort) => Some(sort[..sort.len() - 2].to_owned()),
                None => self.sorts.get(head).cloned(),
            },
        }
    }

    fn is_bool(&self, id: Id) -> bool {
        let (head, args) = &self.terms[id];
        match head.as_str() {
            "not" | "and" | "or" | "=>" | "xor" | "=" | "distinct" | "<=" | "<" | ">=" | ">" | "true" | "false" => true,
            "ite" => self.is_bool(args[1]),
            _ => self.sort(id).is_some_and(|sort| sort == "Atom(\"Bool\")"),
        }
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
}
