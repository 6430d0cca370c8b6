//! SMT-LIB texts as terms, for the checks of scripts.
//!
//! This is a reader of its own: it knows the shape of terms and next to nothing of their meaning, and shares no code with what wrote the texts or with the solver that
//! reads them. Terms are nodes of a graph in which equal ones are the same node. Names that a `let` binds are gone once a text is read, and arguments of operators for which order and nesting
//! do not matter are in one order; so texts that differ in these are equal. Nothing here recurses: terms may be nested deeply.

use super::defect::TermError;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// A node of the graph. Arguments come before their applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

/// The shape of a node: a name or number, or an application.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    head: String,
    arguments: Vec<Node>,
}

/// The nodes.
#[derive(Debug, Default)]
pub struct Terms {
    shapes: Vec<Shape>,
    known: HashMap<Shape, Node>,
}

/// Parentheses and their contents, as positions in [`Raw::items`].
enum Item {
    Atom(String),
    List(Vec<usize>),
}

/// A text as nested lists.
pub struct Raw {
    items: Vec<Item>,
    top: Vec<usize>,
}

/// Names that mean the same in every text.
const OPERATORS: [&str; 17] = [
    "and", "or", "not", "=>", "=", "<=", "<", ">=", ">", "+", "-", "*", "div", "mod", "ite", "true", "false",
];

/// Words that are no operators and that no formula here needs.
const UNKNOWN: [&str; 9] = ["let", "forall", "exists", "match", "as", "_", "!", "par", "xor"];

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A symbol with its bars, whether it needs them or not.
pub fn symbol(name: &str) -> String {
    format!("|{name}|")
}

impl Raw {
    /// Reads lists.
    ///
    /// # Errors
    /// Parentheses or bars do not match, or there are strings.
    pub fn read(text: &str) -> Result<Raw, TermError> {
        let mut raw = Raw {
            items: Vec::new(),
            top: Vec::new(),
        };
        let mut open: Vec<Vec<usize>> = Vec::new();
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            let item = match first {
                ';' => {
                    rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
                    continue;
                }
                '(' => {
                    rest = &rest[1..];
                    open.push(Vec::new());
                    continue;
                }
                ')' => {
                    rest = &rest[1..];
                    Item::List(open.pop().ok_or(TermError::ClosedTwice)?)
                }
                '|' => {
                    let (name, behind) = rest[1..].split_once('|').ok_or(TermError::OpenSymbol)?;
                    rest = behind;
                    Item::Atom(symbol(name))
                }
                '"' => return Err(TermError::Text),
                _ => {
                    let end = rest
                        .find(|c: char| c.is_whitespace() || "();|\"".contains(c))
                        .unwrap_or(rest.len());
                    let (word, behind) = rest.split_at(end);
                    rest = behind;
                    let is_plain = is_number(word)
                        || word.starts_with(':')
                        || OPERATORS.contains(&word)
                        || UNKNOWN.contains(&word);
                    Item::Atom(if is_plain { word.to_string() } else { symbol(word) })
                }
            };
            raw.items.push(item);
            let position = raw.items.len() - 1;
            open.last_mut().unwrap_or(&mut raw.top).push(position);
        }
        match open.is_empty() {
            true => Ok(raw),
            false => Err(TermError::NotClosed),
        }
    }

    /// The items outside of all parentheses.
    pub fn top(&self) -> &[usize] {
        &self.top
    }

    /// The items of a list; `None` if it is none.
    pub fn list(&self, item: usize) -> Option<&[usize]> {
        match &self.items[item] {
            Item::List(items) => Some(items),
            Item::Atom(_) => None,
        }
    }

    /// A word, a number or a symbol with bars; `None` if it is a list.
    pub fn atom(&self, item: usize) -> Option<&str> {
        match &self.items[item] {
            Item::Atom(text) => Some(text),
            Item::List(_) => None,
        }
    }

    /// The word at the beginning of a list, and what follows it.
    pub fn call(&self, item: usize) -> Option<(&str, &[usize])> {
        let (&head, rest) = self.list(item)?.split_first()?;
        Some((self.atom(head)?, rest))
    }
}

/// A step of the construction of a term.
enum Task {
    Read(usize),
    Apply { head: String, count: usize },
    Bind(Vec<String>),
    Unbind(Vec<String>),
}

impl Terms {
    /// The term that a text is.
    ///
    /// # Errors
    /// The text is none.
    pub fn parse(&mut self, text: &str) -> Result<Node, TermError> {
        let raw = Raw::read(text)?;
        match raw.top() {
            [item] => self.read(&raw, *item),
            _ => Err(TermError::NotOne(shortened(text))),
        }
    }

    /// For `(forall ((|NAME| Int)) BODY)` the body.
    ///
    /// # Errors
    /// The text is none such.
    pub fn parse_for_all(&mut self, text: &str, name: &str) -> Result<Node, TermError> {
        let raw = Raw::read(text)?;
        let body = (|| {
            let &[item] = raw.top() else { return None };
            let ("forall", &[binders, body]) = raw.call(item)? else {
                return None;
            };
            let &[binder] = raw.list(binders)? else { return None };
            let (variable, &[sort]) = raw.call(binder)? else {
                return None;
            };
            (variable == symbol(name) && raw.atom(sort)? == symbol("Int")).then_some(body)
        })();
        match body {
            Some(body) => self.read(&raw, body),
            None => Err(TermError::NotForAll {
                name: name.to_string(),
                text: shortened(text),
            }),
        }
    }

    /// The term that an item of a text is.
    ///
    /// # Errors
    /// It is none.
    pub fn read(&mut self, raw: &Raw, item: usize) -> Result<Node, TermError> {
        let mut bound: HashMap<String, Vec<Node>> = HashMap::new();
        let mut done: Vec<Node> = Vec::new();
        let mut open = vec![Task::Read(item)];
        while let Some(task) = open.pop() {
            match task {
                Task::Read(item) => match &raw.items[item] {
                    Item::Atom(name) if UNKNOWN.contains(&name.as_str()) || name.starts_with(':') => {
                        return Err(TermError::NoTerm(name.clone()));
                    }
                    Item::Atom(name) => {
                        let node = bound.get(name).and_then(|nodes| nodes.last()).copied();
                        let node = node.unwrap_or_else(|| self.apply(name, Vec::new()));
                        done.push(node);
                    }
                    Item::List(items) => self.open(raw, items, &mut open)?,
                },
                Task::Apply { head, count } => {
                    let arguments = done.split_off(done.len() - count);
                    done.push(self.apply(&head, arguments));
                }
                Task::Bind(names) => {
                    let values = done.split_off(done.len() - names.len());
                    for (name, value) in names.into_iter().zip(values) {
                        bound.entry(name).or_default().push(value);
                    }
                }
                Task::Unbind(names) => names.iter().for_each(|name| {
                    bound.get_mut(name).and_then(Vec::pop);
                }),
            }
        }
        done.pop().ok_or(TermError::Nothing)
    }

    /// Adds the tasks for a list.
    fn open(&self, raw: &Raw, items: &[usize], open: &mut Vec<Task>) -> Result<(), TermError> {
        let (head, rest) = items.split_first().ok_or(TermError::EmptyList)?;
        let head = raw.atom(*head).ok_or(TermError::NoHead)?;
        if head != "let" {
            if UNKNOWN.contains(&head) || is_number(head) || head.starts_with(':') {
                return Err(TermError::NoFunction(head.to_string()));
            }
            open.push(Task::Apply {
                head: head.to_string(),
                count: rest.len(),
            });
            open.extend(rest.iter().rev().map(|&item| Task::Read(item)));
            return Ok(());
        }
        let &[bindings, body] = rest else {
            return Err(TermError::Let);
        };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for &binding in raw.list(bindings).ok_or(TermError::Let)? {
            let Some((name, &[value])) = raw.call(binding) else {
                return Err(TermError::Let);
            };
            names.push(name.to_string());
            values.push(value);
        }
        open.extend([Task::Unbind(names.clone()), Task::Read(body), Task::Bind(names)]);
        open.extend(values.iter().rev().map(|&value| Task::Read(value)));
        Ok(())
    }

    /// A name or number, or an application.
    pub fn apply(&mut self, head: &str, mut arguments: Vec<Node>) -> Node {
        if matches!(head, "and" | "or") {
            let flat = arguments
                .iter()
                .flat_map(|&argument| match &self.shapes[argument.0 as usize] {
                    inner if inner.head == head => inner.arguments.clone(),
                    _ => vec![argument],
                });
            arguments = flat.collect();
            arguments.sort_unstable();
            arguments.dedup();
            let unit = if head == "and" { "true" } else { "false" };
            arguments.retain(|argument| self.shapes[argument.0 as usize].head != unit);
            match arguments.as_slice() {
                [] => return self.apply(unit, Vec::new()),
                [one] => return *one,
                _ => {}
            }
        }
        if matches!(head, "+" | "*" | "=") {
            arguments.sort_unstable();
        }
        let shape = Shape {
            head: head.to_string(),
            arguments,
        };
        let fresh = Node(u32::try_from(self.shapes.len()).expect("fewer than 2^32 terms"));
        let node = *self.known.entry(shape.clone()).or_insert(fresh);
        if node == fresh {
            self.shapes.push(shape);
        }
        node
    }

    /// A number.
    ///
    /// # Errors
    /// The text is none.
    pub fn number(&mut self, text: &str) -> Result<Node, TermError> {
        match text.strip_prefix('-') {
            Some(size) if is_number(size) => {
                let size = self.apply(size, Vec::new());
                Ok(self.apply("-", vec![size]))
            }
            None if is_number(text) => Ok(self.apply(text, Vec::new())),
            _ => Err(TermError::NoNumber(shortened(text))),
        }
    }

    /// The function or operator of a term, or its name, and the arguments.
    pub fn shape(&self, node: Node) -> (&str, &[Node]) {
        let shape = &self.shapes[node.0 as usize];
        (&shape.head, &shape.arguments)
    }

    /// Everything that terms consist of, arguments first.
    pub fn below(&self, roots: &[Node]) -> Vec<Node> {
        let mut seen: HashSet<Node> = roots.iter().copied().collect();
        let mut open = roots.to_vec();
        while let Some(node) = open.pop() {
            let arguments = self.shapes[node.0 as usize].arguments.iter();
            open.extend(arguments.filter(|&&argument| seen.insert(argument)));
        }
        let mut all: Vec<Node> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// A term with other names for its symbols, without bars; with other terms for some that have no arguments.
    pub fn renamed(&mut self, node: Node, rename: &dyn Fn(&str) -> String, replaced: &BTreeMap<String, Node>) -> Node {
        let mut after: HashMap<Node, Node> = HashMap::new();
        for below in self.below(&[node]) {
            let Shape { head, arguments } = self.shapes[below.0 as usize].clone();
            let name = head.strip_prefix('|').and_then(|name| name.strip_suffix('|'));
            let replacement = name
                .filter(|_| arguments.is_empty())
                .and_then(|name| replaced.get(name));
            let new = match (replacement, name) {
                (Some(&new), _) => new,
                (None, name) => {
                    let head = name.map_or(head.clone(), |name| symbol(&rename(name)));
                    self.apply(&head, arguments.iter().map(|argument| after[argument]).collect())
                }
            };
            after.insert(below, new);
        }
        after[&node]
    }

    /// Declarations for all symbols of terms, and the terms as assertions. Those in `truths` are of the sort Bool.
    pub fn assertions(&self, terms: &[Node], truths: &HashSet<String>) -> String {
        let below = self.below(terms);
        let mut uses: HashMap<Node, u32> = HashMap::new();
        let mut declared: BTreeMap<&str, usize> = BTreeMap::new();
        for &node in &below {
            let (head, arguments) = self.shape(node);
            arguments
                .iter()
                .for_each(|&argument| *uses.entry(argument).or_default() += 1);
            if head.starts_with('|') {
                declared.insert(head, arguments.len());
            }
        }
        let mut out = String::from("(set-logic QF_UFLIA)\n");
        for (name, arity) in declared {
            let sort = if truths.contains(name) { "Bool" } else { "Int" };
            let arguments = vec!["Int"; arity].join(" ");
            writeln!(out, "(declare-fun {name} ({arguments}) {sort})").expect("writing to a string");
        }
        for &term in terms {
            out.push_str("(assert ");
            self.write(term, &uses, &mut out);
            out.push_str(")\n");
        }
        out
    }

    /// Writes a term, with names for what occurs more than once.
    fn write(&self, term: Node, uses: &HashMap<Node, u32>, out: &mut String) {
        let mut named: HashMap<Node, usize> = HashMap::new();
        let is_shared = |node: &Node| !self.shape(*node).1.is_empty() && uses.get(node).is_some_and(|&uses| uses > 1);
        for node in self.below(&[term]).into_iter().filter(is_shared) {
            let name = named.len();
            write!(out, "(let ((.s{name} ").expect("writing to a string");
            self.write_with(node, &named, out);
            out.push_str(")) ");
            named.insert(node, name);
        }
        self.write_with(term, &named, out);
        out.extend(std::iter::repeat_n(')', named.len()));
    }

    /// Writes a term in which some have names.
    fn write_with(&self, term: Node, named: &HashMap<Node, usize>, out: &mut String) {
        // The parts that are still to be written: a term, or the end of one.
        let mut open = vec![Some(term)];
        while let Some(next) = open.pop() {
            let Some(node) = next else {
                out.push(')');
                continue;
            };
            if !out.ends_with('(') && !out.ends_with(' ') {
                out.push(' ');
            }
            if let Some(name) = named.get(&node) {
                write!(out, ".s{name}").expect("writing to a string");
                continue;
            }
            let (head, arguments) = self.shape(node);
            if arguments.is_empty() {
                out.push_str(head);
                continue;
            }
            out.push('(');
            out.push_str(head);
            open.push(None);
            open.extend(arguments.iter().rev().map(|&argument| Some(argument)));
        }
    }
}

/// The beginning of a text.
pub fn shortened(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { short + "..." } else { short }
}

#[cfg(test)]
mod tests {
    use super::{Raw, Terms};
    use std::collections::{BTreeMap, HashSet};

    #[test]
    fn texts_that_say_the_same_in_another_order_are_equal() {
        let mut terms = Terms::default();
        let mut same = |a: &str, b: &str| terms.parse(a).expect("a term") == terms.parse(b).expect("a term");
        assert!(same("(and x (or b a))", "(and (or a b) |x|)"));
        assert!(same("(let ((.t0 (f x))) (= .t0 (+ 1 .t0)))", "(= (+ (f x) 1) (f x))"));
        assert!(same("(let ((x 1)) (let ((x (+ x y))) (* x 2)))", "(* 2 (+ 1 y))"));
        assert!(same("(and true (and p))", "p"));
        assert!(!same("(- x y)", "(- y x)"));
        assert!(!same("(<= x y)", "(<= y x)"));
        assert!(!same("(and x y)", "(or x y)"));
    }

    #[test]
    fn what_is_no_term_is_refused() {
        let mut terms = Terms::default();
        for text in [
            "",
            "(",
            ")",
            "(f x",
            "|x",
            "()",
            "(1 x)",
            "((f) x)",
            "(let ((x)) x)",
            "(forall ((x Int)) x)",
            "x y",
            "\"s\"",
            "(! x)",
        ] {
            assert!(terms.parse(text).is_err(), "{text}");
        }
        assert!(terms.parse_for_all("(forall ((|i!| Int)) (f i!))", "i!").is_ok());
        for text in [
            "(forall ((j Int)) j)",
            "(forall ((i! Int)(j Int)) j)",
            "(exists ((i! Int)) i!)",
            "(forall ((i! Bool)) i!)",
        ] {
            assert!(terms.parse_for_all(text, "i!").is_err(), "{text}");
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = "(f ".repeat(200_000) + "x" + &")".repeat(200_000);
        let mut terms = Terms::default();
        let node = terms.parse(&deep).expect("a term");
        let renamed = terms.renamed(node, &|name| format!("{name}@0"), &BTreeMap::new());
        let text = terms.assertions(&[renamed], &HashSet::new());
        let raw = Raw::read(&text).expect("it is a script");
        assert_eq!(raw.top().len(), 4);
        assert!(text.contains("|x@0|") && !text.contains("|x|"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut terms = Terms::default();
        let node = terms
            .parse("(let ((a (+ x (* 2 (g x y))))) (and (<= a (g a a)) (not (= a 0)) (ite b true (< x a))))")
            .expect("a term");
        let text = terms.assertions(&[node], &HashSet::from(["|b|".to_string()]));
        assert!(text.contains("(declare-fun |g| (Int Int) Int)") && text.contains("(declare-fun |b| () Bool)"));
        let raw = Raw::read(&text).expect("it is a script");
        let assertion = raw.top().iter().find_map(|&item| match raw.call(item) {
            Some(("|assert|", &[formula])) => Some(formula),
            _ => None,
        });
        let again = terms.read(&raw, assertion.expect("there is one"));
        assert_eq!(again, Ok(node));
    }
}
