//! The division of memory into regions: sets of cells that accesses to other regions cannot touch.
//!
//! A region is made of the cells of one [kind](crate::cfa::memory_types) in objects that one pointer may point to, by the
//! [points-to analysis](crate::cfa::pointers): for each kind, the objects that one access may reach are unified. An access through an unknown pointer may reach all,
//! so that such a kind is one region, as it is by types alone. A byte copy moves cells within their region, so it unifies the objects that it copies from and to: for
//! all kinds, unless it says whose members it copies.

use crate::cfa::memory_types::{Cells, Cut, Division, KindId, in_memory};
use crate::cfa::pointers::{Object, ObjectId, PointsTo, Targets};
use crate::cfa::program::scalar::{Leaf, Scalar};
use crate::cfa::{Expr, ExprKind, Op, Place, PlaceBase, Program, VarId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::TypeId;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

impl RegionId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The properties of a region.
#[derive(Debug, Clone)]
pub struct Region {
    /// The name of its function symbol.
    pub name: String,
    /// The representation.
    pub cells: Cells,
    /// Whether the program ever reads from it; writes to others have no effect.
    pub read: bool,
    /// Whether only one variable lies in it.
    pub private: bool,
    /// The type of a cell, if all accesses agree.
    pub scalar: Scalar,
    /// For cells of a bit-field: the bit of the first byte that it begins with.
    pub first_bit: Option<u32>,
}

/// The division of one program's memory.
#[derive(Debug)]
pub struct RegionMap {
    division: Division,
    points_to: PointsTo,
    regions: Vec<Region>,
    /// The only region of a kind that is not divided.
    whole: Vec<Option<RegionId>>,
    /// The regions of a kind that is divided, by groups of objects.
    split: FxHashMap<(KindId, u32), RegionId>,
    /// All regions of a kind.
    of_kind: Vec<Vec<RegionId>>,
    /// The group of an object: objects that byte copies unify.
    group: Vec<u32>,
    /// Where cells of several kinds are behind unknown pointers, if one is written: that the kinds are apart is taken on trust.
    behind_unknown: Option<Loc>,
}

/// The assumption about unknown pointers: no analysis sees what they were made from.
const UNKNOWN_POINTERS: &str = "a pointer that comes from outside reaches a scalar as what it is: as a member of its own record, or as a scalar of its own type that is no member";

/// Divides the memory of a program. Up to `pairs` pairs of types that meet in a `void *` are unified, see [`Division`].
pub fn analyse(program: &Program, pairs: usize) -> RegionMap {
    let division = Division::new(program, pairs);
    let points_to = PointsTo::of_program(program, &division);
    Splitter::new(program, division, points_to).run()
}

/// All cells behind an unknown pointer are one region of their kind.
const DIVIDES_NOTHING: &str = "an unknown pointer divides nothing";

/// A place is behind an unknown pointer, and its cells are divided.
#[derive(Debug)]
struct UnknownPointer;

impl RegionMap {
    /// The names in the order of the ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().map(|r| r.name.as_str())
    }

    /// The names with the representations of the cells.
    pub fn cells(&self) -> impl Iterator<Item = (&str, Cells)> {
        self.regions.iter().map(|r| (r.name.as_str(), r.cells))
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// All regions that pointers may reach, in order.
    pub fn shared(&self) -> Vec<RegionId> {
        (0u32..)
            .map(RegionId)
            .zip(&self.regions)
            .filter(|(_, r)| !r.private)
            .map(|(id, _)| id)
            .collect()
    }

    /// The assumptions of the division.
    pub fn trusted(&self) -> impl Iterator<Item = (&str, &Loc)> {
        let unknown = self.behind_unknown.as_ref().map(|loc| (UNKNOWN_POINTERS, loc));
        self.division.trusted().chain(unknown)
    }

    /// The region of a scalar place in memory (of the elements, if it is an array of scalars); `None` for things that are not tracked.
    pub fn of_place(&self, program: &Program, place: &Place) -> Option<RegionId> {
        let kind = self.division.of_place(program, place)?;
        self.of_kind_at(program, kind, place).expect(DIVIDES_NOTHING)
    }

    /// The region of a leaf of an object.
    pub fn of_leaf(&self, program: &Program, place: &Place, leaf: &Leaf) -> Option<RegionId> {
        let kind = self.division.of_leaf(program, place, leaf)?;
        self.of_kind_at(program, kind, place).expect(DIVIDES_NOTHING)
    }

    /// The region of a scalar place, or of a leaf of an object, for an analysis that asks about places which no formula reads or writes; `None` also where the pointer is unknown and the
    /// cells are divided all the same, since nobody accesses them.
    pub fn of_accessed(&self, program: &Program, place: &Place, leaf: Option<&Leaf>) -> Option<RegionId> {
        let kind = match leaf {
            Some(leaf) => self.division.of_leaf(program, place, leaf)?,
            None => self.division.of_place(program, place)?,
        };
        self.of_kind_at(program, kind, place).ok().flatten()
    }

    fn of_kind_at(&self, program: &Program, kind: KindId, place: &Place) -> Result<Option<RegionId>, UnknownPointer> {
        if let Some(region) = self.whole[kind.index()] {
            return Ok(Some(region));
        }
        let object = match &place.base {
            PlaceBase::Var(v) => self.points_to.id(Object::Variable(*v)),
            // All objects of one access are in one region.
            PlaceBase::Deref(pointer) => {
                let targets = self.points_to.targets(program, &self.division, pointer);
                if targets.unknown {
                    return Err(UnknownPointer);
                }
                targets.objects.into_iter().find(|&o| has_content(&self.points_to, o))
            }
        };
        let region = object.and_then(|object| self.split.get(&(kind, self.group[object.index()])));
        Ok(region.copied())
    }

    /// The variables that a pointer may point to. It may also point to allocated objects. `None` if nothing is known of it.
    pub fn variables_behind(&self, program: &Program, pointer: &Expr) -> Option<Vec<VarId>> {
        let targets = self.points_to.targets(program, &self.division, pointer);
        if targets.unknown {
            return None;
        }
        let variable = |id: ObjectId| match self.points_to.object(id) {
            Object::Variable(var) => Some(var),
            Object::Allocated(_) | Object::Function(_) => None,
        };
        Some(targets.objects.into_iter().filter_map(variable).collect())
    }

    /// The type that all uses of the pointer variables convert them to, for variables of type `void *` whose only uses are
    /// such conversions: of what an allocation is for.
    pub fn converted_type(&self, var: VarId) -> Option<TypeId> {
        self.division.converted_type(var)
    }

    /// The number of regions.
    pub fn count(&self) -> usize {
        self.regions.len()
    }

    /// The regions of the scalars of a type, or of all types, in what the pointers may point to.
    pub fn behind(&self, program: &Program, pointers: &[&Expr], ty: Option<TypeId>) -> Vec<RegionId> {
        let kinds: Vec<KindId> = match ty {
            Some(ty) => self.division.of_type(&program.types, ty),
            None => self
                .division
                .kinds()
                .filter(|(_, k)| !k.private)
                .map(|(id, _)| id)
                .collect(),
        };
        self.of_kinds(program, pointers, kinds)
    }

    /// The regions that an operation on `len` bytes concerns, with how it may lie to their cells.
    pub fn bytes(&self, program: &Program, pointers: &[&Expr], len: &Expr) -> Vec<(RegionId, Cut)> {
        let concerned = self.division.bytes(program, pointers, len);
        let mut found: BTreeMap<RegionId, Cut> = BTreeMap::new();
        let groups = self.groups(program, pointers);
        for (kind, cut) in &concerned.kinds {
            for region in self.of_kind_in(*kind, groups.as_ref()) {
                let known = found.entry(region).or_default();
                *known = known.with(*cut);
            }
        }
        found.into_iter().collect()
    }

    fn of_kinds(&self, program: &Program, pointers: &[&Expr], kinds: Vec<KindId>) -> Vec<RegionId> {
        let groups = self.groups(program, pointers);
        let regions = kinds
            .into_iter()
            .flat_map(|kind| self.of_kind_in(kind, groups.as_ref()));
        regions.collect::<BTreeSet<RegionId>>().into_iter().collect()
    }

    /// The groups of the objects that pointers may point to; `None` for all.
    fn groups(&self, program: &Program, pointers: &[&Expr]) -> Option<BTreeSet<u32>> {
        let mut groups: Option<BTreeSet<u32>> = Some(BTreeSet::new());
        for pointer in pointers {
            let targets = self.points_to.targets(program, &self.division, pointer);
            match &mut groups {
                Some(found) if !targets.unknown => found.extend(targets.objects.iter().map(|o| self.group[o.index()])),
                _ => groups = None,
            }
        }
        groups
    }

    /// The regions of a kind in groups of objects.
    fn of_kind_in(&self, kind: KindId, groups: Option<&BTreeSet<u32>>) -> Vec<RegionId> {
        match (self.whole[kind.index()], groups) {
            (Some(region), _) => vec![region],
            (None, None) => self.of_kind[kind.index()].clone(),
            (None, Some(groups)) => {
                let regions = groups.iter().filter_map(|&group| self.split.get(&(kind, group)));
                regions.copied().collect()
            }
        }
    }
}

fn has_content(points_to: &PointsTo, object: ObjectId) -> bool {
    !matches!(points_to.object(object), Object::Function(_))
}

/// A set of pairs of kinds and objects with union-find.
struct Splitter<'p> {
    program: &'p Program,
    division: Division,
    points_to: PointsTo,
    /// Kinds that are not divided.
    merged: Vec<bool>,
    group: Vec<u32>,
    elements: FxHashMap<(KindId, u32), usize>,
    /// The elements in order of first access.
    order: Vec<(KindId, u32)>,
    parent: Vec<usize>,
    read: Vec<bool>,
    kind_read: Vec<bool>,
    unknown: Unknown,
}

/// The accesses through unknown pointers.
#[derive(Default)]
struct Unknown {
    kinds: FxHashSet<KindId>,
    is_written: bool,
    /// Where the division began to rest on trust.
    trusted: Option<Loc>,
}

impl<'p> Splitter<'p> {
    fn new(program: &'p Program, division: Division, points_to: PointsTo) -> Splitter<'p> {
        let groups = u32::try_from(points_to.count()).expect("objects have ids of 32 bits");
        Splitter {
            merged: division.kinds().map(|(_, kind)| kind.private).collect(),
            kind_read: vec![false; division.count()],
            group: (0..groups).collect(),
            program,
            division,
            points_to,
            elements: FxHashMap::default(),
            order: Vec::new(),
            parent: Vec::new(),
            read: Vec::new(),
            unknown: Unknown::default(),
        }
    }

    fn run(mut self) -> RegionMap {
        let program = self.program;
        for edge in &program.edges {
            if let Op::MemCopy { dst, src, len } = &edge.op {
                self.block(dst, src, len);
            }
        }
        for group in 0..self.group.len() {
            self.group[group] = self.root_of_group(u32::try_from(group).expect("an object's id"));
        }
        for edge in &program.edges {
            self.operation(&edge.op, edge.loc);
        }
        self.finish()
    }

    fn targets(&self, pointer: &Expr) -> Targets {
        let mut targets = self.points_to.targets(self.program, &self.division, pointer);
        targets.objects.retain(|&o| has_content(&self.points_to, o));
        // A pointer to functions only is no known pointer to data.
        targets.unknown |= targets.objects.is_empty();
        targets
    }

    // ---- byte copies -----------------------------------------------------------------------------------------------------

    fn root_of_group(&self, mut group: u32) -> u32 {
        while self.group[group as usize] != group {
            group = self.group[group as usize];
        }
        group
    }

    /// Unifies the objects of a copy that may concern all kinds.
    fn block(&mut self, dst: &Expr, src: &Expr, len: &Expr) {
        if !self.division.bytes(self.program, &[dst, src], len).all {
            return;
        }
        let (to, from) = (self.targets(dst), self.targets(src));
        if to.unknown || from.unknown {
            self.merged.iter_mut().for_each(|m| *m = true);
            return;
        }
        let mut roots = to.objects.iter().chain(&from.objects).map(|o| self.root_of_group(o.0));
        let roots: BTreeSet<u32> = roots.by_ref().collect();
        if let Some(&least) = roots.first() {
            for root in roots {
                self.group[root as usize] = least;
            }
        }
    }

    // ---- accesses ----------------------------------------------------------------------------------------------------------

    fn element(&mut self, kind: KindId, object: ObjectId) -> usize {
        let key = (kind, self.group[object.index()]);
        if let Some(&element) = self.elements.get(&key) {
            return element;
        }
        let element = self.order.len();
        self.order.push(key);
        self.parent.push(element);
        self.read.push(false);
        self.elements.insert(key, element);
        element
    }

    fn root(&mut self, mut element: usize) -> usize {
        while self.parent[element] != element {
            self.parent[element] = self.parent[self.parent[element]];
            element = self.parent[element];
        }
        element
    }

    /// The cells of a kind in these objects are accessed.
    fn access(&mut self, kind: KindId, targets: &Targets, reads: bool) {
        self.kind_read[kind.index()] |= reads;
        if targets.unknown {
            self.merged[kind.index()] = true;
        }
        if self.merged[kind.index()] {
            return;
        }
        let mut first: Option<usize> = None;
        for &object in &targets.objects {
            let element = self.element(kind, object);
            let root = self.root(element);
            match first {
                None => first = Some(root),
                Some(a) => {
                    let a = self.root(a);
                    let (low, high) = (a.min(root), a.max(root));
                    self.parent[high] = low;
                    let read = self.read[high];
                    self.read[low] |= read;
                    first = Some(low);
                }
            }
        }
        if let Some(element) = first {
            let root = self.root(element);
            self.read[root] |= reads;
        }
    }

    /// Notes the kinds behind a pointer that is not known.
    fn note_unknown(&mut self, place: &Place, kinds: &[Option<KindId>], reads: bool, loc: Loc) {
        let PlaceBase::Deref(pointer) = &place.base else { return };
        if self.unknown.trusted.is_some() || !self.points_to.targets(self.program, &self.division, pointer).unknown {
            return;
        }
        self.unknown.kinds.extend(kinds.iter().flatten());
        self.unknown.is_written |= !reads;
        if self.unknown.is_written && self.unknown.kinds.len() > 1 {
            self.unknown.trusted = Some(loc);
        }
    }

    fn place(&mut self, place: &Place, reads: bool, loc: Loc) {
        if !in_memory(self.program, place) {
            return;
        }
        let kinds = self.division.kinds_of(self.program, place);
        self.note_unknown(place, &kinds, reads, loc);
        if kinds.iter().flatten().all(|kind| self.merged[kind.index()]) {
            for kind in kinds.into_iter().flatten() {
                self.kind_read[kind.index()] |= reads;
            }
            return;
        }
        let targets = match &place.base {
            PlaceBase::Var(v) => {
                let id = self.points_to.id(Object::Variable(*v));
                Targets {
                    unknown: id.is_none(),
                    objects: id.into_iter().collect(),
                }
            }
            PlaceBase::Deref(pointer) => self.targets(pointer),
        };
        let mut seen = FxHashSet::default();
        for kind in kinds.into_iter().flatten() {
            if seen.insert(kind) {
                self.access(kind, &targets, reads);
            }
        }
    }

    fn operation(&mut self, op: &Op, loc: Loc) {
        crate::cfa::program::visit::visit_op(op, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                self.place(place, true, loc);
            }
        });
        crate::cfa::program::visit::visit_parts(op, &mut |part| {
            if let crate::cfa::program::visit::Part::Written(place) = part {
                self.place(place, false, loc);
            }
        });
        match op {
            Op::Call { func, .. } => {
                let function = self.program.function(*func);
                // Leaving the callee reads the variable that holds its result, and entering it writes the parameters, which no expression says.
                for (&var, reads) in function
                    .params
                    .iter()
                    .map(|v| (v, false))
                    .chain(function.ret.iter().map(|v| (v, true)))
                {
                    self.place(&Place::var(var, self.program.var(var).ty), reads, loc);
                }
            }
            Op::MemCopy { dst, src, len } => {
                let concerned = self.division.bytes(self.program, &[dst, src], len);
                if !concerned.all {
                    let (mut to, from) = (self.targets(dst), self.targets(src));
                    to.unknown |= from.unknown;
                    to.objects.extend(from.objects);
                    for (kind, _) in concerned.kinds {
                        self.access(kind, &to, false);
                    }
                }
            }
            _ => {}
        }
    }

    // ---- regions -------------------------------------------------------------------------------------------------------------

    fn finish(mut self) -> RegionMap {
        // A kind that was accessed by unknown pointers later than by others is one region all the same.
        let mut roots: Vec<Vec<usize>> = vec![Vec::new(); self.division.count()];
        for element in 0..self.order.len() {
            let kind = self.order[element].0;
            if !self.merged[kind.index()] && self.root(element) == element {
                roots[kind.index()].push(element);
            }
        }
        let mut map = RegionMap {
            regions: Vec::new(),
            whole: vec![None; self.division.count()],
            split: FxHashMap::default(),
            of_kind: vec![Vec::new(); self.division.count()],
            group: Vec::new(),
            behind_unknown: self.unknown.trusted,
            division: self.division,
            points_to: self.points_to,
        };
        let mut of_root: FxHashMap<usize, RegionId> = FxHashMap::default();
        let mut names: FxHashSet<String> = FxHashSet::default();
        for (id, kind) in map.division.kinds() {
            let list = &roots[id.index()];
            let mut add = |root: Option<usize>| {
                let region = RegionId(u32::try_from(map.regions.len()).expect("fewer than 2^32 regions"));
                let mut name = format!("mem:{}", kind.name);
                if let Some(root) = root
                    && list.len() > 1
                {
                    name = format!(
                        "{name}@{}",
                        object_name(self.program, &map.points_to, self.order[root].1)
                    );
                }
                if !names.insert(name.clone()) {
                    name = format!("{name}${}", region.0);
                    names.insert(name.clone());
                }
                map.regions.push(Region {
                    name,
                    cells: kind.cells,
                    read: root.map_or(self.kind_read[id.index()], |root| self.read[root]),
                    private: kind.private,
                    scalar: kind.scalar,
                    first_bit: kind.first_bit,
                });
                map.of_kind[id.index()].push(region);
                region
            };
            if self.merged[id.index()] || list.is_empty() {
                map.whole[id.index()] = Some(add(None));
            } else {
                for &root in list {
                    of_root.insert(root, add(Some(root)));
                }
            }
        }
        for (element, &key) in self.order.iter().enumerate() {
            let mut root = element;
            while self.parent[root] != root {
                root = self.parent[root];
            }
            if let Some(&region) = of_root.get(&root) {
                map.split.insert(key, region);
            }
        }
        map.group = self.group;
        map
    }
}

/// A name for a group of objects.
fn object_name(program: &Program, points_to: &PointsTo, object: u32) -> String {
    match points_to.object(ObjectId(object)) {
        Object::Variable(v) => program.var(v).name.clone(),
        Object::Allocated(_) => format!("new{object}"),
        Object::Function(f) => program.function(f).name.clone(),
    }
}
