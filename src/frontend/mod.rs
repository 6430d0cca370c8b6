//! The front end: C text to typed syntax tree.
//!
//! One pass over the tokens parses and types each file: see `parser` for why, and [`ast`](syntax::ast) for what comes out. `link` makes one program of several files. The
//! criterion for what is a program is gcc's: `gcc -x c -fsyntax-only -w` of version 12 accepts it (with `-m32` for ILP32).
//!
//! This room knows nothing of control-flow automata, properties or solvers.
//!
//! | module | does |
//! |---|---|
//! | [`text`] | files, preprocessing, positions, tokens, messages |
//! | [`types`] | types, sizes, record layout, `va_list`, floating-point formats |
//! | [`syntax`] | the grammar, and the typed syntax tree |
//! | `typing` | the typing of expressions, and constants |
//! | `link` | joins the translation units of a program |

mod link;
pub mod syntax;
pub mod text;
pub mod types;
mod typing;

use syntax::ast::TranslationUnit;
use syntax::parser::Parser;
use text::diagnostics::{Diagnostic, Diagnostics};
use text::source::{Source, SourceMap};
use types::{DataModel, Quals, TypeId};

/// The options of the front end.
#[derive(Clone, Debug)]
pub struct FrontendOptions {
    /// The sizes of `long` and pointers.
    pub data_model: DataModel,
}

/// Stack of the parser's thread, before deep nesting makes it [`grow`](syntax::ast::grow).
const STACK_BYTES: usize = 8 << 20;

/// Room for a library behind the program.
const LIBRARY_BYTES: usize = 16 << 20;

/// Analyses one program. Linear in the text's length but for pathological initialisers.
///
/// # Errors
///
/// All problems found, in source order. Never panics, whatever the bytes are.
pub fn parse(source: Source, options: &FrontendOptions) -> Result<TranslationUnit, Diagnostics> {
    if u32::try_from(source.text.len().saturating_add(LIBRARY_BYTES)).is_err() {
        return Err(Diagnostics::of_file(&source.name, "the file is larger than 4 GiB"));
    }
    let name = source.name.clone();
    let model = options.data_model;
    let thread = std::thread::Builder::new()
        .name("parser".to_owned())
        .stack_size(STACK_BYTES);
    let result = std::thread::scope(|scope| match thread.spawn_scoped(scope, || analyse(source, model)) {
        Ok(handle) => match handle.join() {
            Ok(result) => Ok(result),
            // A panic here is a defect of ours; it goes on to who can report it.
            Err(panic) => std::panic::resume_unwind(panic),
        },
        Err(error) => Err(error),
    });
    match result {
        Ok(result) => result,
        Err(error) => Err(Diagnostics::of_file(
            &name,
            format!("cannot start the parser's thread: {error}"),
        )),
    }
}

fn analyse(mut source: Source, model: DataModel) -> Result<TranslationUnit, Diagnostics> {
    source.decode_names();
    let mut units = source.units().into_iter();
    let first = units.next().expect("a source has a unit");
    let mut tokens = text::lexer::lex(&source.text[first.clone()]);
    syntax::soft::resolve(&mut tokens);
    let mut parser = Parser::new(&source.text[first], tokens, model);
    parser.declare_soft_words();
    parser.translation_unit();
    for range in units {
        parser.end_unit();
        let names = std::mem::take(&mut parser.names);
        let base = u32::try_from(range.start).expect("the text was measured");
        let mut tokens = text::lexer::lex_at(&source.text[range.clone()], base, names);
        syntax::soft::resolve(&mut tokens);
        parser.start_unit(&source.text[range], base, tokens);
        parser.declare_soft_words();
        parser.translation_unit();
    }
    parser.end_unit();
    let mut problems = std::mem::take(&mut parser.diagnostics);
    if problems.is_empty() {
        let files = source.pieces.iter().filter(|piece| piece.starts_unit);
        let files: Vec<String> = files.map(|piece| piece.name.clone()).collect();
        let joined = match parser.join_units(&files) {
            Ok(joined) => joined,
            Err(problems) => {
                drop(parser);
                let sources = SourceMap::new(source);
                let list = problems
                    .into_iter()
                    .map(|problem| problem.diagnostic(&sources))
                    .collect();
                return Err(Diagnostics::new(list, sources));
            }
        };
        parser.name_by_symbols();
        let woven = match source.library {
            Some(library) => parser.weave(library, source.text.len()),
            None => syntax::library::Woven::default(),
        };
        let mut unit = finish(parser);
        unit.types.forget_joined(&joined.records, &joined.enums);
        source.add_library(&woven);
        return Ok(TranslationUnit {
            source: SourceMap::new(source),
            library_problems: woven.problems,
            ..unit
        });
    }
    drop(parser);
    problems.sort_by_key(|p: &Diagnostic| p.loc);
    problems.dedup();
    Err(Diagnostics::new(problems, SourceMap::new(source)))
}

/// Moves the parser's tables into a unit and makes all types plain. The text is added by the caller.
fn finish(parser: Parser<'_>) -> TranslationUnit {
    let typedefs = names_of_types(&parser);
    let mut unit = TranslationUnit {
        types: parser.types,
        source: SourceMap::new(Source::new("", Vec::new())),
        globals: parser.globals,
        functions: parser.functions,
        strings: parser.strings,
        toplevel_asm: parser.toplevel_asm,
        typedefs,
        library_problems: Vec::new(),
        exprs: parser.exprs,
        lists: parser.lists,
        stmts: parser.stmts,
        inits: parser.inits,
        vlas: parser.vlas,
    };
    let types = &unit.types;
    for e in &mut unit.exprs {
        e.ty = types.plain(e.ty);
        match &mut e.kind {
            syntax::ast::ExprKind::CompoundAssign { computation, .. }
            | syntax::ast::ExprKind::IncDec { computation, .. } => {
                *computation = types.plain(*computation);
            }
            syntax::ast::ExprKind::SizeOfVla(ty) => *ty = types.plain(*ty),
            _ => {}
        }
    }
    for global in &mut unit.globals {
        global.quals = element_quals(types, global.ty);
        global.ty = types.plain(global.ty);
    }
    for function in &mut unit.functions {
        function.read_only = read_only_parameters(types, function.ty);
        function.ty = types.plain(function.ty);
        for local in function.body.iter_mut().flat_map(|b| &mut b.locals) {
            local.quals = element_quals(types, local.ty);
            local.ty = types.plain(local.ty);
        }
    }
    unit.types.make_fields_plain();
    unit
}

/// The names of types at file scope, sorted. A name that means different types in different units means none.
fn names_of_types(parser: &Parser<'_>) -> Vec<(Box<str>, TypeId)> {
    let all = parser.unit_typedefs.iter().flatten();
    let mut list: Vec<(Box<str>, TypeId)> = all.map(|(name, ty)| (name.clone(), parser.types.plain(*ty))).collect();
    list.sort_unstable();
    list.dedup();
    let groups = list.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() == 1);
    groups.map(|group| group[0].clone()).collect()
}

/// The parameters of a function type, one bit each, that are no pointers or pointers to constants.
fn read_only_parameters(types: &types::Types, ty: TypeId) -> u64 {
    let types::Type::Function { params, .. } = types.get(ty) else {
        return 0;
    };
    let reads = |ty: TypeId| types.pointee(ty).is_none_or(|to| types.quals(to).has(Quals::CONST));
    let bits = params.iter().take(64).enumerate().filter(|&(_, &ty)| reads(ty));
    bits.fold(0, |mask, (i, _)| mask | 1 << i)
}

/// The qualifiers of an object: an array has those of its elements.
fn element_quals(types: &types::Types, ty: types::TypeId) -> Quals {
    let mut ty = ty;
    while let types::Type::Array { elem, .. } = *types.get(ty) {
        ty = elem;
    }
    types.quals(ty)
}
