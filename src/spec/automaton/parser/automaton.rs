//! Automata: variables, states, transitions.

use super::super::cparser::NO_LOGIC;
use super::super::syntax::*;
use super::effect::{Effects, Goal};
use super::{Parsed, Parser};

/// A state whose transitions name their targets.
struct Draft {
    state: State,
    goals: Vec<Goal>,
}

impl Parser<'_> {
    pub(super) fn automaton(&mut self) -> Parsed<Automaton> {
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
