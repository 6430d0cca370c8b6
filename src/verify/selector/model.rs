//! Models that select a metric: TOML files with a format version and a hash.
//!
//! ```toml
//! format = 1
//! hash = "9c1e…"                # SHA-256 of all other values, as JSON
//! features = ["EDGES"]           # those that the tree asks for
//! metrics = ["st", "bb"]         # those that it chooses from
//!
//! [training]                     # where it comes from: see [`Training`]
//! …
//! [[training.result]]            # how good it was, and what else there is
//! choice = "learned"
//! solved = 59
//! ticks = 6000
//!
//! [[node]]                       # the tree: a question, then all of its left side, then all of its right side
//! feature = "EDGES"
//! below = 29.5
//! [[node]]
//! metric = "bb"
//! examples = [0, 30]             # examples that came here, for each of the metrics
//! [[node]]
//! metric = "st"
//! examples = [30, 0]
//! ```
//!
//! The hash shows that a file is what `provident study train` wrote: its results would be those of another tree if somebody changed it by hand. It is no signature. Comments and blanks do not count.

use super::Choice;
use super::format::{FORMAT, File, Mistake, Training, Version, nodes};
use super::tree::Tree;
use crate::cfa::analysis::distances::Metric;
use crate::cfa::analysis::features::Features;
use crate::report::SelectionReport;
use crate::verify::Error;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// The model that Provident brings along.
const SHIPPED: &str = include_str!("shipped.toml");
/// Its name in errors.
const SHIPPED_NAME: &str = "shipped.toml";
/// The first lines of a file.
const HEAD: &str = "# A model for `explore.metric=learned`, made by `provident study train`. It selects a metric of distances by the features of a program.\n\n";

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    file: File,
    metrics: Vec<Metric>,
    tree: Tree,
}

/// Why a file is no model, with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The mistake.
    pub mistake: Mistake,
}

impl ModelError {
    fn new(file: &str, text: &str, place: Range<usize>, mistake: Mistake) -> ModelError {
        let before = text.get(..place.start).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        ModelError {
            file: file.to_string(),
            line: 1 + before.matches('\n').count(),
            column: 1 + before[start..].chars().count(),
            mistake,
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ModelError {
            file,
            line,
            column,
            mistake,
        } = self;
        write!(f, "{file}:{line}:{column}: error: {mistake}")
    }
}

impl std::error::Error for ModelError {}

impl Model {
    /// The model of a tree over these features, whose classes are these metrics.
    ///
    /// # Errors
    /// A feature or a metric does not exist.
    pub fn new(training: Training, tree: &Tree, features: &[String], metrics: &[&str]) -> Result<Model, Mistake> {
        let mut node = Vec::new();
        nodes(tree, features, metrics, &mut node);
        let asked = |name: &&String| node.iter().any(|node| node.get_ref().feature.as_ref() == Some(*name));
        let mut file = File {
            format: FORMAT,
            hash: Spanned::new(0..0, String::new()),
            features: Spanned::new(0..0, features.iter().filter(asked).cloned().collect()),
            metrics: Spanned::new(0..0, metrics.iter().map(|name| (*name).to_string()).collect()),
            training,
            node,
        };
        *file.hash.get_mut() = file.contents();
        Model::of(file).map_err(|(_, mistake)| mistake)
    }

    /// The model of a file, whatever its hash is.
    fn of(file: File) -> Result<Model, (Range<usize>, Mistake)> {
        let (metrics, tree) = file.check()?;
        Ok(Model { file, metrics, tree })
    }

    /// Reads a model; `file` is its name in messages.
    ///
    /// # Errors
    /// The place of what is wrong.
    pub fn parse(file: &str, text: &str) -> Result<Model, ModelError> {
        let wrong = |place, mistake| ModelError::new(file, text, place, mistake);
        let syntax = |error: toml::de::Error| {
            let place = error.span().unwrap_or(0..0);
            wrong(place, Mistake::Syntax(error.message().to_string()))
        };
        let version: Version = toml::from_str(text).map_err(syntax)?;
        if version.format != FORMAT {
            return Err(wrong(0..0, Mistake::Format(version.format)));
        }
        let read: File = toml::from_str(text).map_err(syntax)?;
        let model = Model::of(read).map_err(|(place, mistake)| wrong(place, mistake))?;
        let (said, is) = (model.file.hash.get_ref(), model.file.contents());
        match *said == is {
            true => Ok(model),
            false => Err(wrong(model.file.hash.span(), Mistake::Hash(said.clone(), is))),
        }
    }

    /// Reads the model of a file.
    ///
    /// # Errors
    /// The file cannot be read, or is no model: the place of what is wrong.
    pub fn read(path: &Path) -> Result<Model, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, &error))?;
        Model::parse(&path.display().to_string(), &text).map_err(|error| Error::Input(error.to_string()))
    }

    /// The model that Provident brings along.
    ///
    /// # Errors
    /// None, as a test holds; a defect of it would be a bad file like any other.
    pub fn shipped() -> Result<Model, Error> {
        Model::parse(SHIPPED_NAME, SHIPPED).map_err(|error| Error::Input(error.to_string()))
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let text = toml::to_string_pretty(&self.file).expect("a model has only texts, numbers and lists");
        format!("{HEAD}{text}")
    }

    /// Its hash.
    pub fn hash(&self) -> &str {
        self.file.hash.get_ref()
    }

    /// Its origin.
    pub fn training(&self) -> &Training {
        &self.file.training
    }

    /// The tree in words, a line for each node.
    pub fn show(&self) -> String {
        let features: Vec<&str> = self.file.features.get_ref().iter().map(String::as_str).collect();
        let metrics: Vec<&str> = self.metrics.iter().map(|metric| metric.name()).collect();
        self.tree.show(&features, &metrics)
    }

    /// The metric for a program with these features.
    pub fn choose(&self, features: &Features) -> Choice {
        let names = self.file.features.get_ref();
        let values: Vec<f64> = names.iter().map(|name| features.get(name).unwrap_or(0.0)).collect();
        let way = self.tree.way(&values);
        let metric = self.metrics[way.class];
        let sign = |is_below| if is_below { "<" } else { ">=" };
        let condition =
            |&(at, is_below, bound): &(usize, bool, f64)| format!("{} {} {bound}", names[at], sign(is_below));
        let examples = self.metrics.iter().zip(way.counts);
        Choice {
            metric,
            report: SelectionReport {
                metric: metric.name(),
                leaf: way.leaf,
                leaves: self.tree.leaves(),
                conditions: way.steps.iter().map(condition).collect(),
                examples: examples.map(|(metric, count)| (metric.name(), *count)).collect(),
                model: self.hash().to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::TrainingResult;
    use super::*;
    use crate::cfa::analysis::features::NAMES;

    fn leaf(class: usize, counts: [usize; 2]) -> Tree {
        Tree::Leaf {
            class,
            counts: counts.to_vec(),
        }
    }

    fn split(feature: usize, below: f64, left: Tree, right: Tree) -> Tree {
        Tree::Split {
            feature,
            below,
            left: Box::new(left),
            right: Box::new(right),
        }
    }

    /// Few edges: `bb`; else many functions: `st`, and few: `bb`.
    fn model() -> Model {
        let training = Training {
            date: "2026-01-02T03:04:05Z".to_string(),
            provident: vec!["provident 1".to_string()],
            studies: vec!["a \"study\"".to_string()],
            configurations: vec!["one: --threads 1".to_string()],
            tasks: 5,
            contents: "00".to_string(),
            filter: 7,
            examples: vec!["a.yml".to_string(), "b.yml".to_string(), "c.yml".to_string()],
            result: vec![TrainingResult {
                choice: "learned".to_string(),
                solved: 3,
                ticks: 99,
            }],
        };
        let tree = split(
            1,
            29.5,
            leaf(1, [0, 1]),
            split(0, 0.1, leaf(1, [0, 1]), leaf(0, [1, 0])),
        );
        let features = ["FUNCS", "EDGES", "LOOPS"].map(str::to_string);
        Model::new(training, &tree, &features, &["st", "bb"]).unwrap()
    }

    fn message(text: &str) -> String {
        Model::parse("m.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn a_file_says_what_the_model_says() {
        let model = model();
        let again = Model::parse("m.toml", &model.text()).unwrap();
        assert_eq!((again.hash(), &again.tree), (model.hash(), &model.tree));
        assert_eq!((again.text(), again.training()), (model.text(), model.training()));
        // Comments and blanks do not count.
        let commented = model.text().replace("[[node]]", "# a node\n\n[[node]]");
        assert_eq!(Model::parse("m.toml", &commented).unwrap().text(), model.text());
        assert_eq!(
            model.file.features.get_ref().as_slice(),
            ["FUNCS", "EDGES"],
            "what no node asks for is no feature of the model"
        );
    }

    #[test]
    fn the_features_lead_to_a_leaf() {
        let choose = |edges: f64, functions: f64| {
            let mut values = [0.0; 25];
            let place = |name| NAMES.iter().position(|known| *known == name).unwrap();
            (values[place("EDGES")], values[place("FUNCS")]) = (edges, functions);
            model().choose(&Features::from_values(values))
        };
        let few = choose(29.0, 5.0);
        assert_eq!(
            (few.metric, few.report.leaf, few.report.leaves),
            (Metric::BasicBlocks, 1, 3)
        );
        assert_eq!(few.report.conditions, ["EDGES < 29.5"]);
        assert_eq!(few.report.examples, [("st", 0), ("bb", 1)]);
        let many = choose(29.5, 0.5);
        assert_eq!((many.metric, many.report.leaf), (Metric::Statements, 3));
        assert_eq!(many.report.conditions, ["EDGES >= 29.5", "FUNCS >= 0.1"]);
        assert_eq!(many.report.model, model().hash());
    }

    #[test]
    fn the_shipped_model_is_one() {
        let model = Model::shipped().unwrap();
        assert_eq!(model.text(), SHIPPED, "it is what `provident study train` writes");
        let chosen = model.choose(&Features::from_values([0.0; 25]));
        assert!(Metric::ALL.contains(&chosen.metric) && chosen.report.leaf >= 1);
    }

    /// Whatever is changed by hand is found, with its place.
    #[test]
    fn tampered_files_are_refused() {
        let text = model().text();
        let place = |what: &str| 1 + text[..text.find(what).unwrap()].matches('\n').count();
        let with = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}: {text}");
            message(&text.replacen(from, to, 1))
        };
        let changed = with("below = 29.5", "below = 30.5");
        let hash = place("hash =");
        assert!(
            changed.starts_with(&format!("m.toml:{hash}:8: error: the hash is `")),
            "{changed}"
        );
        assert!(
            changed.ends_with("the file was changed after the training"),
            "{changed}"
        );
        assert!(with("solved = 3", "solved = 4").contains("the hash is"));
        assert!(with(model().hash(), "0000").contains("the hash is `0000`"));
        let node = |what: &str| {
            format!(
                "m.toml:{}:",
                1 + text[..text.find(what).unwrap()]
                    .rfind("[[node]]")
                    .map(|at| text[..at].matches('\n').count())
                    .unwrap()
            )
        };
        let unknown = with("feature = \"EDGES\"", "feature = \"LOOPS\"");
        assert!(unknown.starts_with(&node("below = 29.5")), "{unknown}");
        assert!(
            unknown.contains("`features` lists what the tree asks for, but `LOOPS`"),
            "{unknown}"
        );
        let unknown = with("\"FUNCS\",", "\"COLOUR\",");
        assert!(
            unknown.starts_with(&format!("m.toml:{}:", place("features =")))
                && unknown.contains("there is no feature `COLOUR`"),
            "{unknown}"
        );
        assert!(with("\"FUNCS\",", "\"EDGES\",").contains("`EDGES` stands twice"));
        assert!(with("\"FUNCS\",", "\"FUNCS\", \"LOOPS\",").contains("but `LOOPS` is in one only"));
        assert!(with("metric = \"bb\"", "metric = \"xy\"").contains("there is no metric `xy` to choose"));
        assert!(with("    \"st\",\n", "    \"xy\",\n").contains("there is no metric `xy` to choose"));
        assert!(with("below = 29.5", "below = inf").contains("a bound is a finite number"));
        assert!(with("below = 29.5", "below = \"29.5\"").contains("invalid type"));
        assert!(with("below = 29.5\n", "").contains("a node has either `feature` and `below`"));
        assert!(with("    1,\n    0,\n]", "    1,\n]").contains("one number of examples for each metric"));
        assert!(with("    \"c.yml\",\n", "").contains("the leaves have 3 examples, and the training lists 2"));
        assert!(with("tasks = 5", "tasks = 5\ncolour = 1").contains("unknown field `colour`"));
        assert_eq!(
            with("format = 1", "format = 2"),
            "m.toml:1:1: error: the format of this model is 2, and this version reads 1; make it anew with `provident study train`"
        );
    }

    #[test]
    fn trees_that_are_none_are_refused() {
        let text = model().text();
        let last = text.rfind("[[node]]").unwrap();
        let cut = message(&text[..last]);
        assert!(cut.contains("a side of this question is missing"), "{cut}");
        let more = message(&format!("{text}\n{}", &text[last..]));
        assert!(more.contains("the tree has come to its end before this node"), "{more}");
        let question = "[[node]]\nfeature = \"EDGES\"\nbelow = 1.0\n";
        let first = text.find("[[node]]").unwrap();
        let deep = message(&format!("{}{}", &text[..first], question.repeat(100_000)));
        assert!(deep.contains("the tree is deeper than 30"), "{deep}");
        assert!(message("").contains("missing field `format`"));
        assert!(message("format = 1\n").contains("missing field"));
        assert!(message("format = 1\n[[[").starts_with("m.toml:2:"));
        assert!(
            Model::read(Path::new("no/such.toml"))
                .unwrap_err()
                .to_string()
                .contains("cannot read `no/such.toml`")
        );
    }

    #[test]
    fn models_of_what_does_not_exist_cannot_be_made() {
        let training = model().training().clone();
        let of = |features: [&str; 1], metrics: &[&str]| {
            let tree = split(0, 1.0, leaf(0, [2, 0]), leaf(1, [0, 1]));
            Model::new(training.clone(), &tree, &features.map(str::to_string), metrics).unwrap_err()
        };
        assert_eq!(of(["COLOUR"], &["st", "bb"]), Mistake::Feature("COLOUR".to_string()));
        assert_eq!(of(["EDGES"], &["st", "xy"]), Mistake::Metric("xy".to_string()));
    }
}
