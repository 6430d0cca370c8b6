//! Specification automata as data: the contents of a `.spc` file, with places for error messages.

use super::regex::Regex;
use super::text::Text;
use std::sync::Arc;

/// A position in the text of a specification, includes expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At(pub usize);

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The automata in the order of the file; names are unique.
    pub automata: Vec<Automaton>,
    /// The text, for messages.
    pub text: Arc<Text>,
}

/// An automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub at: At,
    /// Whether it may restrict the program (`CONTROL`), by `STOP`.
    pub control: bool,
    /// Its variables and sets.
    pub variables: Vec<Variable>,
    /// Its states; a target state with no transitions is added where one is named only as such.
    pub states: Vec<State>,
    /// The position of the first state.
    pub initial: usize,
}

/// A variable of an automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub at: At,
    /// The type of its values.
    pub kind: VariableKind,
}

/// The type of the values of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableKind {
    /// A C `int`, with its first value.
    Int(i128),
    /// A set of values, empty at first.
    Set,
}

/// Which of the transitions that are enabled are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every one, each on a path of its own.
    All,
    /// The first.
    First,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub at: At,
    /// Whether reaching it is a violation.
    pub target: bool,
    /// Which transitions are taken.
    pub selection: Selection,
    /// The transitions in order.
    pub transitions: Vec<Transition>,
}

/// A transition. The parts take effect in the order of the fields: trigger, assertions, actions, assumption, woven statements, target.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Where it begins.
    pub at: At,
    /// When it is considered.
    pub trigger: Trigger,
    /// Conditions that are violations where they are false.
    pub assertions: Vec<Expr>,
    /// `DO`: assignments to variables and sets of the automaton.
    pub actions: Vec<Action>,
    /// Conditions under which it is taken, after the actions.
    pub assumptions: Vec<Expr>,
    /// `ENCODE`: woven statements.
    pub encode: Vec<Encoded>,
    /// The messages that it prints when it is taken.
    pub prints: Vec<String>,
    /// Where it leads.
    pub target: Target,
    /// A construct that has no meaning here, with its place.
    pub unsupported: Option<(At, String)>,
}

/// Where a transition leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// To a state, by its position.
    State(usize),
    /// To a violation, with a message.
    Error(Option<String>),
    /// The path is of no interest any more, for any property.
    Stop,
    /// The property is switched off on this path.
    Inactive,
}

/// When a transition is considered.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// Always, or never.
    Constant(bool),
    /// When something happens in the program.
    Event(At, Event),
    /// When a condition on the automaton's variables and on matched values holds.
    Condition(Expr),
    /// A question to an analysis.
    Query {
        /// Where it stands.
        at: At,
        /// The analysis.
        analysis: String,
        /// The question.
        query: String,
    },
    /// Not.
    Not(Box<Trigger>),
    /// Both.
    And(Box<Trigger>, Box<Trigger>),
    /// One of both.
    Or(Box<Trigger>, Box<Trigger>),
}

/// When a call is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// `MATCH {..}`: at the return if the pattern names the result, else at the call.
    Either,
    /// `MATCH CALL {..}`
    Call,
    /// `MATCH RETURN {..}`
    Return,
}

/// A trigger: an event in the program.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A statement.
    Statement(When, Pattern),
    /// A label is passed.
    Label(Regex),
    /// A function is called.
    FunctionCall(String),
    /// The program begins.
    Entry,
    /// The entry function has returned.
    Exit,
    /// A condition of the program has been decided.
    Assume,
    /// The text of a statement.
    Text(String),
}

/// A pattern of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `f(args)`, `x = f(args)`
    Call {
        /// The place of the result, if the pattern names one.
        result: Option<Expr>,
        /// The function.
        function: Callee,
        /// The arguments. A last `$?` stands for any number of them.
        args: Vec<Expr>,
    },
    /// `x = e`
    Assign {
        /// The left side.
        lhs: Expr,
        /// The right side.
        rhs: Expr,
    },
}

/// The function that a pattern names.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// The function of this name.
    Name(String),
    /// A family: all functions whose names match. Calls in the body of a member are part of that member.
    Family(Regex),
}

impl Callee {
    /// Whether the pattern names the function.
    pub fn matches(&self, function: &str) -> bool {
        match self {
            Callee::Name(name) => name == function,
            Callee::Family(regex) => regex.matches(function),
        }
    }
}

/// An assignment to the automaton's variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `v = e`
    Assign {
        /// Where it stands.
        at: At,
        /// The variable.
        variable: String,
        /// The value.
        value: Expr,
    },
    /// `s[e] = true` or `false`
    Member {
        /// Where it stands.
        at: At,
        /// The set.
        set: String,
        /// The element.
        element: Expr,
        /// Whether it is put in or taken out.
        put: bool,
    },
}

/// A woven statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Encoded {
    /// The declaration of a variable, which lives as long as the automaton.
    Declare {
        /// Where it stands.
        at: At,
        /// Its name.
        name: String,
        /// Its type.
        ty: TypeName,
        /// The value that it gets here.
        value: Option<Expr>,
    },
    /// An assignment.
    Assign {
        /// Where it stands.
        at: At,
        /// The variable.
        name: String,
        /// The value.
        value: Expr,
    },
}

/// A C expression with holes.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where its operator or first token stands.
    pub at: At,
    /// Its form.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `$1`
    Hole(u32),
    /// `$?`
    Any,
    /// `$$v` or `$v`: a variable of the automaton.
    Variable(String),
    /// A name of the program or of the automaton.
    Name(String),
    /// An integer constant with its suffix.
    Int {
        /// The value.
        value: i128,
        /// Whether the suffix has a `u`, or the constant is in octal or hexadecimal and does not fit a signed type.
        unsigned: bool,
        /// The number of `l`.
        long: u8,
        /// Whether it is written in decimal.
        decimal: bool,
    },
    /// A floating constant.
    Float(String),
    /// A conversion.
    Cast(TypeName, Box<Expr>),
    /// `-a`, `~a`, `!a`, `*a`, `&a`
    Unary(UnaryOp, Box<Expr>),
    /// An operator on two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a.m`, or `a->m`
    Member {
        /// The object, or the pointer to it.
        base: Box<Expr>,
        /// The member.
        name: String,
        /// Whether it is `->`.
        arrow: bool,
    },
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(args)`
    Call(Box<Expr>, Vec<Expr>),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum UnaryOp {
    Neg,
    Plus,
    BitNot,
    Not,
    Deref,
    AddressOf,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are those of the operators.
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// The name of a type: a base and a number of `*`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    /// Where it stands.
    pub at: At,
    /// The base.
    pub base: TypeBase,
    /// The number of `*`.
    pub pointers: usize,
}

/// The base of a type name.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeBase {
    /// Keywords such as `unsigned long`, sorted.
    Words(Vec<String>),
    /// `struct`, `union` or `enum` with its tag.
    Tag(String, String),
    /// A `typedef` name.
    Name(String),
}

impl Automaton {
    /// Whether a pattern names the function.
    pub fn watches(&self, function: &str) -> bool {
        let mut found = false;
        for transition in self.states.iter().flat_map(|state| &state.transitions) {
            transition.trigger.visit(&mut |event| match event {
                Event::Statement(_, Pattern::Call { function: callee, .. }) => found |= callee.matches(function),
                Event::FunctionCall(name) => found |= name == function,
                _ => {}
            });
        }
        found
    }
}

impl Expr {
    /// Whether a name of the program occurs, or a call.
    pub fn has_names(&self) -> bool {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::Call(..) => true,
            ExprKind::Hole(_) | ExprKind::Any | ExprKind::Variable(_) | ExprKind::Int { .. } | ExprKind::Float(_) => {
                false
            }
            ExprKind::Cast(_, a) | ExprKind::Unary(_, a) | ExprKind::Member { base: a, .. } => a.has_names(),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => a.has_names() || b.has_names(),
        }
    }
}

impl Trigger {
    fn visit<'t>(&'t self, f: &mut dyn FnMut(&'t Event)) {
        match self {
            Trigger::Event(_, event) => f(event),
            Trigger::Not(inner) => inner.visit(f),
            Trigger::And(a, b) | Trigger::Or(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Trigger::Constant(_) | Trigger::Condition(_) | Trigger::Query { .. } => {}
        }
    }
}
