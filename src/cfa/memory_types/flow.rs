//! The flow of pointers through `void *` and integers: the types before and behind such values.
//!
//! A pointer that is kept as a `void *` or an integer loses its type, and one that is made from such a value gets a type that it need not have had.
//! Bytes are reached in two ways only where the types differ *and* the value may be the same. So values are followed: each spot that keeps untyped
//! values has a set of tags, and tags move with values, not sensitive to order. A spot is a scalar of a plain variable or, for all of memory, a kind of cells
//! (field-based, as in Heintze and Tardieu, "Ultra-fast aliasing analysis using CLA", PLDI 2001): a value that is written through one pointer is read through
//! every other, for all targets. Kinds that are unified are one spot, so that the answer grows with the unifications that it causes.
//!
//! Types whose pointers leave their objects count as no types here. Parts of addresses in narrow integers are values as well, see `values`.
//!
//! New objects have no type yet: all types that pointers to one are given must agree as well. The result of a call counts as new for each call
//! if the callee keeps it nowhere and was not given it, or else all users of one allocating function would have to agree.
//!
//! A function without body keeps nothing, and returns pointers of the type with which they are used. This is part of the ledger's entry about the function.

use crate::cfa::program::VarId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::TypeId;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A spot: a place that keeps untyped values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Spot {
    /// A scalar of a plain variable, by its path of members.
    Scalar(VarId, Vec<u32>),
    /// The cells of a kind, by a node of the union-find.
    Cell(usize),
}

/// An array of scalars that is a member of an object: its bytes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Array {
    /// The type of the scalars.
    pub elem: TypeId,
    /// The bytes of one scalar.
    pub step: i64,
    pub first: i64,
    pub end: i64,
}

/// The target of a pointer: an object of a type, plus a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Target {
    pub ty: TypeId,
    /// `None`: anywhere.
    pub at: Option<i64>,
    /// The array from which the pointer comes, as long as it points into it. Moved by an unknown number of bytes it stays there, as the ledger says (see `walks`).
    pub array: Option<Array>,
}

impl Target {
    pub fn new(ty: TypeId, at: Option<i64>) -> Target {
        let array = None;
        Target { ty, at, array }
    }

    /// The first byte of an object.
    pub fn start(ty: TypeId) -> Target {
        Target::new(ty, Some(0))
    }

    /// Some bytes further.
    pub fn moved(self, plus: Option<i64>) -> Target {
        let at = sum(self.at, plus);
        let Some(array) = self.array else {
            return Target { at, ..self };
        };
        match at {
            Some(to) if (array.first..=array.end).contains(&to) => Target { at, ..self },
            // A loop steps along the array, scalar by scalar. To go farther, or backwards from its beginning, is to look for what lies around it.
            Some(_) if self.at != Some(array.end) || plus != Some(array.step) => Target::new(self.ty, at),
            _ => Target::new(array.elem, None),
        }
    }

    /// A member of the object, this many bytes further, or a part of one; `array`: the array of scalars that it lies in, seen from here.
    pub fn member(self, plus: Option<i64>, array: Option<Array>) -> Target {
        let moved = self.moved(plus);
        let shifted = array.zip(self.at).map(|(array, by)| Array {
            first: array.first.saturating_add(by),
            end: array.end.saturating_add(by),
            ..array
        });
        match (shifted, plus) {
            (Some(array), None) => Target::new(array.elem, None),
            (array, _) => Target { array, ..moved },
        }
    }

    /// The bytes that an operation on `len` bytes from here touches begin anywhere there; `None`: as many as there are.
    pub fn over(self, len: Option<i64>) -> Target {
        match (self.array, len) {
            (Some(_), None) => self.moved(None),
            _ => self,
        }
    }
}

/// The knowledge about a pointer whose type was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Tag {
    /// A pointer to an object of a type.
    Typed(Target),
    /// A pointer to the object that this operation made, plus a number of bytes; `None`: anywhere in it.
    New(usize, Option<i64>),
}

impl Tag {
    pub fn moved(self, plus: Option<i64>) -> Tag {
        match self {
            Tag::Typed(target) => Tag::Typed(target.moved(plus)),
            Tag::New(operation, offset) => Tag::New(operation, sum(offset, plus)),
        }
    }

    /// See [`Target::over`].
    pub fn over(self, len: Option<i64>) -> Tag {
        match self {
            Tag::Typed(target) => Tag::Typed(target.over(len)),
            new => new,
        }
    }

    fn base(self) -> Base {
        match self {
            Tag::Typed(target) => Base::Typed(target.ty),
            Tag::New(operation, _) => Base::New(operation),
        }
    }
}

/// How bytes are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct View {
    /// The type of the pointer.
    pub ty: TypeId,
    /// Whether it is used for one access only, so that it does not go to other elements of an array.
    pub exact: bool,
    /// Where the bytes that are accessed end, if that is behind an object of the type.
    pub reach: i64,
}

/// Which types meet.
#[derive(Debug)]
pub(super) struct Found {
    /// A pointer to the first type, known by that, is used as one to the second.
    pub typed: BTreeMap<Pair, Loc>,
    /// Pointers to both are pointers to the same new object.
    pub new: BTreeMap<Pair, Loc>,
    /// Bytes are written behind a pointer to a type: the distance from the pointer, and their number. `None`: not known.
    pub filled: Vec<(TypeId, Option<i64>, Option<i64>)>,
}

/// Bytes that are reached in the first way are reached in the second way by a pointer that was moved by this number of bytes; `None`: by any number.
pub(super) type Pair = (View, View, Option<i64>);

/// Places in one type that a spot tells apart.
const MAX_OFFSETS: usize = 12;
/// The most pairs; beyond that the analysis gives no result.
const MAX_PAIRS: usize = 2_000;

/// A spot whose value is part of another value, and the bytes that are added.
pub(super) type Origin = (Spot, Option<i64>);

struct Move {
    from: Spot,
    to: Spot,
    plus: Option<i64>,
    /// The call that returns the value.
    call: Option<usize>,
}

/// How untyped values move in a program.
#[derive(Default)]
pub(super) struct Flow {
    tags: Vec<(Spot, Tag)>,
    moves: Vec<Move>,
    uses: Vec<(Origin, View, Loc)>,
    seen: FxHashSet<(Origin, View)>,
    copies: Vec<(Origin, Origin, Option<i64>, Loc)>,
    fills: Vec<(Origin, Option<i64>)>,
    /// The variables of static storage, which outlive calls, and parameters, whose values others have had before.
    lasting: FxHashSet<VarId>,
}

impl Flow {
    pub fn tag(&mut self, spot: Spot, tag: Tag) {
        self.tags.push((spot, tag));
    }

    /// A value moves from one spot to another.
    pub fn move_value(&mut self, (from, plus): Origin, to: Spot) {
        self.moves.push(Move {
            from,
            to,
            plus,
            call: None,
        });
    }

    /// A call returns the value of a spot.
    pub fn return_value(&mut self, from: Spot, to: Spot, call: usize) {
        let (plus, call) = (Some(0), Some(call));
        self.moves.push(Move { from, to, plus, call });
    }

    /// The value of a spot is used as a pointer to a type.
    pub fn use_as(&mut self, origin: Origin, view: View, loc: Loc) {
        if self.seen.insert((origin.clone(), view)) {
            self.uses.push((origin, view, loc));
        }
    }

    /// Bytes are copied from the target of one value to that of another. `len`: their number, if it is known.
    pub fn copy_bytes(&mut self, to: Origin, from: Origin, len: Option<i64>, loc: Loc) {
        self.copies.push((to, from, len, loc));
    }

    /// Bytes are written behind the target of a value. `len`: their number, if it is known.
    pub fn fill(&mut self, to: Origin, len: Option<i64>) {
        self.fills.push((to, len));
    }

    /// The tags of spots.
    pub fn tags_of(&self, spots: &[Spot], root: &mut dyn FnMut(usize) -> usize) -> Vec<Vec<Tag>> {
        if spots.is_empty() {
            return Vec::new();
        }
        let mut graph = Graph::new(self, root);
        graph.run();
        spots.iter().map(|spot| graph.tags_at(spot, root).collect()).collect()
    }

    pub fn note_lasting(&mut self, var: VarId) {
        self.lasting.insert(var);
    }

    /// The pairs of types that meet, with a place for each; `None` if there are too many. `root`: the representative of a node of the union-find.
    pub fn pairs(&self, root: &mut dyn FnMut(usize) -> usize) -> Option<Found> {
        let mut graph = Graph::new(self, root);
        graph.run();
        let mut found: FxHashMap<Pair, Loc> = FxHashMap::default();
        let mut made: BTreeMap<usize, BTreeMap<(View, Option<i64>), Loc>> = BTreeMap::new();
        let pointer = |ty| View {
            ty,
            exact: false,
            reach: 0,
        };
        for ((spot, plus), to, loc) in &self.uses {
            if found.len() > MAX_PAIRS {
                return None;
            }
            for tag in graph.tags_at(spot, root) {
                match tag.moved(*plus) {
                    Tag::Typed(from) => {
                        found.entry((pointer(from.ty), *to, from.at)).or_insert(*loc);
                    }
                    Tag::New(operation, offset) => {
                        made.entry(operation).or_default().entry((*to, offset)).or_insert(*loc);
                    }
                }
            }
        }
        for ((to, plus), (from, minus), len, loc) in &self.copies {
            for a in graph.tags_at(from, root) {
                for b in graph.tags_at(to, root) {
                    match (a.moved(*minus).over(*len), b.moved(*plus).over(*len)) {
                        (Tag::Typed(x), Tag::Typed(y)) => {
                            let (Target { ty: x, at: p, .. }, Target { ty: y, at: q, .. }) = (x, y);
                            let copied = |ty, from| View {
                                reach: sum(from, *len).unwrap_or(0),
                                ..pointer(ty)
                            };
                            let pair = (pointer(x), copied(y, q), difference(p, q));
                            found.entry(pair).or_insert(*loc);
                            let pair = (pointer(y), copied(x, p), difference(q, p));
                            found.entry(pair).or_insert(*loc);
                        }
                        (Tag::Typed(x), Tag::New(operation, q)) | (Tag::New(operation, q), Tag::Typed(x)) => {
                            let view = (pointer(x.ty), difference(q, x.at));
                            made.entry(operation).or_default().entry(view).or_insert(*loc);
                        }
                        (Tag::New(..), Tag::New(..)) => {}
                    }
                }
            }
        }
        let mut new = BTreeMap::new();
        for views in made.into_values() {
            if new.len() + views.len() * views.len() / 2 > MAX_PAIRS {
                return None;
            }
            let list: Vec<((View, Option<i64>), Loc)> = views.into_iter().collect();
            for (i, &((a, p), _)) in list.iter().enumerate() {
                for &((b, q), loc) in &list[i + 1..] {
                    new.entry((a, b, difference(q, p))).or_insert(loc);
                }
            }
        }
        let mut filled = Vec::new();
        for ((to, plus), len) in &self.fills {
            for tag in graph.tags_at(to, root) {
                if let Tag::Typed(target) = tag.moved(*plus).over(*len) {
                    filled.push((target.ty, target.at, *len));
                }
            }
        }
        let typed = found.into_iter().collect();
        Some(Found { typed, new, filled })
    }
}

pub(super) fn sum(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

pub(super) fn difference(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_sub(b?)
}

/// Where a value moves: the spot, the bytes that are added, the call that returns it.
type Successor = (usize, Option<i64>, Option<usize>);

/// A tag without the number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Base {
    Typed(TypeId),
    New(usize),
}

/// How many bytes behind a base, and in which array.
type At = (i64, Option<Array>);

/// Tags by their bases. `None`: anywhere.
#[derive(Debug, Default)]
struct Tags(BTreeMap<Base, Option<Vec<At>>>);

impl Tags {
    fn iter(&self) -> impl Iterator<Item = Tag> + '_ {
        self.0.iter().flat_map(|(&base, places)| {
            let tag = move |place: Option<At>| {
                let (at, array) = (place.map(|p| p.0), place.and_then(|p| p.1));
                match base {
                    Base::Typed(ty) => Tag::Typed(Target { ty, at, array }),
                    Base::New(operation) => Tag::New(operation, at),
                }
            };
            let anywhere = places.is_none().then_some(None);
            let known = places.iter().flatten().copied().map(Some);
            known.chain(anywhere).map(tag)
        })
    }

    /// Adds a tag; what is new then. Many places in one type become any place: a pointer may be moved in a loop.
    fn add(&mut self, tag: Tag) -> Option<Tag> {
        let place = match tag {
            Tag::Typed(target) => target.at.map(|at| (at, target.array)),
            Tag::New(_, offset) => offset.map(|at| (at, None)),
        };
        let known = self.0.entry(tag.base()).or_insert_with(|| Some(Vec::new()));
        let places = known.as_mut()?;
        match place {
            Some(place) if places.contains(&place) => None,
            Some(place) if places.len() < MAX_OFFSETS => {
                places.push(place);
                Some(tag)
            }
            // A pointer into an array stays in the array.
            Some((_, Some(_))) => self.add(tag.moved(None)),
            _ => {
                *known = None;
                Some(tag.moved(None))
            }
        }
    }
}

/// The spots with unified kinds as one, and the least solution.
struct Graph {
    ids: FxHashMap<Spot, usize>,
    sets: Vec<Tags>,
    /// By source.
    successors: Vec<Vec<Successor>>,
    /// Spots from which a callee's value can be had again after the call.
    lasting: Vec<bool>,
    /// New objects that lasting spots point to.
    kept: FxHashSet<usize>,
}

fn canonical(spot: &Spot, root: &mut dyn FnMut(usize) -> usize) -> Spot {
    match spot {
        Spot::Cell(node) => Spot::Cell(root(*node)),
        scalar => scalar.clone(),
    }
}

impl Graph {
    fn new(flow: &Flow, root: &mut dyn FnMut(usize) -> usize) -> Graph {
        let mut graph = Graph {
            ids: FxHashMap::default(),
            sets: Vec::new(),
            successors: Vec::new(),
            lasting: Vec::new(),
            kept: FxHashSet::default(),
        };
        for Move { from, to, plus, call } in &flow.moves {
            let (from, to) = (graph.id(from, flow, root), graph.id(to, flow, root));
            // A value that moves on within its spot is a pointer that goes through an object.
            if from != to || *plus != Some(0) {
                graph.successors[from].push((to, *plus, *call));
            }
        }
        for list in &mut graph.successors {
            list.sort_unstable();
            list.dedup();
        }
        for (spot, tag) in &flow.tags {
            let at = graph.id(spot, flow, root);
            graph.sets[at].add(*tag);
        }
        graph
    }

    fn id(&mut self, spot: &Spot, flow: &Flow, root: &mut dyn FnMut(usize) -> usize) -> usize {
        let spot = canonical(spot, root);
        if let Some(&id) = self.ids.get(&spot) {
            return id;
        }
        let id = self.sets.len();
        self.sets.push(Tags::default());
        self.successors.push(Vec::new());
        self.lasting.push(match &spot {
            Spot::Cell(_) => true,
            Spot::Scalar(var, _) => flow.lasting.contains(var),
        });
        self.ids.insert(spot, id);
        id
    }

    fn tags_at(&self, spot: &Spot, root: &mut dyn FnMut(usize) -> usize) -> impl Iterator<Item = Tag> + '_ {
        let id = self.ids.get(&canonical(spot, root));
        id.into_iter().flat_map(|&id| self.sets[id].iter())
    }

    /// Moves tags until nothing changes.
    fn run(&mut self) {
        loop {
            let kept = self.kept.len();
            // The tags of every spot that its successors do not have yet.
            let mut untold: Vec<Vec<Tag>> = self.sets.iter().map(|tags| tags.iter().collect()).collect();
            let mut work: Vec<usize> = (0..untold.len()).filter(|&at| !untold[at].is_empty()).collect();
            while let Some(at) = work.pop() {
                let tags = std::mem::take(&mut untold[at]);
                if self.lasting[at] {
                    let new = tags.iter().filter_map(|tag| match tag {
                        Tag::New(operation, _) => Some(*operation),
                        Tag::Typed(_) => None,
                    });
                    self.kept.extend(new);
                }
                for &(to, plus, call) in &self.successors[at] {
                    for &tag in &tags {
                        let tag = match (tag, call) {
                            (Tag::New(operation, _), Some(call)) if !self.kept.contains(&operation) => {
                                Tag::New(call, Some(0))
                            }
                            (tag, _) => tag.moved(plus),
                        };
                        if let Some(new) = self.sets[to].add(tag) {
                            if untold[to].is_empty() {
                                work.push(to);
                            }
                            untold[to].push(new);
                        }
                    }
                }
            }
            if self.kept.len() == kept {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::types::{IntKind, Types};
    use std::collections::BTreeSet;

    fn scalar(var: u32) -> Spot {
        Spot::Scalar(VarId(var), Vec::new())
    }

    fn pairs(flow: &Flow) -> Vec<(TypeId, TypeId, Option<i64>)> {
        let Found { typed, new, .. } = flow.pairs(&mut |node| node).expect("a few");
        let found: BTreeSet<Pair> = typed.into_keys().chain(new.into_keys()).collect();
        found
            .into_iter()
            .map(|(from, to, offset)| (from.ty, to.ty, offset))
            .collect()
    }

    fn pointer(ty: TypeId) -> View {
        View {
            ty,
            exact: false,
            reach: 0,
        }
    }

    #[test]
    fn types_meet_where_values_do() {
        let [a, b, c] = [IntKind::Int, IntKind::Long, IntKind::Short].map(Types::int);
        let mut flow = Flow::default();
        flow.tag(scalar(0), Tag::Typed(Target::start(a)));
        flow.tag(scalar(5), Tag::Typed(Target::new(b, Some(8))));
        flow.move_value((scalar(0), Some(0)), scalar(1));
        flow.move_value((scalar(1), Some(4)), scalar(2));
        flow.use_as((scalar(1), Some(0)), pointer(c), Loc::NONE);
        flow.use_as((scalar(5), Some(2)), pointer(c), Loc::NONE);
        assert_eq!(pairs(&flow), [(a, c, Some(0)), (b, c, Some(10))]);
        flow.use_as((scalar(2), Some(0)), pointer(b), Loc::NONE);
        assert!(pairs(&flow).contains(&(a, b, Some(4))));
        // A pointer that moves in a loop may be anywhere.
        flow.move_value((scalar(2), Some(1)), scalar(2));
        assert!(pairs(&flow).contains(&(a, b, None)));
    }

    #[test]
    fn what_a_call_returns_is_new_unless_it_is_kept() {
        let [a, b] = [IntKind::Int, IntKind::Long].map(Types::int);
        let mut flow = Flow::default();
        flow.tag(scalar(0), Tag::New(1, Some(0)));
        flow.return_value(scalar(0), scalar(1), 7);
        flow.return_value(scalar(0), scalar(2), 8);
        flow.use_as((scalar(1), Some(0)), pointer(a), Loc::NONE);
        flow.use_as((scalar(2), Some(4)), pointer(b), Loc::NONE);
        assert_eq!(pairs(&flow), []);
        flow.move_value((scalar(0), Some(0)), Spot::Cell(3));
        let (least, greatest) = (a.min(b), a.max(b));
        let distance = if least == a { 4 } else { -4 };
        assert_eq!(pairs(&flow), [(least, greatest, Some(distance))]);
    }

    #[test]
    fn unified_kinds_are_one_spot() {
        let [a, b] = [IntKind::Int, IntKind::Long].map(Types::int);
        let mut flow = Flow::default();
        flow.tag(Spot::Cell(1), Tag::Typed(Target::start(a)));
        flow.use_as((Spot::Cell(2), Some(0)), pointer(b), Loc::NONE);
        assert_eq!(pairs(&flow), []);
        assert_eq!(flow.pairs(&mut |_| 0).expect("a few").typed.len(), 1);
    }
}
