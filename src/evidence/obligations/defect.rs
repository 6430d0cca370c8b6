//! Why obligations show nothing: errors in the texts of terms, in scripts, and in what a manifest leaves out.
//!
//! Each error is the part of a sentence that follows the name of the file it is about.

use super::manifest::{Kind, Role};
use std::fmt;

/// Why a text is no term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermError {
    /// A closing parenthesis has no opening one.
    ClosedTwice,
    /// An opening parenthesis has no closing one.
    NotClosed,
    /// A quoted symbol does not end.
    OpenSymbol,
    /// There is a string, which no obligation needs.
    Text,
    /// The text is no term, or several.
    NotOne(String),
    /// The text is not about all values of a name.
    NotForAll {
        /// The name.
        name: String,
        /// The beginning of the text.
        text: String,
    },
    /// A word that is no term.
    NoTerm(String),
    /// Nothing is left of the text.
    Nothing,
    /// `()`.
    EmptyList,
    /// A list begins with a list.
    NoHead,
    /// The head of a list is no function.
    NoFunction(String),
    /// A `let` is not of the form `(let ((NAME TERM) ...) TERM)`.
    Let,
    /// A text that should be a number.
    NoNumber(String),
}

impl fmt::Display for TermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TermError::ClosedTwice => f.write_str("a parenthesis too many"),
            TermError::NotClosed => f.write_str("a parenthesis is open"),
            TermError::OpenSymbol => f.write_str("a bar without another"),
            TermError::Text => f.write_str("a string"),
            TermError::NotOne(text) => write!(f, "not one term: {text}"),
            TermError::NotForAll { name, text } => write!(f, "not about all {name}: {text}"),
            TermError::NoTerm(name) => write!(f, "{name} is no term"),
            TermError::Nothing => f.write_str("no term"),
            TermError::EmptyList => f.write_str("an empty list is no term"),
            TermError::NoHead => f.write_str("the head of a term is no name"),
            TermError::NoFunction(head) => write!(f, "{head} is no function"),
            TermError::Let => f.write_str("a let has bindings, each a name and a term, and a body"),
            TermError::NoNumber(text) => write!(f, "{text} is no number"),
        }
    }
}

impl std::error::Error for TermError {}

/// Why a text is no script of an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptError {
    /// It does not consist of terms.
    Term(TermError),
    /// A command follows the question.
    AfterQuestion,
    /// A declaration is not of the form `(declare-fun NAME (SORT ...) SORT)`.
    Declaration,
    /// A name is declared twice, or neither as an integer, a function of integers, nor a Boolean.
    Declared(String),
    /// A command that scripts of obligations do not have.
    Command(String),
    /// There is no `(check-sat)`.
    NoQuestion,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScriptError::Term(error) => error.fmt(f),
            ScriptError::AfterQuestion => f.write_str("something follows the question"),
            ScriptError::Declaration => f.write_str("a declaration without a name or without arguments"),
            ScriptError::Declared(name) => write!(f, "{name} is declared as something else, or twice"),
            ScriptError::Command(name) => write!(f, "{name} has no place in it"),
            ScriptError::NoQuestion => f.write_str("it asks nothing"),
        }
    }
}

impl std::error::Error for ScriptError {}

impl From<TermError> for ScriptError {
    fn from(error: TermError) -> Self {
        ScriptError::Term(error)
    }
}

/// Why an assertion is not what the manifest says that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The assertion, or the entry of the manifest, is no term.
    Term(TermError),
    /// The manifest does not list the instance.
    NotListed,
    /// The manifest says nothing of an update.
    NoUpdate(String),
    /// The assertion contains the constant that stands for an arbitrary number.
    AnyNumber,
    /// It does not follow from the manifest: why that was not shown.
    NotImplied(String),
    /// A sum is not 0 for the reason that the manifest lists.
    Identity(String),
    /// The manifest has no such point.
    NoPoint(String),
    /// No block of the manifest begins at a point.
    NoBlock(String),
    /// The obligation does not say where its block ends.
    NoEnd,
    /// The obligation is about a call that relies on contracts, and speaks of paths.
    NoPaths,
    /// The cases at a point rely on no contract, or on several.
    NoContract(String),
    /// A contract speaks of a name that its caller does not have.
    NotSeen(String),
    /// The manifest lists no range of a name at a point.
    NoRange {
        /// The name.
        name: String,
        /// The point.
        point: String,
    },
    /// The obligation is about conjuncts that its claim does not have.
    NoConjuncts,
    /// The obligation is about cases that its claim does not have.
    NoCases {
        /// The point of the claim.
        point: String,
        /// The cases, from the first one to before the last one.
        cases: [usize; 2],
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Term(error) => error.fmt(f),
            Mismatch::NotListed => f.write_str("it is not listed"),
            Mismatch::NoUpdate(name) => write!(f, "the manifest says nothing of {name}"),
            Mismatch::AnyNumber => f.write_str("it speaks of the number that stands for any"),
            Mismatch::NotImplied(why) => write!(f, "it does not follow from what the manifest says: {why}"),
            Mismatch::Identity(sum) => write!(f, "the sum {sum} is not 0 for the reason that is listed"),
            Mismatch::NoPoint(name) => write!(f, "there is no point {name}"),
            Mismatch::NoBlock(name) => write!(f, "no block begins at {name}"),
            Mismatch::NoEnd => f.write_str("it does not say where its block ends"),
            Mismatch::NoPaths => f.write_str("a call that relies on contracts has no paths"),
            Mismatch::NoContract(point) => write!(f, "it is about no cases of {point} that rely on one contract"),
            Mismatch::NotSeen(name) => write!(f, "the contract speaks of {name}, which its caller does not have"),
            Mismatch::NoRange { name, point } => write!(f, "no range of {name} is listed at {point}"),
            Mismatch::NoConjuncts => f.write_str("there are no such conjuncts"),
            Mismatch::NoCases {
                point,
                cases: [start, end],
            } => write!(f, "{point} has no cases {start} to {end}"),
        }
    }
}

impl std::error::Error for Mismatch {}

impl From<TermError> for Mismatch {
    fn from(error: TermError) -> Self {
        Mismatch::Term(error)
    }
}

/// Why a script, or the values of operators that all scripts use, are not what the manifest says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditError {
    /// Arguments of an operator are no numbers.
    Arguments(Vec<String>),
    /// An operator has another value.
    Operator {
        /// The operator.
        operator: String,
        /// Its arguments.
        arguments: Vec<i128>,
        /// The value in the manifest.
        value: String,
    },
    /// An operation on floating-point values has another value: its name, the arguments, and the value in the manifest.
    Float(String, Vec<String>, String),
    /// The text is no script.
    Script(ScriptError),
    /// The script has more or fewer assertions than the manifest lists.
    Count {
        /// Assertions of the script.
        found: usize,
        /// Assertions in the manifest.
        listed: usize,
    },
    /// Two assertions have a role that only one may have.
    Twice(Role),
    /// An assertion is wrong.
    Assertion {
        /// Its number, from 1.
        number: usize,
        /// Its role.
        role: Role,
        /// The mistake.
        why: Mismatch,
    },
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Arguments(texts) => write!(f, "{texts:?} are no arguments"),
            AuditError::Operator {
                operator,
                arguments,
                value,
            } => write!(f, "{operator} of {arguments:?} is not {value}"),
            AuditError::Float(operation, arguments, value) => write!(f, "{operation} of {arguments:?} is not {value}"),
            AuditError::Script(error) => error.fmt(f),
            AuditError::Count { found, listed } => {
                write!(f, "it has {found} assertions, and the manifest says what {listed} are")
            }
            AuditError::Twice(role) => write!(f, "two assertions say {}", role.text()),
            AuditError::Assertion { number, role, why } => write!(f, "assertion {number} ({}): {why}", role.text()),
        }
    }
}

impl std::error::Error for AuditError {}

impl From<ScriptError> for AuditError {
    fn from(error: ScriptError) -> Self {
        AuditError::Script(error)
    }
}

/// A gap in the coverage of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Two entries of a table have the same name.
    SameName(&'static str),
    /// No block begins at a point.
    NoBlock(String),
    /// No script is about a conjunct of a claim.
    Conjunct {
        /// Its number, from 1.
        number: usize,
        /// Where the block begins.
        from: String,
        /// Where it ends.
        to: String,
        /// The sort of obligation.
        kind: Kind,
    },
    /// No script is about a case of a claim.
    Case {
        /// Its number, from 1.
        number: usize,
        /// Where the block begins.
        from: String,
        /// Where it ends.
        to: String,
        /// The sort of obligation.
        kind: Kind,
    },
    /// No script shows the claim behind a block.
    Consecution {
        /// Where the block begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// Nothing shows that a value is in its range behind a block.
    Range {
        /// The name of the value.
        name: String,
        /// Where the block begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// Nothing excludes the ends of a block that have no claim.
    Exclusion(String),
    /// Nothing excludes the violations in a block.
    Safety(String),
    /// Nothing shows the claim at the program's start.
    Initiation,
    /// There is no claim at the program's start.
    Start,
    /// There is no edge of a number.
    NoEdge(u32),
    /// There is no point of a name.
    NoPoint(String),
    /// An edge is entered and calls nothing.
    NoCall(u32),
    /// A block does not return from a call that it enters.
    NoReturn {
        /// Where the block begins.
        block: String,
        /// The edge of the call.
        call: u32,
    },
    /// A path in a block does not end.
    NoEnd(String),
    /// A path in a block comes to the end of the function of a contract, and the block does not end there.
    NoExit(String),
    /// A block ends under another contract than that under which it begins.
    OtherContract(String),
    /// A contract does not begin and end where its function does.
    Contract(String),
    /// A block that relies on contracts is not a call of their function, or does not end behind it.
    Call(String),
    /// Nothing shows what a contract requires at a call.
    Precondition {
        /// The point of the call.
        from: String,
        /// The contract.
        contract: String,
    },
    /// A listed path is none of the program, or takes an edge that violates a property.
    Path(usize),
    /// Nothing shows that no execution leaves a listed path.
    Left(usize),
    /// A block leaves out an edge.
    NotTaken {
        /// Where the block begins.
        block: String,
        /// The edge.
        edge: u32,
    },
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::SameName(what) => write!(f, "two {what} have the same name"),
            Gap::NoBlock(point) => write!(f, "no block begins at {point}"),
            Gap::Conjunct { number, from, to, kind } => {
                write!(
                    f,
                    "the manifest says nothing of conjunct {number} at {to} on the way from {from} ({kind:?})"
                )
            }
            Gap::Case { number, from, to, kind } => {
                write!(
                    f,
                    "the manifest says nothing of case {number} of {from} on the way to {to} ({kind:?})"
                )
            }
            Gap::Consecution { from, to } => write!(f, "nothing is claimed of the paths from {from} to {to}"),
            Gap::Range { name, from, to } => {
                write!(
                    f,
                    "nothing shows that {name} is in its range at {to} on the way from {from}"
                )
            }
            Gap::Exclusion(from) => write!(f, "nothing excludes the points without claim behind {from}"),
            Gap::Safety(from) => write!(f, "nothing is claimed of the violations behind {from}"),
            Gap::Initiation => f.write_str("nothing shows what is claimed at the program's start"),
            Gap::Start => f.write_str("nothing is claimed at the program's start"),
            Gap::NoEdge(id) => write!(f, "there is no edge {id}"),
            Gap::NoPoint(name) => write!(f, "there is no point {name}"),
            Gap::NoCall(edge) => write!(f, "edge {edge} enters no function"),
            Gap::NoReturn { block, call } => write!(f, "block {block} does not return from edge {call}"),
            Gap::NoEnd(block) => write!(f, "block {block} does not end"),
            Gap::NoExit(block) => write!(f, "block {block} leaves the function of its contract"),
            Gap::OtherContract(block) => write!(f, "block {block} ends under another contract"),
            Gap::Contract(name) => write!(f, "the contract {name} does not begin and end where its function does"),
            Gap::Call(block) => write!(f, "block {block} is no call of the function of its contracts"),
            Gap::Precondition { from, contract } => {
                write!(f, "nothing shows at {from} what the contract {contract} requires")
            }
            Gap::Path(path) => write!(f, "path {} is none of the program without a violation", path + 1),
            Gap::Left(path) => write!(f, "nothing shows that no execution leaves path {}", path + 1),
            Gap::NotTaken { block, edge } => write!(f, "block {block} leaves out edge {edge}"),
        }
    }
}

impl std::error::Error for Gap {}

/// How a manifest differs from a program and its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// The manifest has no points.
    NoPoints,
    /// Its first point is not where the program starts.
    Start {
        /// The point.
        point: String,
        /// The function in which the program starts.
        function: String,
    },
    /// A function begins or ends elsewhere.
    Function(String),
    /// The manifest lists functions that the program lacks.
    Functions,
    /// The manifest lacks an edge of the program.
    MissingEdge {
        /// Its number.
        edge: usize,
        /// Its line.
        line: u32,
    },
    /// An edge of the manifest is another one than that of the program.
    OtherEdge {
        /// Its number.
        edge: usize,
        /// Its line.
        line: u32,
    },
    /// The manifest does not list an edge as a violation.
    Violation {
        /// Its number.
        edge: usize,
        /// Its line.
        line: u32,
    },
    /// The program lacks an edge of the manifest.
    NoEdge(u32),
    /// The manifest has other local variables of a function.
    Locals(String),
    /// The manifest does not say that a function with a contract may write a name.
    Writes {
        /// The function.
        function: String,
        /// The name.
        name: String,
    },
    /// The manifest does not list a property.
    Property(String),
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Foreign::NoPoints => f.write_str("it has no points"),
            Foreign::Start { point, function } => write!(f, "{point} is not where the program starts, in {function}"),
            Foreign::Function(name) => write!(f, "the function {name} begins or ends elsewhere"),
            Foreign::Functions => f.write_str("it lists functions that the program does not have"),
            Foreign::MissingEdge { edge, line } => write!(f, "it lacks the edge {edge} in line {line}"),
            Foreign::OtherEdge { edge, line } => write!(f, "the edge {edge} in line {line} is another one"),
            Foreign::Violation { edge, line } => {
                write!(
                    f,
                    "it does not say that the edge {edge} in line {line} violates the property"
                )
            }
            Foreign::Locals(name) => write!(f, "the function {name} has other local variables"),
            Foreign::Writes { function, name } => {
                write!(f, "it does not say that a call of {function} may write {name}")
            }
            Foreign::NoEdge(id) => write!(f, "the program has no edge {id} in these functions"),
            Foreign::Property(name) => write!(f, "it is not about {name}"),
        }
    }
}

impl std::error::Error for Foreign {}
