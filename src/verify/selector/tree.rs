//! Decision trees by recursive partitioning, as `rpart` of R builds them for classes by default (Therneau and Atkinson, *An introduction to recursive partitioning using the rpart routines*; Breiman and others, *CART*, 1984).
//!
//! A node is split where the Gini impurity falls most, between two neighbouring values of one feature; of equal splits the one of the first feature and of the least value is taken. A node with fewer than 20 examples is not split,
//! and no part has fewer than 7 = round(20 / 3) (`minsplit`, `minbucket`). No node is deeper than 30 below the root (`maxdepth`). A split whose subtree makes fewer errors by less than `cp` = 0.01 of the errors at the root, for
//! each of its splits, is taken back; the bookkeeping of that is `rpart`'s, which asks for the children before the parent and lets the weaker child collapse first. There are no surrogates and no competitors (`maxsurrogate`,
//! `maxcompete` = 0): no feature is ever missing. Cross-validation (`xval`) only prints a table in `rpart` and does not change the tree, so there is none.
//! Trees of random examples are compared with those of `rpart` 4.1.19 in the tests.
//!
//! `linfa-trees` (0.8.1) and `smartcore` (0.7.0) were not taken: neither has `cp`. The `min_impurity_decrease` of `linfa-trees` bounds the gain of one split in impurity; `cp` bounds the errors that a whole
//! subtree saves, as a share of those at the root, after weaker subtrees have collapsed. `smartcore` has limits on depth and on examples only.

use std::fmt;

/// The fewest examples that are split.
const MIN_SPLIT: usize = 20;
/// The fewest examples on each side of a split.
const MIN_BUCKET: usize = 7;
/// The least share of the errors at the root that a split has to save.
const CP: f64 = 0.01;
/// The greatest depth of a node; the root has depth 0.
pub(super) const MAX_DEPTH: usize = 30;
/// Improvements below this are rounding.
const EPSILON: f64 = 1e-10;

/// A tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// The class of all that comes here, and how many examples of each class came here.
    Leaf {
        /// The most frequent class, the first of equal ones.
        class: usize,
        /// Examples by class.
        counts: Vec<usize>,
    },
    /// A question.
    Split {
        /// The position of the feature.
        feature: usize,
        /// Below it to the left, else to the right.
        below: f64,
        /// Where the feature is smaller.
        left: Box<Tree>,
        /// Where it is not.
        right: Box<Tree>,
    },
}

impl Tree {
    /// The class for these values.
    pub fn class(&self, values: &[f64]) -> usize {
        self.way(values).class
    }

    /// The way of these values to their leaf.
    pub fn way(&self, values: &[f64]) -> Way<'_> {
        let (mut tree, mut number, mut steps) = (self, 1, Vec::new());
        loop {
            match tree {
                Tree::Leaf { class, counts } => {
                    return Way {
                        leaf: number,
                        class: *class,
                        counts,
                        steps,
                    };
                }
                Tree::Split {
                    feature,
                    below,
                    left,
                    right,
                } => {
                    let is_below = values[*feature] < *below;
                    steps.push((*feature, is_below, *below));
                    number += if is_below { 0 } else { left.leaves() };
                    tree = if is_below { left } else { right };
                }
            }
        }
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        match self {
            Tree::Leaf { .. } => 1,
            Tree::Split { left, right, .. } => left.leaves() + right.leaves(),
        }
    }

    /// The tree in words, a line for each node.
    pub fn show(&self, features: &[&str], classes: &[&str]) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text, features, classes, 0);
        text
    }

    fn write(&self, f: &mut dyn fmt::Write, features: &[&str], classes: &[&str], depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match self {
            Tree::Leaf { class, counts } => writeln!(f, "{indent}{} {counts:?}", classes[*class]),
            Tree::Split {
                feature,
                below,
                left,
                right,
            } => {
                writeln!(f, "{indent}{} < {below}", features[*feature])?;
                left.write(f, features, classes, depth + 1)?;
                writeln!(f, "{indent}{} >= {below}", features[*feature])?;
                right.write(f, features, classes, depth + 1)
            }
        }
    }
}

/// The way of some values through a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Way<'t> {
    /// The number of the leaf, counted from the left, from 1.
    pub leaf: usize,
    /// Its class.
    pub class: usize,
    /// Examples by class that came to it.
    pub counts: &'t [usize],
    /// The questions on the way: a feature, whether its value is below the bound, and the bound.
    pub steps: Vec<(usize, bool, f64)>,
}

/// An example: the values of its features, and its class.
#[derive(Clone, Debug)]
pub struct Example {
    /// The values; all examples have equally many.
    pub values: Vec<f64>,
    /// The class, below the number of classes.
    pub class: usize,
}

/// Learns a tree from examples of this number of classes.
pub fn learn(examples: &[Example], classes: usize) -> Tree {
    let all: Vec<&Example> = examples.iter().collect();
    let root = risk(&counts(&all, classes));
    let partition = Partition {
        classes,
        alpha: CP * root,
    };
    partition.grow(&all, root, 0).tree
}

fn counts(examples: &[&Example], classes: usize) -> Vec<usize> {
    let mut counts = vec![0; classes];
    examples.iter().for_each(|example| counts[example.class] += 1);
    counts
}

/// A number as a float; exact below 2^32.
fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The examples that are not of the most frequent class.
fn risk(counts: &[usize]) -> f64 {
    float(counts.iter().sum::<usize>() - counts.iter().max().copied().unwrap_or(0))
}

/// The Gini impurity times the number of examples.
fn impurity(counts: &[usize]) -> f64 {
    let all = float(counts.iter().sum());
    if all == 0.0 {
        return 0.0;
    }
    all - counts.iter().map(|&count| float(count).powi(2)).sum::<f64>() / all
}

fn leaf(counts: Vec<usize>) -> Tree {
    let most = counts.iter().max().copied().unwrap_or(0);
    let class = counts.iter().position(|&count| count == most).unwrap_or(0);
    Tree::Leaf { class, counts }
}

/// The building of a tree. `alpha` is the least saving of a split, in examples.
struct Partition {
    classes: usize,
    alpha: f64,
}

/// A finished node: its tree, its own risk, and, with what has not collapsed before it, the risk and the splits below. `complexity` is the saving of each split at which it collapses.
struct Node {
    tree: Tree,
    risk: f64,
    below: f64,
    splits: usize,
    complexity: f64,
}

impl Partition {
    /// The tree for these examples at this depth; `bound` is the greatest complexity that it can have, by what is known of its parent.
    fn grow(&self, examples: &[&Example], bound: f64, depth: usize) -> Node {
        let counts = counts(examples, self.classes);
        let risk = risk(&counts);
        let end = |counts: Vec<usize>| Node {
            tree: leaf(counts),
            risk,
            below: risk,
            splits: 0,
            complexity: self.alpha,
        };
        if examples.len() < MIN_SPLIT || risk.min(bound) <= self.alpha || depth >= MAX_DEPTH {
            return end(counts);
        }
        let Some((feature, below)) = self.best(examples, &counts) else {
            return end(counts);
        };
        let (lower, upper): (Vec<&Example>, Vec<&Example>) =
            examples.iter().partition(|example| example.values[feature] < below);
        let bound = risk.min(bound);
        let left = self.grow(&lower, bound - self.alpha, depth + 1);
        let own = ((risk - left.below) / float(left.splits + 1))
            .max(risk - left.risk)
            .min(bound);
        let right = self.grow(&upper, own - self.alpha, depth + 1);
        let (remaining, splits) = collapse(risk, &left, &right);
        let complexity = (risk - remaining) / float(splits + 1);
        if complexity <= self.alpha {
            return end(counts);
        }
        Node {
            tree: Tree::Split {
                feature,
                below,
                left: Box::new(left.tree),
                right: Box::new(right.tree),
            },
            risk,
            below: remaining,
            splits: splits + 1,
            complexity,
        }
    }

    /// The split that lowers the impurity most.
    fn best(&self, examples: &[&Example], all: &[usize]) -> Option<(usize, f64)> {
        let mut best: Option<(f64, usize, f64)> = None;
        let features = examples.first().map_or(0, |example| example.values.len());
        for feature in 0..features {
            let mut sorted = examples.to_vec();
            sorted.sort_by(|a, b| a.values[feature].total_cmp(&b.values[feature]));
            let mut left = vec![0; self.classes];
            for (at, pair) in sorted.windows(2).enumerate() {
                left[pair[0].class] += 1;
                let (low, high) = (pair[0].values[feature], pair[1].values[feature]);
                let is_allowed = at + 1 >= MIN_BUCKET && sorted.len() - at > MIN_BUCKET;
                if low >= high || !is_allowed {
                    continue;
                }
                let right: Vec<usize> = all.iter().zip(&left).map(|(all, left)| all - left).collect();
                let gain = impurity(all) - impurity(&left) - impurity(&right);
                if gain > best.map_or(EPSILON, |(gain, ..)| gain + EPSILON) {
                    best = Some((gain, feature, f64::midpoint(low, high)));
                }
            }
        }
        best.map(|(_, feature, below)| (feature, below))
    }
}

/// The risk and the splits below a node once its children that are weaker than itself have collapsed, the weaker one first.
fn collapse(risk: f64, left: &Node, right: &Node) -> (f64, usize) {
    let mut parts = [(left.below, left.splits), (right.below, right.splits)];
    let saving = |parts: &[(f64, usize); 2]| (risk - parts[0].0 - parts[1].0) / float(parts[0].1 + parts[1].1 + 1);
    let children = [left, right];
    let order = if right.complexity > left.complexity {
        [0, 1]
    } else {
        [1, 0]
    };
    for child in order {
        if saving(&parts) <= children[child].complexity {
            break;
        }
        parts[child] = (children[child].risk, 0);
    }
    (parts[0].0 + parts[1].0, parts[0].1 + parts[1].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example(values: &[f64], class: usize) -> Example {
        Example {
            values: values.to_vec(),
            class,
        }
    }

    /// Random examples, each as the digits of its features and of its class, with the trees that `rpart` 4.1.19 of R 4.2.2 makes of them by default.
    const BY_RPART: &[(&str, &str)] = &[
        (
            "23211 24561 11151 65661 52201 16531 62451 23441 11550 34340 42461 03131 15041 64641 16561 36310 25350 22561 35460 61451 04440 06461 44360 11661 30660 64111 16451 12041 20421 35360 23651 20120 55531 66460 15061 16501 63521 45610 00351 40211 55201 55320 23130 30441 40430 15560 01260 64611 05560 16320 21130 55541 10550 30030 21301 12200 02161 41260 40140 10151 22541 64641 22130 26460 56131 26131",
            "f0 < 4.5\n  f0 < 2.5\n    f1 < 5.5\n      f3 < 3.5\n        0 [5, 4, 0, 0]\n      f3 >= 3.5\n        f1 < 3.5\n          1 [3, 10, 0, 0]\n        f1 >= 3.5\n          0 [4, 3, 0, 0]\n    f1 >= 5.5\n      1 [2, 6, 0, 0]\n  f0 >= 2.5\n    0 [11, 3, 0, 0]\nf0 >= 4.5\n  1 [2, 13, 0, 0]\n",
        ),
        (
            "00321 12111 31330 10100 11100 33102 22232 02322 32101 10201 21221 31011 13030 11102 00201 03330 12311 02321 11031 22000 13001 02230 02110 02311 11122 13021 10332 00031 30021 11110 30321 12100 00131 32312 00100 30011 02020 12010 13001 22100 11301 20030 13111 23322 11030 13212 30322 00201 32322 12332 30110 23121 23222 21221 30021 23322 32102",
            "f2 < 1.5\n  f0 < 2.5\n    f3 < 1.5\n      0 [9, 4, 1, 0]\n    f3 >= 1.5\n      1 [4, 5, 1, 0]\n  f0 >= 2.5\n    1 [1, 5, 2, 0]\nf2 >= 1.5\n  f1 < 1.5\n    1 [1, 8, 2, 0]\n  f1 >= 1.5\n    2 [2, 3, 9, 0]\n",
        ),
        (
            "0130 2011 3321 1301 1130 3120 3021 1130 2331 2320 2310 2110 1301 1221 3110 1221 0311 2121 0000 1020 3311 3310 0111 1121 0000 1311 0330 0000 1230 3231 0010 1020 0200 3011 1001 3320 0101 2320 2101 2231 2320 0301 1001 1121",
            "f0 < 0.5\n  0 [7, 4, 0, 0]\nf0 >= 0.5\n  f2 < 1.5\n    1 [4, 9, 0, 0]\n  f2 >= 1.5\n    f0 < 1.5\n      0 [5, 4, 0, 0]\n    f0 >= 1.5\n      1 [5, 6, 0, 0]\n",
        ),
        (
            "3301 1622 6342 5052 2501 6443 0000 0151 5533 6613 0311 2612 3322 2522 2061 2100 1200 0051 4463 4541 0323 4563 3042 3633 4332 0021 3653 6423 0442 6352 3222 2442 6101 0401 4201 0401 1221 3141 3001 5332 0641 3102 6553 2300",
            "f2 < 0.5\n  1 [4, 7, 1, 0]\nf2 >= 0.5\n  f1 < 2.5\n    1 [0, 6, 3, 0]\n  f1 >= 2.5\n    f0 < 2.5\n      2 [0, 2, 5, 1]\n    f0 >= 2.5\n      3 [0, 1, 5, 9]\n",
        ),
    ];

    #[test]
    fn trees_are_those_of_rpart() {
        for (examples, tree) in BY_RPART {
            let digits = |text: &str| text.bytes().map(|digit| f64::from(digit - b'0')).collect::<Vec<f64>>();
            let read = |text: &str| {
                let (values, class) = text.split_at(text.len() - 1);
                example(&digits(values), class.parse().unwrap())
            };
            let examples: Vec<Example> = examples.split(' ').map(read).collect();
            assert_eq!(
                learn(&examples, 4).show(&["f0", "f1", "f2", "f3"], &["0", "1", "2", "3"]),
                *tree
            );
        }
    }

    #[test]
    fn a_boundary_is_found_between_neighbours() {
        let examples: Vec<Example> = (0..40)
            .map(|i| example(&[1.0, f64::from(i)], usize::from(i >= 20)))
            .collect();
        let tree = learn(&examples, 2);
        assert_eq!(
            tree.show(&["a", "b"], &["low", "high"]),
            "b < 19.5\n  low [20, 0]\nb >= 19.5\n  high [0, 20]\n"
        );
        assert_eq!((tree.class(&[0.0, 19.0]), tree.class(&[0.0, 20.0])), (0, 1));
    }

    #[test]
    fn few_examples_and_equal_classes_are_one_leaf() {
        let few: Vec<Example> = (0..19).map(|i| example(&[f64::from(i)], usize::from(i >= 9))).collect();
        assert_eq!(learn(&few, 2).leaves(), 1);
        let equal: Vec<Example> = (0..40).map(|i| example(&[f64::from(i)], 1)).collect();
        assert_eq!(
            learn(&equal, 2),
            Tree::Leaf {
                class: 1,
                counts: vec![0, 40]
            }
        );
        assert_eq!(learn(&[], 2).class(&[]), 0);
    }

    /// Twenty examples, eight of `a`, ten of `b`, then two of `a`: the impurities (times the examples) are 20 - (100 + 100) / 20 = 10 at the root, and 0 and 12 - (4 + 100) / 12 = 10 / 3 behind the best split.
    #[test]
    fn the_split_has_the_least_gini_impurity() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(
            close(impurity(&[10, 10]), 10.0) && close(impurity(&[8, 0]), 0.0) && close(impurity(&[2, 10]), 10.0 / 3.0)
        );
        let examples: Vec<Example> = (0..20)
            .map(|i| example(&[f64::from(i)], usize::from((8..18).contains(&i))))
            .collect();
        let tree = learn(&examples, 2);
        assert_eq!(
            tree.show(&["f"], &["a", "b"]),
            "f < 7.5\n  a [8, 0]\nf >= 7.5\n  b [2, 10]\n"
        );
        let way = tree.way(&[7.5]);
        assert_eq!((way.leaf, way.class, way.counts), (2, 1, &[2, 10][..]));
        assert_eq!(way.steps, [(0, false, 7.5)]);
    }

    /// Of equal splits the first feature and the least value are taken.
    #[test]
    fn ties_go_to_the_first() {
        let examples: Vec<Example> = (0..40)
            .map(|i| example(&[0.0, f64::from(i), f64::from(i)], usize::from((10..30).contains(&i))))
            .collect();
        // The splits at 10 and at 30 are as good as each other.
        let Tree::Split { feature, below, .. } = learn(&examples, 2) else {
            panic!("there is a split");
        };
        assert_eq!((feature, below), (1, 9.5));
    }

    /// Of 400 examples 150 are not of the most frequent class, so that a split has to save more than 1.5 errors (`cp` = 0.01 of 150).
    #[test]
    fn a_split_has_to_save_its_share_of_the_errors() {
        let with = |saved: usize| {
            let group = |value: f64, class: usize, count: usize| vec![example(&[value], class); count];
            let all = [
                group(0.0, 0, 240),
                group(0.0, 1, 140 - saved),
                group(1.0, 0, 10),
                group(1.0, 1, 10 + saved),
            ];
            learn(&all.concat(), 2).leaves()
        };
        assert_eq!((with(1), with(2)), (1, 2));
    }

    /// A part with fewer than seven examples is no part, even if it were pure.
    #[test]
    fn no_part_is_too_small() {
        let tree = |pure: u32| {
            let examples: Vec<Example> = (0..30)
                .map(|i| example(&[f64::from(i)], usize::from(i >= 30 - pure)))
                .collect();
            learn(&examples, 2).show(&["f"], &["a", "b"])
        };
        assert_eq!(tree(7), "f < 22.5\n  a [23, 0]\nf >= 22.5\n  b [0, 7]\n");
        assert_eq!(tree(6), "f < 22.5\n  a [23, 0]\nf >= 22.5\n  b [1, 6]\n");
    }

    /// A node at the greatest depth is a leaf, whatever could be split there.
    #[test]
    fn the_depth_is_bounded() {
        let examples: Vec<Example> = (0..40)
            .map(|i| example(&[f64::from(i)], usize::from(i >= 20)))
            .collect();
        let all: Vec<&Example> = examples.iter().collect();
        let partition = Partition { classes: 2, alpha: 0.2 };
        assert_eq!(partition.grow(&all, 20.0, MAX_DEPTH).tree.leaves(), 1);
        assert_eq!(partition.grow(&all, 20.0, MAX_DEPTH - 1).tree.leaves(), 2);
    }

    proptest! {
        /// Leaves have at least seven examples, the tree errs no more than its root, and the order of the examples does not matter.
        #[test]
        fn laws(values in prop::collection::vec((0..9u8, 0..9u8, 0..3usize), 20..80)) {
            let examples: Vec<Example> = values.iter().map(|&(a, b, class)| example(&[f64::from(a), f64::from(b)], class)).collect();
            let tree = learn(&examples, 3);
            let errors = examples.iter().filter(|one| tree.class(&one.values) != one.class).count();
            let most = (0..3).map(|class| examples.iter().filter(|one| one.class == class).count()).max().unwrap_or(0);
            prop_assert!(errors <= examples.len() - most);
            fn smallest(tree: &Tree) -> usize {
                match tree {
                    Tree::Leaf { counts, .. } => counts.iter().sum(),
                    Tree::Split { left, right, .. } => smallest(left).min(smallest(right)),
                }
            }
            prop_assert!(smallest(&tree) >= MIN_BUCKET);
            let reversed: Vec<Example> = examples.iter().rev().cloned().collect();
            prop_assert_eq!(learn(&reversed, 3), tree);
        }
    }
}
