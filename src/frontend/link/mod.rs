//! Joins translation units to a program, as a linker does.
//!
//! The parser reads the units one after the other into the same tables, each with a file scope of its own. Here, names with external linkage that several units
//! declare become one entity (C11 6.2.2): what refers to one of the others refers to the one that stands for all from now on. `static` names, and
//! everything without linkage, stay what they are.
//!
//! * *Definitions*: one at most, unless all but one are `weak`. Tentative definitions are one object (as with `gcc -fcommon`). An inline definition
//!   (C11 6.7.4p7) serves its own unit if there is no external one.
//! * *Types* of one name have to be compatible (C11 6.2.7); [`alike`] says which are, and makes one type of declarations that are.
//! * A name that nothing defines stays declared only, as in a program of one unit.
//!
//! The other way, to join the texts before they are parsed, was rejected: tags, typedefs and `static` names of different units clash.
//!
//! | module | does |
//! |---|---|
//! | `alike` | which types of different units are one |
//! | `entity` | names with external linkage |
//! | `types` | all other declarations of types that are one |

mod alike;
mod entity;
mod types;

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::Parser;
use crate::frontend::text::diagnostics::Diagnostic;
use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{EnumId, RecordId, Types};
use crate::frontend::typing::signature::known;
use alike::Alike;
use provident_smt::hash::{FxHashMap, FxHashSet};

/// A problem between two units.
#[derive(Debug)]
pub(super) struct Problem {
    loc: Loc,
    message: String,
    label: String,
    /// Other places, each with what is there.
    others: Vec<(String, Loc)>,
}

impl Problem {
    /// The message for the user.
    pub fn diagnostic(self, sources: &SourceMap) -> Diagnostic {
        let mut label = self.label;
        for (what, loc) in self.others.iter().filter(|(_, loc)| loc.is_some()) {
            let between = match (label.is_empty(), what.starts_with("and")) {
                (true, _) => "",
                (_, true) => " ",
                (_, false) => "; ",
            };
            label.push_str(&format!("{between}{what} at {}", sources.resolve(*loc)));
        }
        Diagnostic {
            loc: self.loc,
            len: 1,
            message: self.message,
            label,
        }
    }
}

/// Types that other ones stand for.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub records: Vec<RecordId>,
    pub enums: Vec<EnumId>,
}

impl Parser<'_> {
    /// Joins the units. The names of their files are those of `files`.
    ///
    /// # Errors
    /// The problems between units, in the order of the text.
    pub fn join_units(&mut self, files: &[String]) -> Result<Joined, Vec<Problem>> {
        let groups = self.groups();
        if self.units.len() < 2 && groups.is_empty() {
            return Ok(Joined::default());
        }
        let none = Types::new(self.types.data_model());
        let types = std::mem::replace(&mut self.types, none);
        let mut alike = Alike::new(&types);
        let mut problems = Vec::new();
        let entities: Vec<entity::Entity> = groups
            .iter()
            .filter_map(|g| self.entity(g, &mut alike, &mut problems))
            .collect();
        if problems.is_empty() {
            alike.qualifiers = false;
            types::join_all(&mut alike, &self.units, &self.exprs, &mut problems);
        }
        let records: Vec<RecordId> = types.records().map(|(id, _)| alike.record(id)).collect();
        let enums: Vec<EnumId> = types.enums().map(|(id, _)| alike.enumeration(id)).collect();
        self.types = types;
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.loc);
            return Err(problems);
        }
        for entity in &entities {
            self.complete(entity);
        }
        self.refer(&entities);
        self.tell_apart(files);
        self.types.join(&records, &enums);
        Ok(Joined { records, enums })
    }

    /// Gives functions that nothing defines, and whose symbol (`asm`) is that of a function of the C library, the name of that function.
    pub fn name_by_symbols(&mut self) {
        for f in &mut self.functions {
            let open = f.body.is_none() && f.owner.is_none() && !f.is_static && f.attributes.alias.is_none();
            if let Some(symbol) = f.linkage.asm_name.as_ref().filter(|_| open)
                && known(symbol).is_some()
                && known(&f.name).is_none()
            {
                f.name = symbol.clone();
            }
        }
    }

    /// Lets expressions refer to what stands for an entity.
    fn refer(&mut self, entities: &[entity::Entity]) {
        let mut functions: FxHashMap<FuncId, FuncId> = FxHashMap::default();
        let mut globals: FxHashMap<GlobalId, GlobalId> = FxHashMap::default();
        for entity in entities {
            match entity {
                entity::Entity::Function { stands, others } => functions.extend(others.iter().map(|&f| (f, *stands))),
                entity::Entity::Variable { stands, others } => globals.extend(others.iter().map(|&g| (g, *stands))),
            }
        }
        for e in &mut self.exprs {
            match &mut e.kind {
                ExprKind::Function(f)
                | ExprKind::Call {
                    callee: Callee::Direct(f),
                    ..
                } => *f = functions.get(f).copied().unwrap_or(*f),
                ExprKind::Global(g) => *g = globals.get(g).copied().unwrap_or(*g),
                _ => {}
            }
        }
        // A declaration that nothing refers to any more must not be found by its name.
        for f in functions.into_keys() {
            let function = &mut self.functions[f.index()];
            function.is_static = true;
            function.attributes.constructor = None;
            function.attributes.destructor = None;
        }
        for g in globals.into_keys() {
            self.globals[g.index()].is_static = true;
        }
    }

    /// Gives names with the file to what belongs to one unit, if another unit gives the name to something else.
    fn tell_apart(&mut self, files: &[String]) {
        let stems: Vec<String> = files.iter().map(|file| stem(file)).collect();
        let mut of_unit: FxHashMap<&str, u32> = FxHashMap::default();
        let mut shared: FxHashSet<Box<str>> = FxHashSet::default();
        let functions = self
            .functions
            .iter()
            .filter(|f| f.owner.is_none())
            .map(|f| (&f.name, f.linkage.unit));
        let variables = self
            .globals
            .iter()
            .filter(|g| g.owner.is_none())
            .map(|g| (&g.name, g.linkage.unit));
        for (name, unit) in functions.chain(variables).filter(|(name, _)| !name.is_empty()) {
            if *of_unit.entry(name).or_insert(unit) != unit {
                shared.insert(name.clone());
            }
        }
        let unique = |name: &str, unit: u32| {
            let stem = stems.get(unit as usize).map_or("unit", String::as_str);
            format!("{name}@{stem}").into_boxed_str()
        };
        for f in self
            .functions
            .iter_mut()
            .filter(|f| f.owner.is_none() && shared.contains(&f.name))
        {
            if f.is_static || f.inline_only && f.body.is_some() {
                f.linkage.unique = Some(unique(&f.name, f.linkage.unit));
            }
        }
        for g in self
            .globals
            .iter_mut()
            .filter(|g| g.owner.is_none() && shared.contains(&g.name))
        {
            if g.is_static {
                g.linkage.unique = Some(unique(&g.name, g.linkage.unit));
            }
        }
    }
}

/// The name of a file without folders and extension, with letters, digits and underscores only.
fn stem(file: &str) -> String {
    let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    stem.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}
