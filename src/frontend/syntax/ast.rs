//! The typed syntax tree: a C program after all of C's implicit rules are applied.
//!
//! A reader of this tree needs no knowledge of C's conversions: every conversion is a [`ExprKind::Cast`] node, names are
//! resolved to declarations, `a->b` is `Member(Deref(a))`, `p[i]` is `Deref(PointerAdd(p, i))` (only the subscript of an array
//! lvalue stays an [`ExprKind::Index`]), constants such as `sizeof` and enumerators are [`ExprKind::Int`], initialisers are flat
//! lists of (path, value), and `_Generic`, `__builtin_choose_expr`, `typeof` and their kin are gone.
//!
//! Expressions and statements live in two arenas of the [`TranslationUnit`] and refer to each other by id, so that they are
//! cheap to copy and a deep tree needs no recursion to be freed. Trees may be as deep as memory lets them: readers that recurse do it
//! within [`grow`].
//!
//! # Values and lvalues
//!
//! [`ExprKind::is_lvalue`] kinds denote objects; reading one is an explicit [`CastKind::LvalueToRvalue`]. Operands of [`ExprKind::AddressOf`],
//! [`ExprKind::Member`], the left sides of assignments and `++` are lvalues without that cast (a `Member` may also have a base that is
//! a record *value*, such as a call). Assignments, `++` and `--` are values, not lvalues. Record and union objects are read by `LvalueToRvalue`, too.
//!
//! | module | does |
//! |---|---|
//! | `ids` | numbers of the parts |
//! | `expr` | expressions |
//! | `stmt` | statements |

mod expr;
mod ids;
mod stmt;

pub use expr::*;
pub use ids::*;
pub use stmt::*;

use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{DataModel, Quals, TypeId, Types, VlaId};

/// Runs one level of a recursion over a tree: on the current stack, or if that ends soon, on a new piece of stack.
pub fn grow<T>(level: impl FnOnce() -> T) -> T {
    /// The most stack that one level may need, with a wide margin.
    const LEVEL: usize = 128 << 10;
    const PIECE: usize = 4 << 20;
    stacker::maybe_grow(LEVEL, PIECE, level)
}

/// One step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitStep {
    /// The field with this index.
    Field(u32),
    /// The element with this index.
    Index(u64),
    /// GNU `[lo ... hi]`: all these elements get the value, which is evaluated once.
    Range(u64, u64),
}

impl InitStep {
    /// The first and the last part that it names.
    pub fn bounds(self) -> (u64, u64) {
        match self {
            InitStep::Field(n) => (u64::from(n), u64::from(n)),
            InitStep::Index(n) => (n, n),
            InitStep::Range(low, high) => (low, high),
        }
    }

    /// Whether every part that the path `b` names comes after all parts that `a` names.
    pub fn precede(a: &[InitStep], b: &[InitStep]) -> bool {
        for (x, y) in a.iter().zip(b) {
            let ((_, high), (low, _)) = (x.bounds(), y.bounds());
            if high < low {
                return true;
            }
            if x.bounds() != y.bounds() || matches!(x, InitStep::Range(..)) {
                return false;
            }
        }
        false
    }
}

/// The value of one part of an initialised object.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// The way from the object to the part; empty for the whole object.
    pub path: Box<[InitStep]>,
    /// A value of the part's type; 0 for a part with parts of its own, all of which become zero; a [`ExprKind::String`] lvalue where a string literal initialises a character array.
    pub value: ExprId,
}

/// A normalised initialiser: the parts in the order in which they are written; later ones override.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// The parts.
    pub entries: Vec<InitEntry>,
    /// Whether parts that are not mentioned are zero (true for every braced initialiser).
    pub zero_fill: bool,
    /// How many elements it gives to a flexible array member (GNU).
    pub flexible: u64,
}

/// A string literal.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The code units without the terminating zero.
    pub units: Box<[u32]>,
    /// Bytes per unit: 1, 2 or 4.
    pub unit_bytes: u32,
    /// The function whose `__func__` it is: an object of its own, whatever literals have the same text.
    pub function: Option<FuncId>,
}

/// A variable with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name; of a static local, the name in the program.
    pub name: Box<str>,
    /// The plain type.
    pub ty: TypeId,
    /// The qualifiers of the declaration.
    pub quals: Quals,
    /// The declaration (the definition, if there is one).
    pub loc: Loc,
    /// Whether the unit defines it (a tentative definition counts). Otherwise it is `extern` and its value is unknown.
    pub defined: bool,
    /// Whether other units cannot see it.
    pub is_static: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// The initialiser; a variable that is `defined` without one is zero.
    pub init: Option<InitId>,
    /// The function whose static local or compound literal it is. With the name and [`GlobalId`] it makes it unique.
    pub owner: Option<FuncId>,
    /// The alignment in bytes that its type and its attributes demand.
    pub align: u64,
    /// Whether it is `weak`.
    pub weak: bool,
    /// The target of `__attribute__((alias("...")))`.
    pub alias: Option<Box<str>>,
    /// How it is told from others of the program.
    pub linkage: Linkage,
}

/// How a function or variable is told from others of a program of several translation units.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// The number of its unit.
    pub unit: u32,
    /// The name for the linker, where `asm("name")` gives another one.
    pub asm_name: Option<Box<str>>,
    /// The name with that of the file, if another unit gives the name to something else.
    pub unique: Option<Box<str>>,
}

/// Attributes of a function that matter to a verifier.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct FunctionAttributes {
    pub noreturn: bool,
    pub weak: bool,
    /// The priority of a function that runs before `main`; the lowest first.
    pub constructor: Option<u64>,
    /// The priority of a function that runs when the program ends; the lowest last.
    pub destructor: Option<u64>,
    /// `const` or `pure`: no side effects.
    pub pure: bool,
    pub malloc: bool,
    pub alias: Option<Box<str>>,
    /// `aligned(n)`, in bytes.
    pub aligned: Option<u64>,
    /// `gnu_inline`: the old meaning of `extern inline`.
    pub gnu_inline: bool,
}

/// The function of a library that stands for one without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// There is none.
    #[default]
    None,
    /// This one.
    Function(FuncId),
    /// There is one of the name, but its type is another.
    Misfit,
}

/// A function, declared or defined.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Box<str>,
    /// A function type.
    pub ty: TypeId,
    /// The name in its declaration (in the definition, if there is one). `Loc::NONE` for builtins.
    pub loc: Loc,
    /// Whether other units cannot see it.
    pub is_static: bool,
    /// Whether it was declared by being called only.
    pub implicit: bool,
    /// The enclosing function of a nested function.
    pub owner: Option<FuncId>,
    /// The attributes.
    pub attributes: FunctionAttributes,
    /// The definition.
    pub body: Option<Body>,
    /// Whether its definition is for its own unit only (C11 6.7.4p7): every declaration says `inline`, and none says `extern`.
    pub inline_only: bool,
    /// How it is told from others of the program.
    pub linkage: Linkage,
    /// The function of a library that stands for it.
    pub model: Model,
    /// The parameters, one bit each from the lowest, through which a call may not write: those that are no pointers, or pointers to constants. None
    /// is known without a prototype.
    pub read_only: u64,
}

impl Function {
    /// The name, with that of the file where another unit has another function of the name.
    pub fn unique_name(&self) -> &str {
        self.linkage.unique.as_deref().unwrap_or(&self.name)
    }
}

/// A function's definition.
#[derive(Clone, Debug)]
pub struct Body {
    /// The parameters in order.
    pub params: Vec<LocalId>,
    /// The lengths in the parameters' types, evaluated at entry.
    pub lengths: Box<[VlaId]>,
    /// All parameters and local variables.
    pub locals: Vec<Local>,
    /// Whether it reads the variable arguments: `va_start` occurs.
    pub starts_varargs: bool,
    /// All labels.
    pub labels: Vec<Label>,
    /// The compound statement.
    pub root: StmtId,
    /// The closing brace.
    pub end: Loc,
}

/// A parameter or automatic variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name; `None` for unnamed parameters and compound literals.
    pub name: Option<Box<str>>,
    /// The plain type.
    pub ty: TypeId,
    /// The qualifiers of the declaration.
    pub quals: Quals,
    /// The declaration.
    pub loc: Loc,
    /// The alignment in bytes that its type and its attributes demand.
    pub align: u64,
    /// Whether it is a parameter.
    pub is_param: bool,
}

/// A label of a function.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name.
    pub name: Box<str>,
    /// Where it stands.
    pub loc: Loc,
    /// Whether `&&label` occurs, so that a computed goto may reach it.
    pub address_taken: bool,
    /// For a `__label__` of an enclosing function that a nested function jumps to.
    pub outer: Option<(FuncId, LabelId)>,
}

/// A program: everything that its preprocessed texts declare and define.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// The types.
    pub types: Types,
    /// The text.
    pub source: SourceMap,
    /// The variables with static storage in order of first declaration.
    pub globals: Vec<Global>,
    /// The functions in order of first declaration.
    pub functions: Vec<Function>,
    /// The string literals.
    pub strings: Vec<StringLiteral>,
    /// Whether top-level `asm` was dropped, and where.
    pub toplevel_asm: Vec<Loc>,
    /// The names of types at file scope, sorted by name.
    pub typedefs: Vec<(Box<str>, TypeId)>,
    /// Where the library's text does not fit the program's types: functions that have no body for that reason.
    pub library_problems: Vec<String>,
    pub(in crate::frontend) exprs: Vec<Expr>,
    pub(in crate::frontend) lists: Vec<ExprId>,
    pub(in crate::frontend) stmts: Vec<Stmt>,
    pub(in crate::frontend) inits: Vec<Init>,
    pub(in crate::frontend) vlas: Vec<Option<ExprId>>,
}

impl TranslationUnit {
    /// The data model.
    pub fn data_model(&self) -> DataModel {
        self.types.data_model()
    }

    /// The expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// All expressions, of discarded code too.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.exprs.iter()
    }

    /// The statement.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// The expressions of a list.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        let start = list.start as usize;
        &self.lists[start..start + list.len as usize]
    }

    /// The initialiser.
    pub fn init(&self, id: InitId) -> &Init {
        &self.inits[id.index()]
    }

    /// The number of elements of a variable-length array; `None` for `[*]`.
    pub fn vla_length(&self, id: VlaId) -> Option<ExprId> {
        self.vlas[id.0 as usize]
    }

    /// The function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// The variable.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// The string literal.
    pub fn string(&self, id: StringId) -> &StringLiteral {
        &self.strings[id.index()]
    }

    /// The file-scope function of this name; if there are several, the one that all units see.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        let named = |f: &Function| &*f.name == name && f.owner.is_none();
        let visible = self.functions.iter().position(|f| named(f) && !f.is_static);
        visible
            .or_else(|| self.functions.iter().position(named))
            .map(FuncId::from_index)
    }

    /// The function that a name means in the unit of another one.
    pub fn function_beside(&self, id: FuncId, name: &str) -> Option<FuncId> {
        let unit = self.function(id).linkage.unit;
        let here = |f: &Function| &*f.name == name && f.owner.is_none() && f.linkage.unit == unit;
        let found = self.functions.iter().position(here).map(FuncId::from_index);
        found.or_else(|| self.function_named(name))
    }

    /// The variable that a name means in the unit of another one.
    pub fn global_beside(&self, id: GlobalId, name: &str) -> Option<GlobalId> {
        let unit = self.global(id).linkage.unit;
        let here = |g: &Global| &*g.name == name && g.owner.is_none() && g.linkage.unit == unit;
        let found = self.globals.iter().position(here).map(GlobalId::from_index);
        found.or_else(|| self.global_named(name))
    }

    /// The file-scope variable of this name in the library that stands behind the program.
    pub fn library_global(&self, name: &str) -> Option<GlobalId> {
        let found = |g: &Global| &*g.name == name && g.owner.is_none() && self.source.in_library(g.loc);
        self.globals.iter().rposition(found).map(GlobalId::from_index)
    }

    /// The file-scope variable of this name; if there are several, the one that all units see.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        let named = |g: &Global| &*g.name == name && g.owner.is_none();
        let visible = self.globals.iter().position(|g| named(g) && !g.is_static);
        visible
            .or_else(|| self.globals.iter().position(named))
            .map(GlobalId::from_index)
    }
}
