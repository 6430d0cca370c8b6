//! A persistent map from `u32` keys: a radix tree with shared nodes.
//!
//! Every state of the exploration carries an SSA map, and neighbouring states differ in one or two entries out of thousands. A
//! clone is one reference count; an insertion copies the path to one leaf (three or four nodes of up to sixteen entries for usual
//! programs) unless no other map shares it. Nodes have room for their entries only, because there are millions of maps. [`Trie::diff`] skips the shared parts of two maps, so the cost of merging two paths depends on their
//! changes and not on the size of the program. Iteration is in order of the keys. A hash trie was rejected because it has no stable order, a
//! copy-on-write `BTreeMap` because big initialisers make thousands of steps over thousands of entries.

use std::sync::Arc;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

/// A persistent map with `u32` keys.
#[derive(Clone, Debug)]
pub struct Trie<V> {
    /// The tree covers the keys below `16^height`.
    height: u32,
    root: Child<V>,
}

/// The callback for a key and its values in two maps.
type Difference<'f, V> = dyn FnMut(u32, Option<&V>, Option<&V>) + 'f;

/// A subtree that is looked at.
type Shared<'a, V> = Option<&'a Arc<Node<V>>>;
/// A subtree, if it holds anything.
type Child<V> = Option<Arc<Node<V>>>;

#[derive(Clone, Debug)]
enum Node<V> {
    Inner(Entries<Arc<Node<V>>>),
    Leaf(Entries<V>),
}

/// The entries of a node at its sixteen digits: a set of digits, and their entries in order.
#[derive(Clone, Debug)]
struct Entries<T> {
    digits: u16,
    entries: Vec<T>,
}

impl<T> Entries<T> {
    fn empty() -> Self {
        Entries {
            digits: 0,
            entries: Vec::new(),
        }
    }

    /// Where the entry of a digit is or would be.
    fn position(&self, digit: usize) -> Result<usize, usize> {
        let bit = 1 << digit;
        let at = (self.digits & (bit - 1)).count_ones() as usize;
        if self.digits & bit == 0 { Err(at) } else { Ok(at) }
    }

    fn get(&self, digit: usize) -> Option<&T> {
        self.position(digit).ok().map(|at| &self.entries[at])
    }

    fn get_or_insert_with(&mut self, digit: usize, make: impl FnOnce() -> T) -> &mut T {
        let at = self.position(digit).unwrap_or_else(|at| {
            self.digits |= 1 << digit;
            self.entries.reserve_exact(1);
            self.entries.insert(at, make());
            at
        });
        &mut self.entries[at]
    }

    fn set(&mut self, digit: usize, value: T) {
        match self.position(digit) {
            Ok(at) => self.entries[at] = value,
            Err(_) => drop(self.get_or_insert_with(digit, || value)),
        }
    }

    /// The entries with their digits, in order.
    fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let digits = (0..).zip(0..WIDTH).filter(|&(_, at)| self.digits & (1 << at) != 0);
        digits.map(|(digit, _)| digit).zip(&self.entries)
    }
}

impl<V> Node<V> {
    fn empty(level: u32) -> Self {
        if level == 1 {
            Node::Leaf(Entries::empty())
        } else {
            Node::Inner(Entries::empty())
        }
    }
}

impl<V> Default for Trie<V> {
    fn default() -> Self {
        Trie { height: 1, root: None }
    }
}

/// The digit of a key at a level; level 1 is the leaf.
fn digit(key: u32, level: u32) -> usize {
    usize::try_from((key >> (BITS * (level - 1))) & 15).expect("four bits")
}

impl<V: Clone> Trie<V> {
    /// The value of a key.
    pub fn get(&self, key: u32) -> Option<&V> {
        if !self.covers(key) {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match &**node {
                Node::Inner(children) => node = children.get(digit(key, level))?,
                Node::Leaf(values) => return values.get(digit(key, 1)),
            }
            level -= 1;
        }
    }

    fn covers(&self, key: u32) -> bool {
        self.height * BITS >= u32::BITS || key >> (self.height * BITS) == 0
    }

    fn grow(&mut self, height: u32) {
        while self.height < height {
            if let Some(root) = self.root.take() {
                let mut children = Entries::empty();
                children.set(0, root);
                self.root = Some(Arc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: u32, value: V) {
        while !self.covers(key) {
            self.grow(self.height + 1);
        }
        let mut level = self.height;
        let mut node = self.root.get_or_insert_with(|| Arc::new(Node::empty(level)));
        loop {
            match Arc::make_mut(node) {
                Node::Inner(children) => {
                    let below = || Arc::new(Node::empty(level - 1));
                    node = children.get_or_insert_with(digit(key, level), below);
                }
                Node::Leaf(values) => return values.set(digit(key, 1), value),
            }
            level -= 1;
        }
    }

    /// Calls `each` for the entries in order of their keys.
    pub fn for_each(&self, each: &mut dyn FnMut(u32, &V)) {
        fn walk<V>(node: &Node<V>, prefix: u32, each: &mut dyn FnMut(u32, &V)) {
            match node {
                Node::Inner(children) => {
                    for (i, child) in children.iter() {
                        walk(child, (prefix | i) << BITS, each);
                    }
                }
                Node::Leaf(values) => {
                    for (i, value) in values.iter() {
                        each(prefix | i, value);
                    }
                }
            }
        }
        if let Some(root) = &self.root {
            walk(root, 0, each);
        }
    }

    /// Calls `each` for at least the keys whose values differ between the maps, in order, and for none in subtrees that the maps
    /// share.
    pub fn diff(&self, other: &Trie<V>, each: &mut Difference<'_, V>) {
        let (mut a, mut b) = (self.clone(), other.clone());
        let height = a.height.max(b.height);
        a.grow(height);
        b.grow(height);
        diff_nodes(a.root.as_ref(), b.root.as_ref(), 0, each);
    }
}

fn diff_nodes<V>(a: Shared<'_, V>, b: Shared<'_, V>, prefix: u32, each: &mut Difference<'_, V>) {
    if let (Some(a), Some(b)) = (a, b)
        && Arc::ptr_eq(a, b)
    {
        return;
    }
    let leaf = match (a, b) {
        (Some(node), _) | (_, Some(node)) => matches!(**node, Node::Leaf(_)),
        (None, None) => return,
    };
    for (i, at) in (0u32..).zip(0..WIDTH) {
        if leaf {
            let (x, y) = (value_at(a, at), value_at(b, at));
            if x.is_some() || y.is_some() {
                each(prefix | i, x, y);
            }
        } else {
            diff_nodes(child_at(a, at), child_at(b, at), (prefix | i) << BITS, each);
        }
    }
}

fn child_at<V>(node: Shared<'_, V>, at: usize) -> Shared<'_, V> {
    match &**node? {
        Node::Inner(children) => children.get(at),
        Node::Leaf(_) => None,
    }
}

fn value_at<V>(node: Shared<'_, V>, at: usize) -> Option<&V> {
    match &**node? {
        Node::Leaf(values) => values.get(at),
        Node::Inner(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Trie;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn entries(trie: &Trie<u32>) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        trie.for_each(&mut |k, v| all.push((k, *v)));
        all
    }

    proptest! {
        #[test]
        fn behaves_like_a_sorted_map(
            first in prop::collection::vec((prop_oneof![0u32..40, any::<u32>()], any::<u32>()), 0..60),
            second in prop::collection::vec((prop_oneof![0u32..40, any::<u32>()], any::<u32>()), 0..20),
        ) {
            let (mut trie, mut map) = (Trie::default(), BTreeMap::new());
            for &(k, v) in &first {
                trie.insert(k, v);
                map.insert(k, v);
            }
            let (mut changed, old_map) = (trie.clone(), map.clone());
            for &(k, v) in &second {
                changed.insert(k, v);
                map.insert(k, v);
            }
            prop_assert_eq!(entries(&trie), old_map.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>());
            prop_assert_eq!(entries(&changed), map.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>());
            for &(k, _) in first.iter().chain(&second) {
                prop_assert_eq!(changed.get(k), map.get(&k));
            }
            let mut seen = BTreeMap::new();
            trie.diff(&changed, &mut |k, a, b| { seen.insert(k, (a.copied(), b.copied())); });
            for (k, v) in &map {
                let old = old_map.get(k).copied();
                if old != Some(*v) {
                    prop_assert_eq!(seen.get(k), Some(&(old, Some(*v))));
                }
            }
        }
    }
}
