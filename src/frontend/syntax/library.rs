//! A library behind the program: sources of functions that the program declares, does not define, and uses.
//!
//! Problem: a call of `strlen` needs a meaning, but parsing a whole C library with every program would cost more than the program. Idea: the library is a set
//! of C files with an index of the functions that each defines. When the program is parsed, the files with functions that it lacks are parsed behind it, then
//! those that these need, until nothing is missing. [`Function::model`](super::ast::Function::model) then says which function stands for which.
//!
//! The library has a file scope of its own: the program's declarations are hidden, but for names of types that the library itself does not declare (`div_t`,
//! `struct tm`), which the program must have if it uses the functions that return them. A function whose text does not fit the program's types has no body then.
//! One file scope serves all files of the library; the first of them (`declarations`) is read before every other.
//!
//! Two functions fit if a call that is compiled for one type works for the other: as many parameters, which are scalars of the same class or the same records.
//!
//! Cost: a scan of the expressions if the program declares a function of the library without defining it; the files that are needed, at the parser's speed.

use super::ast::{Callee, CastKind, Expr, ExprKind, FuncId, Function, Global, Model};
use super::parser::Parser;
use crate::frontend::text::lexer;
pub use crate::frontend::text::library::{File, Library};
use crate::frontend::text::source::{Piece, Source};
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::hash::{FxHashMap, FxHashSet};

/// The part of a library that has been read.
#[derive(Debug, Default)]
pub(in crate::frontend) struct Woven {
    /// The text that goes behind the program's.
    pub text: Vec<u8>,
    /// Problems in the library's text; none, unless the program's own types do not fit.
    pub problems: Vec<String>,
}

impl<'t> Parser<'t> {
    /// Reads what the program needs of a library, whose text will begin at byte `begin`. The program is without errors.
    pub fn weave(&mut self, library: &'static Library, begin: usize) -> Woven {
        let mut woven = Woven::default();
        let program = self.functions.len();
        let known: Vec<Option<usize>> = self.functions.iter().map(|f| self.lacking(library, f)).collect();
        let variables = self.variables_used(library);
        if known.iter().all(Option::is_none) && variables.is_empty() {
            return woven;
        }
        let used = self.used(library, 0);
        let mut open: Vec<usize> = used.iter().filter_map(|f| known[f.index()]).collect();
        open.extend(variables);
        if open.is_empty() {
            return woven;
        }
        self.enter_library();
        self.read_file(library.declarations, begin, &mut woven);
        let mut read = FxHashSet::default();
        while !open.is_empty() {
            open.sort_unstable();
            open.dedup();
            let from = self.exprs.len();
            for i in open.drain(..).filter(|&i| read.insert(i)).collect::<Vec<_>>() {
                self.read_file(&library.files[i], begin, &mut woven);
            }
            for f in self.used(library, from) {
                open.extend(self.lacking(library, &self.functions[f.index()]));
            }
        }
        self.link(library, program, &used);
        woven
    }

    /// The file that defines a function which has no definition yet.
    fn lacking(&self, library: &Library, f: &Function) -> Option<usize> {
        if f.body.is_some() || f.owner.is_some() || f.attributes.alias.is_some() {
            return None;
        }
        library.index.get(library.name_of(&f.name)?).copied()
    }

    /// The files with the variables that the program declares `extern` and names.
    fn variables_used(&self, library: &Library) -> Vec<usize> {
        let file = |g: &Global| {
            let open = !g.defined && g.owner.is_none();
            open.then(|| library.variables.get(&*g.name).copied()).flatten()
        };
        let known: Vec<Option<usize>> = self.globals.iter().map(file).collect();
        if known.iter().all(Option::is_none) {
            return Vec::new();
        }
        let named = |e: &Expr| match e.kind {
            ExprKind::Global(g) => known[g.index()],
            _ => None,
        };
        self.exprs.iter().filter_map(named).collect()
    }

    /// The functions that the expressions from number `from` on call or take the address of, and that the library could define.
    fn used(&self, library: &Library, from: usize) -> Vec<FuncId> {
        let mut seen = FxHashSet::default();
        let mut list = Vec::new();
        for e in &self.exprs[from..] {
            let (f, called) = match e.kind {
                ExprKind::Call {
                    callee: Callee::Direct(f),
                    ..
                } => (f, true),
                ExprKind::Cast(CastKind::FunctionToPointer, inner) | ExprKind::AddressOf(inner) => {
                    match self.kind(inner) {
                        ExprKind::Function(f) => (f, false),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            if !seen.insert((f, called)) {
                continue;
            }
            let file = self.lacking(library, &self.functions[f.index()]);
            if file.is_some_and(|i| !(called && library.files[i].for_pointers)) {
                list.push(f);
            }
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Parses one file. Its problems are not the user's.
    fn read_file(&mut self, file: &'static File, begin: usize, woven: &mut Woven) {
        let mark = format!("\n# 1 \"{}\"\n", file.name);
        woven.text.extend_from_slice(mark.as_bytes());
        let base = begin + woven.text.len();
        woven.text.extend_from_slice(file.text.as_bytes());
        let names = std::mem::take(&mut self.names);
        let base = u32::try_from(base).expect("the caller leaves room for the library");
        let tokens = lexer::lex_at(file.text.as_bytes(), base, names);
        self.start_text(file.text.as_bytes(), base, tokens);
        self.translation_unit();
        for problem in self.forget_problems() {
            woven
                .problems
                .push(format!("{}: {} {}", file.name, problem.message, problem.label));
        }
    }

    /// Says which function of the library stands for which of the program, and the other way round.
    fn link(&mut self, library: &Library, program: usize, used: &[FuncId]) {
        let mut defined: FxHashMap<Box<str>, FuncId> = FxHashMap::default();
        for (i, f) in self.functions.iter().enumerate() {
            let visible = f.body.is_some() && f.owner.is_none() && !f.is_static;
            if visible {
                // A definition of the program wins for the library's calls, too: so does the linker.
                defined.entry(f.name.clone()).or_insert(FuncId::from_index(i));
            }
        }
        let library_functions = (program..self.functions.len()).map(FuncId::from_index);
        for f in used.iter().copied().chain(library_functions) {
            let function = &self.functions[f.index()];
            let name = if f.index() < program {
                library.name_of(&function.name)
            } else {
                Some(&*function.name)
            };
            let Some(&to) = name.and_then(|n| defined.get(n)) else {
                continue;
            };
            if to == f || function.body.is_some() && (function.is_static || to.index() >= program) {
                continue;
            }
            let fits = fits(&self.types, function.ty, self.functions[to.index()].ty);
            self.functions[f.index()].model = if fits { Model::Function(to) } else { Model::Misfit };
        }
    }
}

/// Whether a call that is compiled for the first function type works for a function of the second.
fn fits(types: &Types, declared: TypeId, defined: TypeId) -> bool {
    let (
        Type::Function {
            ret: r1,
            params: p1,
            prototyped,
            variadic: v1,
        },
        Type::Function {
            ret: r2,
            params: p2,
            variadic: v2,
            ..
        },
    ) = (types.get(declared), types.get(defined))
    else {
        return false;
    };
    let same_class = |a: TypeId, b: TypeId| {
        let (a, b) = (types.plain(a), types.plain(b));
        a == b
            || types.is_scalar(a)
                && types.is_scalar(b)
                && types.is_float(a) == types.is_float(b)
                && (!types.is_float(a) || types.size_of(a) == types.size_of(b))
    };
    let results = types.is_void(*r1) || types.is_void(*r2) || same_class(*r1, *r2);
    let parameters = !prototyped
        || p1.len() >= p2.len()
            && (v1 == v2 || p1.len() == p2.len())
            && p1.iter().zip(p2).all(|(&a, &b)| same_class(a, b));
    results && parameters
}

impl Source {
    /// Adds what was read of a library behind the text.
    pub(in crate::frontend) fn add_library(&mut self, woven: &Woven) {
        if woven.text.is_empty() {
            return;
        }
        let begin = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.pieces.push(Piece {
            begin,
            name: self.name.clone(),
            marked: true,
            starts_unit: false,
            written: None,
        });
        self.library_begin = Some(begin);
        self.text.extend_from_slice(&woven.text);
    }
}
