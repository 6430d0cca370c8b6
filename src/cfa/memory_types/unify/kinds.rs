//! From the classes of the union-find to the kinds of a division.

use super::super::analysis::Analysis;
use super::super::division::Division;
use super::super::kinds::{Cells, Key, Kind, KindId};
use super::super::names::key_name;
use crate::cfa::program::scalar::Scalar;
use provident_smt::hash::{FxHashMap, FxHashSet};

impl<'p> Analysis<'p> {
    pub(super) fn finish(mut self) -> Division {
        let pointed = self.pointed();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut of_root: FxHashMap<usize, KindId> = FxHashMap::default();
        let mut of_key = FxHashMap::default();
        let mut names: FxHashSet<String> = FxHashSet::default();
        for at in 0..self.nodes.len() {
            let root = self.root(at);
            let key = self.nodes[at].key;
            let id = *of_root.entry(root).or_insert_with(|| {
                let node = &self.nodes[root];
                let id = KindId(u32::try_from(kinds.len()).expect("fewer than 2^32 kinds"));
                let mut name = key_name(self.program, &self.keys.private_paths, node.key);
                if !names.insert(name.clone()) {
                    name = format!("{name}${}", id.0);
                    names.insert(name.clone());
                }
                let cells = if node.mixed {
                    Cells::Bytes
                } else {
                    Cells::Scalars {
                        size: node.size,
                        signed: node.signed,
                        uniform: !node.unified,
                    }
                };
                let bits = (node.bit_field && !node.mixed).then_some(node.first_bit);
                kinds.push(Kind {
                    name,
                    cells,
                    private: matches!(node.key, Key::Private(..)),
                    scalar: Scalar {
                        class: node.class,
                        width: node.width,
                        signed: node.signed,
                        size: node.size,
                    },
                    first_bit: bits,
                    natural: node.natural,
                });
                id
            });
            of_key.insert(key, id);
        }
        Division {
            kinds,
            of_key,
            keys: self.keys,
            trusted: self.trusted,
            converted: self.converted,
            pointed,
        }
    }
}
