//! Names with external linkage: which declarations of different units are one function or variable, and which of them is its definition.

use super::Problem;
use super::alike::{Alike, Difference, Likeness};
use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Meaning, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::hash::FxHashMap;

/// Declarations of one name in several units.
pub(super) type Group = Vec<Meaning>;

/// A function or variable of several units.
#[derive(Debug)]
pub(super) enum Entity {
    /// A function.
    Function {
        /// The declaration that stands for all: the definition, if there is one.
        stands: FuncId,
        /// The other ones.
        others: Vec<FuncId>,
    },
    /// A variable.
    Variable {
        /// The declaration that stands for all: the definition, if there is one.
        stands: GlobalId,
        /// The other ones.
        others: Vec<GlobalId>,
    },
}

/// The worth of a declaration for the linker; the greatest one is the definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Declared,
    Inline,
    Weak,
    Tentative,
    Strong,
}

impl Parser<'_> {
    /// The names that several units declare with external linkage, in the order of first declaration.
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut index: FxHashMap<&str, usize> = FxHashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        let functions = self.functions.iter().enumerate().filter(|(_, f)| {
            // Functions that the compiler knows by itself are one for all units already.
            f.owner.is_none() && !f.is_static && f.loc.is_some()
        });
        let functions = functions.map(|(i, f)| (&f.name, &f.linkage, Meaning::Function(FuncId::from_index(i))));
        let variables = self
            .globals
            .iter()
            .enumerate()
            .filter(|(_, g)| g.owner.is_none() && !g.is_static && !g.name.is_empty());
        let variables = variables.map(|(i, g)| (&g.name, &g.linkage, Meaning::Global(GlobalId::from_index(i))));
        for (name, linkage, meaning) in functions.chain(variables) {
            let name = linkage.asm_name.as_deref().unwrap_or(name);
            let at = *index.entry(name).or_insert_with(|| {
                groups.push(Group::new());
                groups.len() - 1
            });
            groups[at].push(meaning);
        }
        groups.retain(|group| group.len() > 1);
        groups
    }

    fn name_and_place(&self, meaning: Meaning) -> (&str, Loc) {
        match meaning {
            Meaning::Function(f) => (&self.functions[f.index()].name, self.functions[f.index()].loc),
            Meaning::Global(g) => (&self.globals[g.index()].name, self.globals[g.index()].loc),
            _ => ("", Loc::NONE),
        }
    }

    /// The entity of a group. Reports what does not fit.
    pub(super) fn entity(&self, group: &Group, alike: &mut Alike<'_>, problems: &mut Vec<Problem>) -> Option<Entity> {
        let functions: Vec<FuncId> = group
            .iter()
            .filter_map(|m| match m {
                Meaning::Function(f) => Some(*f),
                _ => None,
            })
            .collect();
        let globals: Vec<GlobalId> = group
            .iter()
            .filter_map(|m| match m {
                Meaning::Global(g) => Some(*g),
                _ => None,
            })
            .collect();
        if let (Some(&f), Some(&g)) = (functions.first(), globals.first()) {
            let (one, two) = (
                self.name_and_place(Meaning::Function(f)),
                self.name_and_place(Meaning::Global(g)),
            );
            let (first, second) = if one.1 < two.1 { (one, two) } else { (two, one) };
            problems.push(Problem {
                loc: second.1,
                message: format!("'{}' is a function in one file and a variable in another", first.0),
                label: String::new(),
                others: vec![("the other one".to_owned(), first.1)],
            });
            return None;
        }
        match functions.is_empty() {
            false => self.function_entity(functions, alike, problems),
            true => self.variable_entity(globals, alike, problems),
        }
    }

    fn function_entity(
        &self,
        group: Vec<FuncId>,
        alike: &mut Alike<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Entity> {
        let rank = |f: &FuncId| {
            let function = &self.functions[f.index()];
            match function.body.is_some() || function.attributes.alias.is_some() {
                false => Rank::Declared,
                true if function.inline_only && function.attributes.alias.is_none() => Rank::Inline,
                true if function.attributes.weak => Rank::Weak,
                true => Rank::Strong,
            }
        };
        let named = |f: FuncId| self.name_and_place(Meaning::Function(f));
        let strong: Vec<FuncId> = group.iter().copied().filter(|f| rank(f) == Rank::Strong).collect();
        defined_twice(strong.iter().map(|f| named(*f)), "function", problems);
        let best = group.iter().map(rank).max()?;
        let stands = match best {
            Rank::Inline => group
                .iter()
                .copied()
                .find(|f| rank(f) == Rank::Declared)
                .unwrap_or(group[0]),
            _ => {
                let mut candidates = group.iter().copied().filter(|f| rank(f) == best);
                let first = candidates.clone().next()?;
                candidates.find(|f| self.is_plain(*f)).unwrap_or(first)
            }
        };
        let name = &self.functions[stands.index()].name;
        let mut apart = Vec::new();
        for &f in group.iter().filter(|f| **f != stands) {
            if let Err(difference) = self.functions_fit(stands, f, alike) {
                // `asm` may give one function a second identifier with a type of its own, as headers do for names that they withdraw.
                if best == Rank::Declared && self.functions[f.index()].name != *name {
                    apart.push(f);
                    continue;
                }
                problems.push(conflict(
                    self,
                    alike.types,
                    named(stands),
                    named(f),
                    difference,
                    |p, m| p.functions[m].ty,
                    (stands.index(), f.index()),
                ));
            }
        }
        // Without an external definition, each inline definition is for its own unit.
        let others: Vec<FuncId> = group
            .iter()
            .copied()
            .filter(|f| *f != stands && !apart.contains(f) && (best != Rank::Inline || rank(f) == Rank::Declared))
            .collect();
        let alone = best == Rank::Inline && rank(&stands) == Rank::Inline;
        (!alone).then_some(Entity::Function { stands, others })
    }

    /// Whether the linker knows a function by its identifier.
    fn is_plain(&self, f: FuncId) -> bool {
        let function = &self.functions[f.index()];
        let linked = function.linkage.asm_name.as_ref();
        linked.is_none_or(|name| *name == function.name)
    }

    /// Whether two declarations of a function are compatible.
    fn functions_fit(&self, a: FuncId, b: FuncId, alike: &mut Alike<'_>) -> Result<(), Difference> {
        let types = alike.types;
        let (f, g) = (&self.functions[a.index()], &self.functions[b.index()]);
        let ret = |ty: TypeId| match *types.get(ty) {
            Type::Function { ret, .. } => ret,
            _ => Types::VOID,
        };
        // gcc lets a function that returns nothing follow a call without declaration.
        for (implicit, other) in [(f, g), (g, f)] {
            let promised = implicit.implicit && implicit.body.is_none() && ret(implicit.ty) == Types::INT;
            if promised && types.is_void(ret(other.ty)) {
                return Ok(());
            }
        }
        for (old, new) in [(f, g), (g, f)] {
            if let (
                Type::Function { prototyped: false, .. },
                Some(body),
                Type::Function {
                    params,
                    variadic,
                    prototyped: true,
                    ret: r,
                },
            ) = (types.get(old.ty), &old.body, types.get(new.ty))
            {
                return self.old_style_fits(body, ret(old.ty), (*r, params, *variadic), alike);
            }
        }
        alike.compare(f.ty, g.ty).map(|_: Likeness| ())
    }

    /// Whether a prototype goes with a definition without one: as many parameters, of the types that arguments are promoted to.
    fn old_style_fits(
        &self,
        body: &Body,
        ret: TypeId,
        (other, params, variadic): (TypeId, &[TypeId], bool),
        alike: &mut Alike<'_>,
    ) -> Result<(), Difference> {
        alike.compare(ret, other)?;
        if variadic || params.len() != body.params.len() {
            return Err(Difference::default());
        }
        for (&param, local) in params.iter().zip(&body.params) {
            let own = body.locals[local.index()].ty;
            let promoted = match alike.types.get(own) {
                Type::Float(_) if alike.types.is_promoted(own) => Types::DOUBLE,
                _ if alike.types.is_promoted(own) => Types::INT,
                _ => alike.types.unqualified(own),
            };
            let given = alike.types.unqualified(param);
            if alike.compare(given, promoted).is_err() && alike.compare(given, alike.types.unqualified(own)).is_err() {
                return Err(Difference::default());
            }
        }
        Ok(())
    }

    fn variable_entity(
        &self,
        group: Vec<GlobalId>,
        alike: &mut Alike<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Entity> {
        let rank = |g: &GlobalId| {
            let global = &self.globals[g.index()];
            match (global.init.is_some() || global.alias.is_some(), global.defined) {
                (false, false) => Rank::Declared,
                _ if global.weak => Rank::Weak,
                (true, _) => Rank::Strong,
                (false, true) => Rank::Tentative,
            }
        };
        let named = |g: GlobalId| self.name_and_place(Meaning::Global(g));
        let strong: Vec<GlobalId> = group.iter().copied().filter(|g| rank(g) == Rank::Strong).collect();
        defined_twice(strong.iter().map(|g| named(*g)), "variable", problems);
        let best = group.iter().map(rank).max()?;
        let stands = group.iter().copied().find(|g| rank(g) == best)?;
        let first = &self.globals[stands.index()];
        for &g in group.iter().filter(|g| **g != stands) {
            let other = &self.globals[g.index()];
            if first.thread_local != other.thread_local {
                problems.push(Problem {
                    loc: other.loc.max(first.loc),
                    message: format!("'{}' is thread-local in one file only", other.name),
                    label: String::new(),
                    others: vec![("the other declaration".to_owned(), other.loc.min(first.loc))],
                });
            } else if let Err(difference) = alike.compare(first.ty, other.ty) {
                problems.push(conflict(
                    self,
                    alike.types,
                    named(stands),
                    named(g),
                    difference,
                    |p, m| p.globals[m].ty,
                    (stands.index(), g.index()),
                ));
            }
        }
        let others = group.iter().copied().filter(|g| *g != stands).collect();
        Some(Entity::Variable { stands, others })
    }

    /// Gives what stands for an entity what the other declarations say.
    pub(super) fn complete(&mut self, entity: &Entity) {
        match entity {
            Entity::Function { stands, others } => {
                for other in others {
                    let other = self.functions[other.index()].clone();
                    let own = &self.functions[stands.index()];
                    let (ty, defined) = (own.ty, own.body.is_some());
                    // Calls are made by what their unit knows; what is defined is what its definition says.
                    let merged = if defined { ty } else { self.composite(ty, other.ty) };
                    let own = &mut self.functions[stands.index()];
                    own.ty = merged;
                    own.implicit &= other.implicit;
                    own.attributes.noreturn |= other.attributes.noreturn;
                    own.attributes.pure |= other.attributes.pure;
                    own.attributes.malloc |= other.attributes.malloc;
                    if !defined && own.attributes.alias.is_none() {
                        // One unit that relies on the function is enough.
                        own.attributes.weak &= other.attributes.weak;
                    }
                }
            }
            Entity::Variable { stands, others } => {
                for other in others {
                    let other = self.globals[other.index()].clone();
                    let ty = self.globals[stands.index()].ty;
                    let merged = self.composite(ty, other.ty);
                    let own = &mut self.globals[stands.index()];
                    own.ty = merged;
                    if !own.defined && own.alias.is_none() {
                        own.weak &= other.weak;
                    }
                }
            }
        }
    }
}

/// Reports all definitions but the first.
fn defined_twice<'a>(definitions: impl Iterator<Item = (&'a str, Loc)>, what: &str, problems: &mut Vec<Problem>) {
    let mut definitions: Vec<(&str, Loc)> = definitions.collect();
    definitions.sort_by_key(|(_, loc)| *loc);
    let Some((&(_, first), others)) = definitions.split_first() else {
        return;
    };
    for (name, loc) in others {
        problems.push(Problem {
            loc: *loc,
            message: format!("the {what} '{name}' is defined twice"),
            label: String::new(),
            others: vec![("also defined".to_owned(), first)],
        });
    }
}

/// The problem of two declarations with types that are not compatible.
fn conflict(
    parser: &Parser<'_>,
    types: &Types,
    (name, one): (&str, Loc),
    (_, two): (&str, Loc),
    difference: Difference,
    ty: impl Fn(&Parser<'_>, usize) -> TypeId,
    (first, second): (usize, usize),
) -> Problem {
    let (first, second) = (types.display(ty(parser, first)), types.display(ty(parser, second)));
    // The later place is the one to look at.
    let ((here, shown), (there, other)) = match one < two {
        true => ((two, second), (one, first)),
        false => ((one, first), (two, second)),
    };
    let mut others = vec![(format!("'{other}'"), there)];
    if let Some(why) = difference.why {
        match difference.places {
            Some((a, b)) => others.extend([(why, a), (and(&difference.other), b)]),
            None => others[0].0 = format!("{why}; '{other}'"),
        }
    }
    Problem {
        loc: here,
        message: format!("conflicting types for '{name}' in two files"),
        label: format!("'{shown}' here"),
        others,
    }
}

/// The second of two parts.
pub(super) fn and(other: &str) -> String {
    format!("and {other}").trim_end().to_owned()
}
