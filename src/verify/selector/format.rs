//! The contents of a file with a model, and the checks that no parser makes.
//!
//! Each check gives the place of what is wrong. The hash is no part of them: `File::contents` computes it.

use super::tree::{MAX_DEPTH, Tree};
use crate::cfa::analysis::distances::Metric;
use crate::cfa::analysis::features::NAMES;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

/// The origin of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// When the latest of the runs began (RFC 3339, UTC).
    pub date: String,
    /// The versions that ran.
    pub provident: Vec<String>,
    /// The names of the studies.
    pub studies: Vec<String>,
    /// The configurations with their arguments, in the order of the metrics.
    pub configurations: Vec<String>,
    /// How many tasks were run with every metric.
    pub tasks: usize,
    /// A hash (SHA-256) of the names of these tasks and of the contents of their files.
    pub contents: String,
    /// The least difference in ticks between the best and the worst metric of an example.
    pub filter: u64,
    /// The names of the tasks that are examples: those that some metric solves, with at least this difference.
    pub examples: Vec<String>,
    /// How many tasks were solved, and with which effort.
    pub result: Vec<TrainingResult>,
}

/// How good a way to choose the metric was, over all tasks of the training.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingResult {
    /// How the metric was chosen.
    pub choice: String,
    /// Solved tasks.
    pub solved: usize,
    /// Solver ticks of all tasks.
    pub ticks: u64,
}

/// A model as a file has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub format: u32,
    pub hash: Spanned<String>,
    pub features: Spanned<Vec<String>>,
    pub metrics: Spanned<Vec<String>>,
    pub training: Training,
    pub node: Vec<Spanned<Node>>,
}

/// The version alone: files of other versions may have other keys.
#[derive(Deserialize)]
pub(super) struct Version {
    pub format: u32,
}

/// A node: a question or a leaf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<usize>>,
}

/// A mistake in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It is no TOML, or has other keys: the message of the reader.
    Syntax(String),
    /// The format is another one.
    Format(u32),
    /// The hash and the one that the contents have.
    Hash(String, String),
    /// A feature that no program has.
    Feature(String),
    /// A feature that the tree asks for and the list does not have, or the other way round.
    Unlisted(String),
    /// A metric that does not exist.
    Metric(String),
    /// A name that a list has twice.
    Twice(String),
    /// No list of metrics to choose from.
    NoMetric,
    /// A node is neither a question nor a leaf.
    Node,
    /// A bound is not finite.
    Bound,
    /// A leaf has not one number of examples for each metric.
    Counts,
    /// The tree is deeper than trees get.
    Deep,
    /// A question has no answer on one of its sides.
    Ends,
    /// Nodes stand behind the end of the tree.
    Behind,
    /// The leaves have other examples than the training.
    Examples(usize, usize),
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Syntax(message) => f.write_str(message),
            Mistake::Format(format) => write!(
                f,
                "the format of this model is {format}, and this version reads {FORMAT}; make it anew with `provident study train`"
            ),
            Mistake::Hash(said, is) => write!(
                f,
                "the hash is `{said}`, but that of the contents is `{is}`: the file was changed after the training"
            ),
            Mistake::Feature(name) => write!(
                f,
                "there is no feature `{name}`; `provident features` shows those that there are"
            ),
            Mistake::Unlisted(name) => write!(
                f,
                "`features` lists what the tree asks for, but `{name}` is in one only"
            ),
            Mistake::Metric(name) => write!(f, "there is no metric `{name}` to choose"),
            Mistake::Twice(name) => write!(f, "`{name}` stands twice"),
            Mistake::NoMetric => f.write_str("there is no metric to choose from"),
            Mistake::Node => f.write_str("a node has either `feature` and `below`, or `metric` and `examples`"),
            Mistake::Bound => f.write_str("a bound is a finite number"),
            Mistake::Counts => f.write_str("a leaf has one number of examples for each metric"),
            Mistake::Deep => write!(f, "the tree is deeper than {MAX_DEPTH}"),
            Mistake::Ends => f.write_str("the tree ends where a side of this question is missing"),
            Mistake::Behind => f.write_str("the tree has come to its end before this node"),
            Mistake::Examples(leaves, listed) => {
                write!(f, "the leaves have {leaves} examples, and the training lists {listed}")
            }
        }
    }
}

/// A mistake with its place in the text.
pub(super) type Placed = (Range<usize>, Mistake);

impl File {
    /// The hash of all values but itself.
    pub(super) fn contents(&self) -> String {
        let mut other = self.clone();
        *other.hash.get_mut() = String::new();
        let text = serde_json::to_vec(&other).expect("a model has only string keys and finite numbers");
        Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The metrics and the tree that this file describes, whatever its hash is.
    pub(super) fn check(&self) -> Result<(Vec<Metric>, Tree), Placed> {
        distinct(&self.features)?;
        distinct(&self.metrics)?;
        let at_features = |mistake| (self.features.span(), mistake);
        let at_metrics = |mistake| (self.metrics.span(), mistake);
        if let Some(unknown) = self
            .features
            .get_ref()
            .iter()
            .find(|name| !NAMES.contains(&name.as_str()))
        {
            return Err(at_features(Mistake::Feature(unknown.clone())));
        }
        let metric = |name: &String| Metric::named(name).ok_or_else(|| at_metrics(Mistake::Metric(name.clone())));
        let metrics: Vec<Metric> = self.metrics.get_ref().iter().map(metric).collect::<Result<_, _>>()?;
        if metrics.is_empty() {
            return Err(at_metrics(Mistake::NoMetric));
        }
        let mut at = 0;
        let tree = self.subtree(&mut at, 0)?;
        if let Some(behind) = self.node.get(at) {
            return Err((behind.span(), Mistake::Behind));
        }
        let asked = |name: &&String| {
            self.node
                .iter()
                .any(|node| node.get_ref().feature.as_ref() == Some(*name))
        };
        if let Some(unasked) = self.features.get_ref().iter().find(|name| !asked(name)) {
            return Err(at_features(Mistake::Unlisted(unasked.clone())));
        }
        let counts = self.node.iter().filter_map(|node| node.get_ref().examples.as_ref());
        let (inside, listed) = (counts.flatten().sum(), self.training.examples.len());
        if inside != listed {
            return Err((self.hash.span(), Mistake::Examples(inside, listed)));
        }
        Ok((metrics, tree))
    }

    /// The tree that begins at a node, in this depth; `at` is then behind it.
    fn subtree(&self, at: &mut usize, depth: usize) -> Result<Tree, Placed> {
        let Some(node) = self.node.get(*at) else {
            let last = self.node.last().map_or(0..0, Spanned::span);
            return Err((last, Mistake::Ends));
        };
        let here = |mistake| Err((node.span(), mistake));
        *at += 1;
        if depth > MAX_DEPTH {
            return here(Mistake::Deep);
        }
        let position = |list: &[String], name: &String| list.iter().position(|known| known == name);
        match node.get_ref() {
            Node {
                feature: Some(name),
                below: Some(below),
                metric: None,
                examples: None,
            } => {
                let Some(feature) = position(self.features.get_ref(), name) else {
                    return here(Mistake::Unlisted(name.clone()));
                };
                if !below.is_finite() {
                    return here(Mistake::Bound);
                }
                Ok(Tree::Split {
                    feature,
                    below: *below,
                    left: Box::new(self.subtree(at, depth + 1)?),
                    right: Box::new(self.subtree(at, depth + 1)?),
                })
            }
            Node {
                feature: None,
                below: None,
                metric: Some(name),
                examples: Some(counts),
            } => {
                let Some(class) = position(self.metrics.get_ref(), name) else {
                    return here(Mistake::Metric(name.clone()));
                };
                if counts.len() != self.metrics.get_ref().len() {
                    return here(Mistake::Counts);
                }
                Ok(Tree::Leaf {
                    class,
                    counts: counts.clone(),
                })
            }
            _ => here(Mistake::Node),
        }
    }
}

/// Checks that no name stands twice in a list.
fn distinct(names: &Spanned<Vec<String>>) -> Result<(), Placed> {
    let list = names.get_ref();
    let twice = list.iter().enumerate().find(|(at, name)| list[..*at].contains(name));
    match twice {
        Some((_, name)) => Err((names.span(), Mistake::Twice(name.clone()))),
        None => Ok(()),
    }
}

/// The nodes of a tree, a question before its sides.
pub(super) fn nodes(tree: &Tree, features: &[String], metrics: &[&str], into: &mut Vec<Spanned<Node>>) {
    let mut push = |node| into.push(Spanned::new(0..0, node));
    match tree {
        Tree::Leaf { class, counts } => push(Node {
            metric: Some(metrics[*class].to_string()),
            examples: Some(counts.clone()),
            ..Node::default()
        }),
        Tree::Split {
            feature,
            below,
            left,
            right,
        } => {
            push(Node {
                feature: Some(features[*feature].clone()),
                below: Some(*below),
                ..Node::default()
            });
            nodes(left, features, metrics, into);
            nodes(right, features, metrics, into);
        }
    }
}
