//! The state of the parser, which all its parts share: tokens, errors, scopes.
//!
//! Parsing and semantic analysis are one pass, as C demands it anyway (whether `(a)(b)` is a cast depends on the
//! declarations so far): each grammar function returns typed nodes. The parts are methods of [`Parser`] in files of their own:
//! `decl` (declarations), `declarator`, `record` (struct, union, enum), `attribute`, `init` (initialisers), `stmt`, `expr` (expression
//! grammar), `operator` (typing of operators), `convert` (conversions), `fold` (constants), `call` and `builtin`.
//!
//! After an error the parser gives up the current statement or the declaration ([`Failed`]) and goes on behind it, so that one run shows several problems.

use super::ast::*;
use crate::frontend::text::diagnostics::Diagnostic;
use crate::frontend::text::lexer::{Interner, Token, Tokens};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use units::FileScope;
pub use units::UnitBegin;

mod units;

/// The problem is recorded; the current construct is given up.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// The result of a grammar function.
pub type Parsed<T> = Result<T, Failed>;

/// Problems shown for one file at most.
const MAX_ERRORS: usize = 20;

/// The meaning of an ordinary identifier.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    Typedef(TypeId),
    Global(GlobalId),
    Function(FuncId),
    /// A parameter or variable of the function with this index in the stack of frames.
    Local(usize, LocalId),
    EnumConstant(i128, TypeId),
}

/// A struct, union or enum tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Clone, Copy, Debug)]
pub struct Binding<M> {
    pub meaning: M,
    pub depth: u32,
}

/// An entry that has to be restored when a scope ends.
enum Undo {
    Ordinary(Symbol, Option<Binding<Meaning>>),
    Tag(Symbol, Option<Binding<Tag>>),
}

/// The labels of cases seen in a switch statement.
pub struct SwitchState {
    pub ty: TypeId,
    pub cases: BTreeMap<i128, i128>,
    pub has_default: bool,
}

/// A function being analysed, or the parameter list of a declarator.
#[derive(Default)]
pub struct Frame {
    pub function: Option<FuncId>,
    pub ret: Option<TypeId>,
    pub locals: Vec<Local>,
    pub labels: Vec<Label>,
    pub defined_labels: FxHashSet<LabelId>,
    pub label_names: FxHashMap<Symbol, LabelId>,
    /// `__label__` declarations with the scope depth of their block.
    pub local_labels: Vec<(Symbol, LabelId, u32)>,
    pub switches: Vec<SwitchState>,
    /// Parameters that are declared ahead and not yet in their places (GNU).
    pub ahead: FxHashMap<Symbol, LocalId>,
    /// Variables declared `register`, whose address cannot be taken.
    pub registers: FxHashSet<LocalId>,
    pub loops: u32,
    /// Whether `va_start` occurs.
    pub starts_varargs: bool,
}

/// The analysis of a program's translation units, one after the other into the same tables.
pub struct Parser<'t> {
    text: &'t [u8],
    /// The position of the text's first byte.
    base: u32,
    pub tokens: Vec<Token>,
    pub pos: usize,
    pub names: Interner<'t>,
    pub packs: Vec<(usize, u64)>,
    /// The names of `#pragma weak`, each with the name that it stands for if it has none of its own.
    pub weak: Vec<(Symbol, Option<Symbol>)>,
    pub types: Types,
    pub exprs: Vec<Expr>,
    pub lists: Vec<ExprId>,
    pub stmts: Vec<Stmt>,
    pub inits: Vec<Init>,
    pub vlas: Vec<Option<ExprId>>,
    pub pending_vlas: Vec<VlaId>,
    pub strings: Vec<StringLiteral>,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    pub toplevel_asm: Vec<Loc>,
    /// The values of `constexpr` objects of integer type.
    pub constants: FxHashMap<GlobalId, i128>,
    pub frames: Vec<Frame>,
    /// Everything with linkage, wherever it was declared.
    pub linked: FxHashMap<Symbol, Meaning>,
    /// Functions for `__builtin_x` names and for library functions called without a declaration.
    pub builtins: FxHashMap<Symbol, FuncId>,
    pub diagnostics: Vec<Diagnostic>,
    ordinary: Vec<Option<Binding<Meaning>>>,
    tags: Vec<Option<Binding<Tag>>>,
    undo: Vec<Undo>,
    scopes: Vec<usize>,
    /// Records whose members are being read.
    pub open_records: Vec<RecordId>,
    /// Where the tables of each unit begin.
    pub units: Vec<UnitBegin>,
    /// The names of types of the units that are read, unit by unit.
    pub unit_typedefs: Vec<Vec<(Box<str>, TypeId)>>,
    /// The scopes of the units that are read; the first meaning of a name counts.
    earlier: FileScope,
    /// Meanings and tags that the program gives to names, while a library is read, which sees the types among them.
    program: Option<FileScope>,
    /// Names whose declaration failed or that were reported as undeclared: no more messages about them.
    poisoned: FxHashSet<Symbol>,
}

/// The problems of the lexer.
fn token_problems(errors: Vec<(Loc, String)>) -> Vec<Diagnostic> {
    let problem = |(loc, message)| Diagnostic {
        loc,
        len: 1,
        message,
        label: String::new(),
    };
    errors.into_iter().map(problem).take(MAX_ERRORS).collect()
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t [u8], tokens: Tokens<'t>, model: DataModel) -> Parser<'t> {
        let symbols = tokens.names.len();
        let diagnostics = token_problems(tokens.errors);
        Parser {
            text,
            base: 0,
            tokens: tokens.list,
            pos: 0,
            names: tokens.names,
            packs: tokens.packs,
            weak: tokens.weak,
            types: Types::new(model),
            exprs: Vec::new(),
            lists: Vec::new(),
            stmts: Vec::new(),
            inits: Vec::new(),
            vlas: Vec::new(),
            pending_vlas: Vec::new(),
            strings: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            toplevel_asm: Vec::new(),
            constants: FxHashMap::default(),
            frames: Vec::new(),
            linked: FxHashMap::default(),
            builtins: FxHashMap::default(),
            diagnostics,
            ordinary: vec![None; symbols],
            tags: vec![None; symbols],
            undo: Vec::new(),
            scopes: Vec::new(),
            open_records: Vec::new(),
            units: vec![UnitBegin::default()],
            unit_typedefs: Vec::new(),
            earlier: FileScope::default(),
            program: None,
            poisoned: FxHashSet::default(),
        }
    }

    // Tokens.

    pub fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    pub fn tok(&self) -> Tok {
        self.tokens[self.pos].tok
    }

    /// The kind of a token ahead; `Eof` behind the end.
    pub fn tok_at(&self, ahead: usize) -> Tok {
        self.tokens.get(self.pos + ahead).map_or(Tok::Eof, |t| t.tok)
    }

    pub fn loc(&self) -> Loc {
        self.tokens[self.pos].loc
    }

    pub fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.tok != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    pub fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        if found {
            self.pos += 1;
        }
        found
    }

    pub fn expect(&mut self, tok: Tok, what: &str) -> Parsed<Token> {
        if self.tok() == tok {
            Ok(self.bump())
        } else {
            self.unexpected(what)
        }
    }

    pub fn expect_ident(&mut self, what: &str) -> Parsed<(Symbol, Loc)> {
        let token = self.expect(Tok::Ident, what)?;
        Ok((Symbol(token.data), token.loc))
    }

    /// The bytes of a token.
    pub fn spelling(&self, token: Token) -> &'t [u8] {
        if token.tok == Tok::Ident || self.is_word(token) {
            return self.names.bytes(Symbol(token.data));
        }
        let start = (token.loc.0 - self.base) as usize;
        &self.text[start..start + token.data as usize]
    }

    fn is_word(&self, token: Token) -> bool {
        let first = self.text.get((token.loc.0 - self.base) as usize).copied().unwrap_or(0);
        token.tok != Tok::Eof
            && !matches!(token.tok, Tok::String | Tok::Char | Tok::Number)
            && (first.is_ascii_alphabetic() || first == b'_')
    }

    pub fn name(&self, symbol: Symbol) -> String {
        String::from_utf8_lossy(self.names.bytes(symbol)).into_owned()
    }

    pub fn boxed_name(&self, symbol: Symbol) -> Box<str> {
        self.name(symbol).into_boxed_str()
    }

    // Errors.

    /// Records a problem.
    pub fn report(&mut self, loc: Loc, message: impl Into<String>, label: impl Into<String>) -> Failed {
        if self.diagnostics.len() < MAX_ERRORS {
            let len = self.token_length(loc);
            self.diagnostics.push(Diagnostic {
                loc,
                len,
                message: message.into(),
                label: label.into(),
            });
        }
        Failed
    }

    /// Records a problem and gives up the construct.
    pub fn fail<T>(&mut self, loc: Loc, message: impl Into<String>) -> Parsed<T> {
        Err(self.report(loc, message, ""))
    }

    /// Gives up because the next token does not fit.
    pub fn unexpected<T>(&mut self, what: &str) -> Parsed<T> {
        let token = self.token();
        let found = if token.tok == Tok::Eof {
            "end of file".to_owned()
        } else {
            format!("'{}'", String::from_utf8_lossy(self.spelling(token)))
        };
        Err(self.report(
            token.loc,
            format!("syntax error at {found}"),
            format!("expected {what}"),
        ))
    }

    /// Records an undeclared name, once.
    pub fn undeclared<T>(&mut self, symbol: Symbol, loc: Loc) -> Parsed<T> {
        if self.poisoned.insert(symbol) {
            self.report(
                loc,
                format!("undeclared identifier '{}'", self.name(symbol)),
                "not declared in this scope",
            );
        } else if self.diagnostics.is_empty() {
            return self.fail(loc, "undeclared identifier");
        }
        Err(Failed)
    }

    fn token_length(&self, loc: Loc) -> u32 {
        match self.tokens.binary_search_by_key(&loc, |t| t.loc) {
            Ok(i) => u32::try_from(self.spelling(self.tokens[i]).len()).unwrap_or(1),
            Err(_) => 1,
        }
    }

    pub fn too_many_errors(&self) -> bool {
        self.diagnostics.len() >= MAX_ERRORS
    }

    /// Runs a grammar function one level deeper, on a new piece of stack where the old one ends.
    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        grow(|| f(self))
    }

    // Scopes.

    pub fn depth(&self) -> u32 {
        u32::try_from(self.scopes.len()).expect("a text of 4 GiB has fewer scopes")
    }

    pub fn at_file_scope(&self) -> bool {
        self.scopes.is_empty()
    }

    pub fn push_scope(&mut self) {
        self.scopes.push(self.undo.len());
    }

    pub fn pop_scope(&mut self) {
        let depth = self.depth();
        let start = self.scopes.pop().expect("scopes are balanced");
        for undo in self.undo.drain(start..).rev() {
            match undo {
                Undo::Ordinary(symbol, binding) => self.ordinary[symbol.index()] = binding,
                Undo::Tag(symbol, binding) => self.tags[symbol.index()] = binding,
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.local_labels.retain(|&(_, _, d)| d < depth);
        }
    }

    /// Runs a grammar function in a scope of its own.
    pub fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.push_scope();
        let result = f(self);
        self.pop_scope();
        result
    }

    pub fn lookup(&self, symbol: Symbol) -> Option<Binding<Meaning>> {
        let found = self.lookup_declared(symbol);
        if found.is_some() {
            return found;
        }
        let outer = self.program.as_ref()?.ordinary.get(symbol.index()).copied().flatten()?;
        matches!(outer.meaning, Meaning::Typedef(_)).then_some(outer)
    }

    /// The meaning that the current text gives to a name.
    fn lookup_declared(&self, symbol: Symbol) -> Option<Binding<Meaning>> {
        self.ordinary.get(symbol.index()).copied().flatten()
    }

    /// The names of types in the current scope, sorted.
    pub fn typedefs(&self) -> Vec<(Box<str>, TypeId)> {
        let declared = |binding: &&Binding<Meaning>| binding.depth != u32::MAX;
        let named = |(i, binding): (u32, &Option<Binding<Meaning>>)| match binding.as_ref().filter(declared)?.meaning {
            Meaning::Typedef(ty) => Some((self.boxed_name(Symbol(i)), ty)),
            _ => None,
        };
        let mut list: Vec<_> = (0..).zip(&self.ordinary).filter_map(named).collect();
        list.sort_unstable();
        list
    }

    /// The binding in the current scope itself.
    pub fn lookup_here(&self, symbol: Symbol) -> Option<Binding<Meaning>> {
        self.lookup_declared(symbol).filter(|b| b.depth == self.depth())
    }

    pub fn bind(&mut self, symbol: Symbol, meaning: Meaning) {
        if self.ordinary.len() <= symbol.index() {
            self.ordinary.resize(symbol.index() + 1, None);
        }
        let depth = self.depth();
        let old = self.ordinary[symbol.index()].replace(Binding { meaning, depth });
        if depth > 0 {
            self.undo.push(Undo::Ordinary(symbol, old));
        }
    }

    /// Declares a name before the program begins; any declaration of the program replaces it.
    pub fn predeclare(&mut self, symbol: Symbol, meaning: Meaning) {
        let depth = u32::MAX;
        self.ordinary[symbol.index()] = Some(Binding { meaning, depth });
    }

    pub fn lookup_tag(&self, symbol: Symbol) -> Option<Binding<Tag>> {
        let found = self.tags.get(symbol.index()).copied().flatten();
        found.or_else(|| self.program.as_ref()?.tags.get(symbol.index()).copied().flatten())
    }

    pub fn bind_tag(&mut self, symbol: Symbol, meaning: Tag) {
        if self.tags.len() <= symbol.index() {
            self.tags.resize(symbol.index() + 1, None);
        }
        let depth = self.depth();
        let old = self.tags[symbol.index()].replace(Binding { meaning, depth });
        if depth > 0 {
            self.undo.push(Undo::Tag(symbol, old));
        }
    }

    // Frames.

    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("only called inside functions")
    }

    /// Whether statements and automatic variables may stand here.
    pub fn in_function(&self) -> bool {
        self.frames.iter().any(|f| f.function.is_some())
    }

    pub fn new_local(&mut self, local: Local) -> LocalId {
        let frame = self.frame();
        frame.locals.push(local);
        LocalId::from_index(frame.locals.len() - 1)
    }

    // Nodes.

    /// A new expression.
    pub fn expr(&mut self, ty: TypeId, loc: Loc, kind: ExprKind) -> ExprId {
        self.exprs.push(Expr { ty, loc, kind });
        ExprId::from_index(self.exprs.len() - 1)
    }

    pub fn ty(&self, e: ExprId) -> TypeId {
        self.exprs[e.index()].ty
    }

    pub fn kind(&self, e: ExprId) -> ExprKind {
        self.exprs[e.index()].kind
    }

    pub fn expr_loc(&self, e: ExprId) -> Loc {
        self.exprs[e.index()].loc
    }

    pub fn stmt(&mut self, loc: Loc, kind: StmtKind) -> StmtId {
        self.stmts.push(Stmt { loc, kind });
        StmtId::from_index(self.stmts.len() - 1)
    }

    pub fn new_init(&mut self, init: Init) -> InitId {
        self.inits.push(init);
        InitId::from_index(self.inits.len() - 1)
    }

    /// An integer constant, wrapped into its type's range.
    pub fn int_expr(&mut self, ty: TypeId, loc: Loc, value: i128) -> ExprId {
        let value = self.types.integer(ty).map_or(value, |info| info.wrap(value));
        self.expr(ty, loc, ExprKind::Int(value))
    }

    pub fn show(&self, ty: TypeId) -> String {
        self.types.display(ty)
    }

    /// Skips to behind the next `;` or to a `}` of the current nesting, whichever comes first.
    pub fn recover(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Semicolon if depth == 0 => {
                    self.pos += 1;
                    return;
                }
                Tok::LBrace => depth += 1,
                Tok::RBrace if depth == 0 => return,
                Tok::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos += 1;
                        return;
                    }
                }
                _ => {}
            }
            self.pos += 1;
        }
    }

    /// Skips a parenthesised group; the next token is `(`.
    pub fn skip_parens(&mut self) -> Parsed<()> {
        let open = self.loc();
        let mut depth = 0u32;
        loop {
            match self.tok() {
                Tok::Eof => return self.fail(open, "unclosed '('"),
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                _ => {}
            }
            self.pos += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }
}
