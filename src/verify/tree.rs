//! Decision trees as they are used: a question about a feature at each inner node, a class at each leaf. `campaign::study::tree` learns them.
//!
//! The tree stands here and not beside its learning, because a verification can ask a tree and must know nothing of studies.

use std::fmt;

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
        match self {
            Tree::Leaf { class, .. } => *class,
            Tree::Split {
                feature,
                below,
                left,
                right,
            } => match values[*feature] < *below {
                true => left.class(values),
                false => right.class(values),
            },
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
