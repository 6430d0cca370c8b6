//! The precision over properties: which properties are tracked where.
//!
//! The operations that track a property are woven into the program, with a [bypass](crate::cfa::Op::Bypass) around each. A state tracks a set of properties; at a bypass it goes
//! through the woven operations if it tracks their property, and around them if not. That is the precision of the specification analysis and its operator `prec` of Apel et al. (FSE
//! 2016, section 3): a property that is switched off is not tracked from the states on that are expanded next, while what was explored before stays as it is, for all other properties.
//!
//! Law: along a path the set only shrinks. So a state that tracks a property comes from states that track it too, and no event of the property was missed on the way. To switch a property on again
//! needs a new start.

use crate::cfa::{EdgeId, NodeId, Op, Program, Watcher};
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;

/// A property, by its position in the list that an analysis was given. Callers have lists with other positions: a type of its own keeps them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyId(u32);

impl PropertyId {
    /// The property at a position.
    ///
    /// # Panics
    /// There are 2^32 positions.
    pub fn new(position: usize) -> PropertyId {
        PropertyId(u32::try_from(position).expect("fewer than 2^32 properties"))
    }

    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` properties.
    pub fn first(count: usize) -> impl Iterator<Item = PropertyId> + Clone {
        (0..count).map(PropertyId::new)
    }
}

/// An interned set of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackedId(u32);

impl TrackedId {
    /// All properties.
    pub const ALL: TrackedId = TrackedId(0);
}

/// The way in which a property is tracked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tracking {
    /// The mark of its woven edges, if it has any.
    pub watcher: Option<Watcher>,
    /// The edges that say that the watcher has seen something.
    pub transitions: Vec<EdgeId>,
}

/// The sets of properties that states track.
#[derive(Debug)]
pub struct Tracked {
    /// Where a bypass begins: the watcher.
    bypasses: FxHashMap<NodeId, Watcher>,
    properties: FxHashMap<Watcher, PropertyId>,
    transitions: FxHashMap<EdgeId, PropertyId>,
    /// The properties that are switched on.
    enabled: TrackedId,
    sets: Vec<BitVec>,
    ids: FxHashMap<BitVec, TrackedId>,
    met: FxHashMap<(TrackedId, TrackedId), TrackedId>,
    /// For each property, how often its watcher has seen something.
    seen: Vec<u64>,
}

impl Tracked {
    /// Everything is tracked. `tracking` has one entry for each property.
    pub fn new<'t>(program: &Program, tracking: impl Iterator<Item = &'t Tracking>) -> Tracked {
        let mut bypasses = FxHashMap::default();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            if let Op::Bypass(watcher) = edge.op {
                let other = bypasses.insert(edge.from, watcher);
                assert!(other.is_none(), "two bypasses begin at one place");
            }
        }
        let (mut properties, mut transitions) = (FxHashMap::default(), FxHashMap::default());
        let mut count = 0;
        for (position, tracking) in tracking.enumerate() {
            count += 1;
            let property = PropertyId::new(position);
            if let Some(watcher) = tracking.watcher {
                properties.insert(watcher, property);
            }
            transitions.extend(tracking.transitions.iter().map(|&edge| (edge, property)));
        }
        let all = BitVec::repeat(true, count);
        Tracked {
            bypasses,
            properties,
            transitions,
            enabled: TrackedId::ALL,
            sets: vec![all.clone()],
            ids: [(all, TrackedId::ALL)].into_iter().collect(),
            met: FxHashMap::default(),
            seen: vec![0; count],
        }
    }

    /// Switches properties on and off: from now on only those for which `wanted` says so are tracked.
    pub fn enable(&mut self, wanted: impl Fn(PropertyId) -> bool) {
        let set: BitVec = PropertyId::first(self.seen.len()).map(wanted).collect();
        self.enabled = self.intern(set);
    }

    /// Whether a property is switched on.
    pub fn is_enabled(&self, property: PropertyId) -> bool {
        self.tracks(self.enabled, property)
    }

    /// The properties that are switched on.
    pub fn enabled(&self) -> TrackedId {
        self.enabled
    }

    /// Whether a property is in a set.
    pub fn tracks(&self, set: TrackedId, property: PropertyId) -> bool {
        self.sets[set.0 as usize][property.index()]
    }

    /// The part of a set that is still tracked: the operator `prec` of the specification analysis.
    pub fn prec(&mut self, set: TrackedId) -> TrackedId {
        if set == self.enabled {
            return set;
        }
        if let Some(&known) = self.met.get(&(set, self.enabled)) {
            return known;
        }
        let both = self.sets[set.0 as usize].clone() & &self.sets[self.enabled.0 as usize];
        let met = self.intern(both);
        self.met.insert((set, self.enabled), met);
        met
    }

    fn intern(&mut self, set: BitVec) -> TrackedId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = TrackedId(u32::try_from(self.sets.len()).expect("fewer than 2^32 sets of properties"));
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    /// Whether an edge is taken from a node by a state that tracks a set: at a bypass either that, or everything else.
    pub fn takes(&self, program: &Program, set: TrackedId, node: NodeId, edge: EdgeId) -> bool {
        let Some(watcher) = self.bypasses.get(&node) else {
            return true;
        };
        let property = self.properties.get(watcher);
        let tracked = property.is_some_and(|&property| self.tracks(set, property));
        tracked != matches!(program.edge(edge).op, Op::Bypass(_))
    }

    /// Notes that an edge was taken.
    pub fn note(&mut self, edge: EdgeId) {
        if let Some(&property) = self.transitions.get(&edge) {
            self.seen[property.index()] += 1;
        }
    }

    /// How often the watcher of a property has seen something so far.
    pub fn seen(&self, property: PropertyId) -> u64 {
        self.seen[property.index()]
    }
}
