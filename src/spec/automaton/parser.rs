//! The parser of specifications: recursive descent, one token ahead, the first mistake ends it.

use super::super::property::SpecError;
use super::cparser::{LOOSEST, NO_LOGIC};
use super::lexer::{Lexer, Token};
use super::regex::Regex;
use super::syntax::*;
use super::text::Text;
use std::sync::Arc;

pub(super) type Parsed<T> = Result<T, SpecError>;

/// Expressions and triggers inside each other, at most, so that a recursive reader's stack is safe.
const DEEPEST: usize = 100;

/// A position to which the parser can go back.
#[derive(Clone, Copy)]
pub(super) struct Mark<'t> {
    lexer: Lexer<'t>,
    at: At,
    token: Token<'t>,
}

pub(super) struct Parser<'t> {
    text: &'t Text,
    lexer: Lexer<'t>,
    /// Where the next token stands.
    pub(super) at: At,
    /// The next token.
    pub(super) token: Token<'t>,
    /// Whether `->` is C's operator here, rather than the arrow of a transition.
    pub(super) in_braces: bool,
    depth: usize,
}

/// A target that may name a state that comes later.
enum Goal {
    State(String, At),
    Done(Target),
}

/// What stands between the arrow and the semicolon of a transition.
#[derive(Clone, Default)]
struct Effects {
    assertions: Vec<Expr>,
    actions: Vec<Action>,
    assumptions: Vec<Expr>,
    encode: Vec<Encoded>,
    prints: Vec<String>,
    unsupported: Option<(At, String)>,
}

/// A state whose transitions name their targets.
struct Draft {
    state: State,
    goals: Vec<Goal>,
}

/// Parses a specification.
pub(super) fn parse(text: Arc<Text>) -> Parsed<Specification> {
    let mut parser = Parser::new(&text);
    let mut automata: Vec<Automaton> = Vec::new();
    while parser.token != Token::End {
        let automaton = parser.automaton()?;
        if automata.iter().any(|other| other.name == automaton.name) {
            return Err(text.error(automaton.at, format!("there are two automata `{}`", automaton.name)));
        }
        automata.push(automaton);
    }
    if automata.is_empty() {
        return Err(
            parser.error("the file holds no automaton; expected `CONTROL AUTOMATON name` or `OBSERVER AUTOMATON name`")
        );
    }
    Ok(Specification { automata, text })
}

impl<'t> Parser<'t> {
    fn new(text: &'t Text) -> Parser<'t> {
        let mut lexer = Lexer::new(text.flat());
        let (at, token) = lexer.next();
        Parser {
            text,
            lexer,
            at,
            token,
            in_braces: false,
            depth: 0,
        }
    }

    // ---- tokens ----------------------------------------------------------------------------------------------------------

    pub(super) fn bump(&mut self) {
        (self.at, self.token) = self.lexer.next();
    }

    pub(super) fn save(&self) -> Mark<'t> {
        Mark {
            lexer: self.lexer,
            at: self.at,
            token: self.token,
        }
    }

    pub(super) fn restore(&mut self, mark: Mark<'t>) {
        (self.lexer, self.at, self.token) = (mark.lexer, mark.at, mark.token);
    }

    pub(super) fn error(&self, message: impl Into<String>) -> SpecError {
        self.text.error(self.at, message)
    }

    pub(super) fn unexpected(&self, expected: &str) -> SpecError {
        let found = match self.token {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Hole(text) => format!("`${text}`"),
            Token::Any => "`$?`".to_string(),
            Token::Variable(name) => format!("`$${name}`"),
            Token::Text(_) => "a string".to_string(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Stray(c) => format!("`{c}`"),
            Token::Unclosed(what) => format!("a {what} that does not end"),
            Token::End => "the end of the file".to_string(),
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    /// Runs a part of the grammar that may contain itself.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.error("too many expressions inside each other"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = self.token == Token::Sign(sign_of(sign));
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str, context: &str) -> Parsed<()> {
        if self.accept(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{sign}` {context}")))
    }

    fn at_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect_word(&mut self, word: &str, context: &str) -> Parsed<()> {
        if self.accept_word(word) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{word}` {context}")))
    }

    pub(super) fn word(&mut self, expected: &str) -> Parsed<&'t str> {
        match self.token {
            Token::Word(word) => {
                self.bump();
                Ok(word)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A name of the automaton language, which may begin with a digit.
    fn name(&mut self, expected: &str) -> Parsed<&'t str> {
        match self.token {
            Token::Number(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                self.bump();
                Ok(name)
            }
            _ => self.word(expected),
        }
    }

    fn string(&mut self, expected: &str) -> Parsed<String> {
        match self.token {
            Token::Text(text) => {
                self.bump();
                Ok(text.to_string())
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// What stands in braces, with `->` as C's operator.
    fn braced<T>(&mut self, context: &str, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect("{", context)?;
        self.in_braces = true;
        let result = parse(self);
        self.in_braces = false;
        let result = result?;
        self.expect("}", "to close `{`")?;
        Ok(result)
    }

    // ---- automata --------------------------------------------------------------------------------------------------------

    fn automaton(&mut self) -> Parsed<Automaton> {
        let control = self.accept_word("CONTROL");
        if !control {
            self.expect_word("OBSERVER", "or `CONTROL` at the start of an automaton")?;
        }
        self.expect_word("AUTOMATON", "with the automaton's name")?;
        let at = self.at;
        let name = self.name("the name of the automaton")?.to_string();
        let mut variables: Vec<Variable> = Vec::new();
        while self.at_word("LOCAL") {
            let variable = self.local()?;
            if variables.iter().any(|other| other.name == variable.name) {
                return Err(self
                    .text
                    .error(variable.at, format!("`{}` is declared twice", variable.name)));
            }
            variables.push(variable);
        }
        self.expect_word("INITIAL", "`STATE name;`, or `LOCAL` with a variable")?;
        self.expect_word("STATE", "after `INITIAL`")?;
        let initial = (self.at, self.name("the name of the first state")?.to_string());
        self.expect(";", "after the name of the first state")?;
        let mut drafts: Vec<Draft> = Vec::new();
        while self.at_word("STATE") || self.at_word("TARGET") {
            let draft = self.state(control)?;
            if drafts.iter().any(|other| other.state.name == draft.state.name) {
                return Err(self.text.error(
                    draft.state.at,
                    format!("the state `{}` is defined twice", draft.state.name),
                ));
            }
            drafts.push(draft);
        }
        if !self.accept_word("END") {
            return Err(self.unexpected("`MATCH`, `TRUE` or another trigger, `STATE`, or `END AUTOMATON`"));
        }
        self.expect_word("AUTOMATON", "after `END`")?;
        let names: Vec<String> = drafts.iter().map(|draft| draft.state.name.clone()).collect();
        let find = |at: At, name: &str| {
            let position = names.iter().position(|other| other == name);
            position.ok_or_else(|| self.text.error(at, format!("there is no state `{name}`")))
        };
        let initial = find(initial.0, &initial.1)?;
        let mut states = Vec::new();
        for Draft { mut state, goals } in drafts {
            for (transition, goal) in state.transitions.iter_mut().zip(goals) {
                transition.target = match goal {
                    Goal::State(name, at) => Target::State(find(at, &name)?),
                    Goal::Done(target) => target,
                };
            }
            states.push(state);
        }
        Ok(Automaton {
            name,
            at,
            control,
            variables,
            states,
            initial,
        })
    }

    /// `LOCAL int v = 0;` or `LOCAL set<string> s = [];`
    fn local(&mut self) -> Parsed<Variable> {
        self.bump();
        let kind = if self.accept_word("set") {
            self.expect("<", "with the type of the elements")?;
            let element = self.word("`string` or `int`")?;
            if !matches!(element, "string" | "int") {
                return Err(self.error(format!("a set holds `string` or `int`, not `{element}`")));
            }
            self.expect(">", "after the type of the elements")?;
            VariableKind::Set
        } else {
            self.expect_word("int", "or `set<string>` after `LOCAL`")?;
            VariableKind::Int(0)
        };
        let at = self.at;
        let name = self.word("the name of the variable")?.to_string();
        let kind = match kind {
            VariableKind::Int(_) if self.accept("=") => {
                let negative = self.accept("-");
                let value = self.expression(NO_LOGIC)?;
                let ExprKind::Int { value, .. } = value.kind else {
                    return Err(self.text.error(value.at, "expected a number as the first value"));
                };
                VariableKind::Int(if negative { -value } else { value })
            }
            VariableKind::Set if self.accept("=") => {
                self.expect("[", "`]`: a set is empty at first")?;
                self.expect("]", "after `[`: a set is empty at first")?;
                VariableKind::Set
            }
            kind => kind,
        };
        self.expect(";", "after the declaration")?;
        Ok(Variable { name, at, kind })
    }

    /// `STATE USEALL Name :` with its transitions.
    fn state(&mut self, control: bool) -> Parsed<Draft> {
        let target = self.accept_word("TARGET");
        self.expect_word("STATE", "after `TARGET`")?;
        let selection = if self.accept_word("USEFIRST") {
            Selection::First
        } else {
            self.accept_word("USEALL");
            Selection::All
        };
        let at = self.at;
        let name = self.name("the name of the state")?.to_string();
        self.expect(":", "after the name of the state")?;
        let mut draft = Draft {
            state: State {
                name,
                at,
                target,
                selection,
                transitions: Vec::new(),
            },
            goals: Vec::new(),
        };
        while !(self.at_word("STATE") || self.at_word("TARGET") || self.at_word("END")) {
            self.transition(&mut draft, control)?;
        }
        Ok(draft)
    }

    // ---- transitions -----------------------------------------------------------------------------------------------------

    fn transition(&mut self, draft: &mut Draft, control: bool) -> Parsed<()> {
        let at = self.at;
        let trigger = self.trigger()?;
        self.expect("->", "between the trigger of a transition and what it does")?;
        let mut effects = self.effects()?;
        let mut add = |effects: Effects, goal| {
            draft.state.transitions.push(Transition {
                at,
                trigger: trigger.clone(),
                assertions: effects.assertions,
                actions: effects.actions,
                assumptions: effects.assumptions,
                encode: effects.encode,
                prints: effects.prints,
                target: Target::Inactive,
                unsupported: effects.unsupported,
            });
            draft.goals.push(goal);
        };
        if self.accept_word("SPLIT") {
            let conditions = self.braced("with the condition after `SPLIT`", Self::conditions)?;
            let mut negated = effects.clone();
            negated.assumptions.push(negation(&conditions));
            effects.assumptions.extend(conditions);
            self.more_effects(&mut effects)?;
            let goal = self.goal(control)?;
            self.expect_word("NEGATION", "with the other half of the `SPLIT`")?;
            self.more_effects(&mut negated)?;
            let other = self.goal(control)?;
            self.expect(";", "after the transition")?;
            add(effects, goal);
            add(negated, other);
        } else {
            let goal = self.goal(control)?;
            self.expect(";", "after the transition")?;
            add(effects, goal);
        }
        Ok(())
    }

    fn effects(&mut self) -> Parsed<Effects> {
        let mut effects = Effects::default();
        self.more_effects(&mut effects)?;
        Ok(effects)
    }

    fn more_effects(&mut self, effects: &mut Effects) -> Parsed<()> {
        loop {
            let at = self.at;
            if self.accept_word("ASSERT") {
                effects.assertions.push(self.expression(LOOSEST)?);
            } else if self.accept_word("ASSUME") {
                effects
                    .assumptions
                    .extend(self.braced("with the conditions after `ASSUME`", Self::conditions)?);
            } else if self.accept_word("DO") {
                effects.actions.push(self.action()?);
            } else if self.accept_word("ENCODE") {
                let statements = self.braced("with C statements after `ENCODE`", Self::encoded)?;
                effects.encode.extend(statements);
            } else if self.accept_word("PRINT") {
                effects.prints.push(self.printed()?);
            } else if self.accept_word("MODIFY") {
                self.expect("(", "after `MODIFY`")?;
                let analysis = self.word("the name of an analysis")?;
                self.expect(",", "after the name of the analysis")?;
                self.string("the modification as a string")?;
                self.expect(")", "at the end of `MODIFY`")?;
                let reason =
                    format!("`MODIFY` changes the state of the analysis `{analysis}`, which there is none of here");
                effects.unsupported.get_or_insert((at, reason));
            } else {
                return Ok(());
            }
        }
    }

    /// `v = e` or `s[e] = true`
    fn action(&mut self) -> Parsed<Action> {
        let at = self.at;
        let name = match self.token {
            Token::Variable(name) => {
                self.bump();
                name
            }
            _ => self.word("a variable of the automaton after `DO`")?,
        }
        .to_string();
        if self.accept("[") {
            let element = self.expression(LOOSEST)?;
            self.expect("]", "after the element")?;
            self.expect("=", "`true` or `false`")?;
            let put = match self.word("`true` or `false`")? {
                "true" => true,
                "false" => false,
                other => return Err(self.error(format!("an element is set to `true` or `false`, not to `{other}`"))),
            };
            return Ok(Action::Member {
                at,
                set: name,
                element,
                put,
            });
        }
        self.expect("=", "after the variable")?;
        let value = self.expression(NO_LOGIC)?;
        Ok(Action::Assign {
            at,
            variable: name,
            value,
        })
    }

    fn printed(&mut self) -> Parsed<String> {
        let mut text = self.string("a string after `PRINT`")?;
        loop {
            match self.token {
                Token::Text(more) => text.push_str(more),
                Token::Hole(hole) => text.push_str(&format!("${hole}")),
                Token::Variable(name) => text.push_str(&format!("$${name}")),
                _ => return Ok(text),
            }
            self.bump();
        }
    }

    fn goal(&mut self, control: bool) -> Parsed<Goal> {
        let at = self.at;
        let target = match self.token {
            Token::Word("GOTO") => {
                self.bump();
                let at = self.at;
                let name = self.name("the name of a state after `GOTO`")?;
                return Ok(Goal::State(name.to_string(), at));
            }
            Token::Word("ERROR") => {
                self.bump();
                let message = if self.accept("(") {
                    let message = self.string("the message of the error as a string")?;
                    self.expect(")", "after the message")?;
                    Some(message)
                } else {
                    None
                };
                Target::Error(message)
            }
            Token::Word("STOP") if control => {
                self.bump();
                Target::Stop
            }
            Token::Word("STOP") => {
                return Err(
                    self.error("an `OBSERVER` automaton cannot `STOP` the program; make it a `CONTROL` automaton")
                );
            }
            Token::Word("INACTIVE") => {
                self.bump();
                Target::Inactive
            }
            Token::Word("BREAK") => {
                return Err(self.text.error(
                    at,
                    "`BREAK` interrupts an analysis for its user, which is not supported",
                ));
            }
            _ => return Err(self.unexpected("`GOTO`, `ERROR`, `STOP`, `INACTIVE`, or another part of the transition")),
        };
        Ok(Goal::Done(target))
    }

    /// Conditions that `;` separates.
    fn conditions(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expression(LOOSEST)?];
        while self.accept(";") && self.token != Token::Sign("}") {
            list.push(self.expression(LOOSEST)?);
        }
        Ok(list)
    }

    /// C declarations and assignments.
    fn encoded(&mut self) -> Parsed<Vec<Encoded>> {
        let mut list = Vec::new();
        while self.token != Token::Sign("}") {
            let start = self.save();
            if let Some(ty) = self.type_name()
                && matches!(self.token, Token::Word(_))
            {
                self.declarators(ty, &mut list)?;
            } else {
                self.restore(start);
                let (at, lhs, value) = self.assignment()?;
                let ExprKind::Name(name) = lhs.kind else {
                    return Err(self
                        .text
                        .error(lhs.at, "woven statements assign to woven variables only"));
                };
                list.push(Encoded::Assign { at, name, value });
            }
            self.expect(";", "after a woven statement")?;
        }
        Ok(list)
    }

    fn declarators(&mut self, ty: TypeName, list: &mut Vec<Encoded>) -> Parsed<()> {
        loop {
            let at = self.at;
            let name = self.word("the name of a variable")?.to_string();
            let value = if self.accept("=") {
                Some(self.expression(LOOSEST)?)
            } else {
                None
            };
            let ty = ty.clone();
            list.push(Encoded::Declare { at, name, ty, value });
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    /// `x = e`, `x op= e`, `x++`, as the place, the left side and the value.
    fn assignment(&mut self) -> Parsed<(At, Expr, Expr)> {
        let lhs = self.expression(NO_LOGIC)?;
        let at = self.at;
        let Token::Sign(sign) = self.token else {
            return Err(self.unexpected("`=`"));
        };
        use BinaryOp::*;
        let op = match sign {
            "=" => None,
            "+=" | "++" => Some(Add),
            "-=" | "--" => Some(Sub),
            "*=" => Some(Mul),
            "/=" => Some(Div),
            "%=" => Some(Rem),
            "&=" => Some(BitAnd),
            "|=" => Some(BitOr),
            "^=" => Some(BitXor),
            "<<=" => Some(Shl),
            ">>=" => Some(Shr),
            _ => return Err(self.unexpected("`=`")),
        };
        self.bump();
        let rhs = if matches!(sign, "++" | "--") {
            let kind = ExprKind::Int {
                value: 1,
                unsigned: false,
                long: 0,
                decimal: true,
            };
            Expr { at, kind }
        } else {
            self.expression(LOOSEST)?
        };
        let value = match op {
            None => rhs,
            Some(op) => Expr {
                at,
                kind: ExprKind::Binary(op, Box::new(lhs.clone()), Box::new(rhs)),
            },
        };
        Ok((at, lhs, value))
    }

    // ---- triggers --------------------------------------------------------------------------------------------------------

    fn trigger(&mut self) -> Parsed<Trigger> {
        let mut left = self.conjunction()?;
        while self.accept("||") {
            left = Trigger::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Trigger> {
        let mut left = self.factor()?;
        while self.accept("&&") {
            left = Trigger::And(Box::new(left), Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Trigger> {
        let at = self.at;
        match self.token {
            Token::Sign("!") => {
                self.bump();
                let inner = self.nested(Self::factor)?;
                Ok(Trigger::Not(Box::new(inner)))
            }
            Token::Word("TRUE") => {
                self.bump();
                Ok(Trigger::Constant(true))
            }
            Token::Word("FALSE") => {
                self.bump();
                Ok(Trigger::Constant(false))
            }
            Token::Word("MATCH") => {
                self.bump();
                Ok(Trigger::Event(at, self.event()?))
            }
            Token::Word("CHECK") => {
                self.bump();
                self.query(at)
            }
            Token::Sign("(") => {
                // A trigger in parentheses, unless the parentheses only group a part of a comparison.
                let start = self.save();
                self.bump();
                let inner = self.nested(Self::trigger);
                if inner.is_ok() && self.accept(")") && matches!(self.token, Token::Sign("->" | "&&" | "||" | ")")) {
                    return inner;
                }
                let failed = (self.at, inner.err());
                self.restore(start);
                match self.expression(NO_LOGIC) {
                    Ok(condition) => Ok(Trigger::Condition(condition)),
                    // The reading that came further says better what is wrong.
                    Err(other) => Err(failed.1.filter(|_| failed.0 > self.at).unwrap_or(other)),
                }
            }
            Token::Word(_) | Token::Hole(_) | Token::Variable(_) | Token::Number(_) | Token::Sign("-") => {
                Ok(Trigger::Condition(self.expression(NO_LOGIC)?))
            }
            _ => Err(self.unexpected("`MATCH`, `TRUE` or another trigger")),
        }
    }

    /// `(analysis, "query")` or `("query")`
    fn query(&mut self, at: At) -> Parsed<Trigger> {
        self.expect("(", "after `CHECK`")?;
        let analysis = match self.token {
            Token::Word(analysis) => {
                self.bump();
                self.expect(",", "after the name of the analysis")?;
                analysis.to_string()
            }
            _ => String::new(),
        };
        let start = self.at.0 + 1;
        let query = match self.token {
            Token::Word(word) => {
                self.bump();
                word.to_string()
            }
            _ => self.string("the question as a string")?,
        };
        self.expect(")", "at the end of `CHECK`")?;
        if let Some(condition) = self.question(start, query.len()) {
            return Ok(Trigger::Condition(condition));
        }
        Ok(Trigger::Query { at, analysis, query })
    }

    /// The comparison that stands in a string, if it is one and speaks of nothing but holes and variables of the automaton: what a name means is for
    /// the analysis to know.
    fn question(&self, start: usize, len: usize) -> Option<Expr> {
        let text = self.text.flat().get(..start + len)?;
        let mut lexer = Lexer::starting_at(text, start);
        let (at, token) = lexer.next();
        let mut inner = Parser {
            text: self.text,
            lexer,
            at,
            token,
            in_braces: true,
            depth: self.depth,
        };
        let condition = inner.expression(LOOSEST).ok()?;
        use BinaryOp::*;
        let compares = matches!(condition.kind, ExprKind::Binary(Eq | Ne | Lt | Le | Gt | Ge, ..));
        let plain = compares && inner.token == Token::End && !condition.has_names();
        plain.then_some(condition)
    }

    fn event(&mut self) -> Parsed<Event> {
        Ok(match self.token {
            Token::Word("ENTRY") => {
                self.bump();
                Event::Entry
            }
            Token::Word("EXIT") => {
                self.bump();
                Event::Exit
            }
            Token::Word("ASSUME") => {
                self.bump();
                Event::Assume
            }
            Token::Word("FUNCTIONCALL") => {
                self.bump();
                Event::FunctionCall(self.string("the name of a function as a string")?)
            }
            Token::Word("LABEL") => {
                self.bump();
                self.label()?
            }
            Token::Word("CALL") => {
                self.bump();
                Event::Statement(When::Call, self.pattern(When::Call)?)
            }
            Token::Word("RETURN") => {
                self.bump();
                Event::Statement(When::Return, self.pattern(When::Return)?)
            }
            Token::Text(text) => {
                self.bump();
                Event::Text(text.to_string())
            }
            Token::Sign("{") => Event::Statement(When::Either, self.pattern(When::Either)?),
            Token::Sign("[") => {
                let Some((_, text)) = self.lexer.bracketed() else {
                    return Err(self.error("`[` is not closed in this line"));
                };
                self.bump();
                Event::Text(text.to_string())
            }
            _ => {
                return Err(self.unexpected(
                    "`{` with a statement, `CALL`, `RETURN`, `LABEL`, `FUNCTIONCALL`, `ENTRY`, `EXIT` or `ASSUME` after `MATCH`",
                ));
            }
        })
    }

    fn label(&mut self) -> Parsed<Event> {
        if self.token != Token::Sign("[") {
            return Err(self.unexpected("`[` with the label after `LABEL`"));
        }
        self.regex().map(Event::Label)
    }

    /// `[regex]`
    fn regex(&mut self) -> Parsed<Regex> {
        let Some((start, text)) = self.lexer.bracketed() else {
            return Err(self.error("`[` is not closed in this line"));
        };
        let regex = Regex::new(text).map_err(|(at, message)| self.text.error(At(start.0 + at), message))?;
        self.bump();
        Ok(regex)
    }

    /// `{ f(args) }`, `{ x = f(args); }` or `{ x = e }`
    fn pattern(&mut self, when: When) -> Parsed<Pattern> {
        self.braced("with a statement", |this| {
            if this.token == Token::Sign("[") {
                let pattern = this.family_call(None);
                this.accept(";");
                return pattern;
            }
            let start = this.save();
            let first = this.expression(NO_LOGIC)?;
            if this.token == Token::Sign("=") && this.peek() == Token::Sign("[") {
                this.bump();
                let pattern = this.family_call(Some(first));
                this.accept(";");
                return pattern;
            }
            let pattern = match first.kind {
                ExprKind::Call(function, args) => Pattern::Call {
                    result: None,
                    function: this.function(*function)?,
                    args,
                },
                _ => {
                    this.restore(start);
                    let (_, lhs, rhs) = this.assignment()?;
                    match rhs.kind {
                        ExprKind::Call(function, args) => Pattern::Call {
                            result: Some(lhs),
                            function: this.function(*function)?,
                            args,
                        },
                        _ if when != When::Either => {
                            return Err(this.text.error(rhs.at, "`MATCH CALL` and `MATCH RETURN` need a call"));
                        }
                        _ => Pattern::Assign { lhs, rhs },
                    }
                }
            };
            this.accept(";");
            Ok(pattern)
        })
    }

    /// `[regex](args)`
    fn family_call(&mut self, result: Option<Expr>) -> Parsed<Pattern> {
        let function = Callee::Family(self.regex()?);
        self.expect("(", "after the names of the functions")?;
        let args = self.arguments()?;
        Ok(Pattern::Call { result, function, args })
    }

    fn peek(&self) -> Token<'t> {
        let mut lexer = self.lexer;
        lexer.next().1
    }

    fn function(&self, callee: Expr) -> Parsed<Callee> {
        match callee.kind {
            ExprKind::Name(name) => Ok(Callee::Name(name)),
            _ => Err(self.text.error(callee.at, "expected the name of a function")),
        }
    }
}

/// The sign of the token table that is equal to a sign.
fn sign_of(sign: &str) -> &'static str {
    super::lexer::sign(sign).expect("the grammar names signs that there are")
}

/// The condition that not all of some conditions hold.
fn negation(conditions: &[Expr]) -> Expr {
    let at = conditions[0].at;
    let all = conditions.iter().cloned().reduce(|a, b| Expr {
        at,
        kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
    });
    Expr {
        at,
        kind: ExprKind::Unary(UnaryOp::Not, Box::new(all.expect("there is a condition"))),
    }
}
