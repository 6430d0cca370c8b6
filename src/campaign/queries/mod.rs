//! A data set of interpolation queries: those that the runs of an experiment have dumped, without duplicates, with an index and the measures of all variants of interpolation.
//!
//! Scripts of other people's solvers are compared on such sets. So each query stands for itself as SMT-LIB, is asked again here before it is taken (it must be unsatisfiable and have interpolants), and the index says where it comes
//! from. Two queries are the same if their [normal forms](normal) are; the first of them in the order of folders and names is kept, and the others are counted.
//!
//! | file | is |
//! |---|---|
//! | `index.csv` | a row for each query: origin, path, logic, size, and on how many cuts the variants differ |
//! | `variants.csv` | a row for each query, variant and cut: the measures of the interpolant, as `provident smt --itp-report` has them |
//! | `HASH.smt2` | the query; `HASH` is that of its normal form |
//!
//! | module | does |
//! |---|---|
//! | [`normal`] | the normal form of a query |

pub mod normal;

use super::error::Error;
use super::journal::{self, Line};
use super::plan::hexadecimal;
use crate::report::files;
use provident_smt::smtlib::{InterpolantRow, InterpolationTable, Options, interpolation_table};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The folder of a run in which its queries lie.
const QUERIES: &str = "queries";

/// The request for a data set.
#[derive(Clone, Debug)]
pub struct Request {
    /// Folders in which runs have left their reports, at any depth.
    pub folders: Vec<PathBuf>,
    /// The folder of the data set.
    pub out: PathBuf,
    /// Whether only queries are kept on which variants differ.
    pub differing: bool,
    /// How the queries are asked again.
    pub options: Options,
}

/// The counts of a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Scripts that were looked at.
    pub scripts: usize,
    /// Those that ask for no interpolants: their paths are feasible, of one block, or not decided.
    pub without: usize,
    /// Different queries.
    pub distinct: usize,
    /// Queries that were kept.
    pub kept: usize,
    /// Those of them on which variants differ.
    pub differing: usize,
    /// Interpolants in them that are different at their cut, and those of these with a certificate.
    pub interpolants: (usize, usize),
    /// Queries that were refused, each with the reason.
    pub refused: Vec<(PathBuf, String)>,
    /// Whether a limit ended the work; what was there by then is written.
    pub is_cut_short: bool,
}

/// Where a query comes from.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// The folder of the run, below the folder that was named.
    run: String,
    /// The task, property and configuration, if an experiment's journal says so.
    subject: [String; 3],
    /// The iteration of the refinement loop and the abstract state of the target: the name of the script.
    path: String,
}

/// A query before it is asked.
struct Query {
    origin: Origin,
    file: PathBuf,
    text: String,
    occurrences: usize,
}

/// Makes the data set. `is_over` says that a limit was reached; `row` are the columns of an interpolant of one variant under `header`.
///
/// # Errors
/// A folder or script cannot be read, or the data set cannot be written.
pub fn collect(
    request: &Request,
    header: &[&str],
    row: &dyn Fn(&InterpolantRow) -> Vec<String>,
    is_over: &dyn Fn() -> bool,
) -> Result<Found, Error> {
    let mut found = Found::default();
    let queries = distinct(request, &mut found)?;
    found.distinct = queries.len();
    std::fs::create_dir_all(&request.out).map_err(|error| Error::unwritable(&request.out, error))?;
    let mut index = Table::create(&request.out, "index.csv", INDEX)?;
    let mut variants = Table::create(
        &request.out,
        "variants.csv",
        std::iter::once("query").chain(header.iter().copied()),
    )?;
    for (hash, query) in queries {
        if is_over() {
            found.is_cut_short = true;
            break;
        }
        let table = interpolation_table(&query.text, &request.options);
        if is_over() {
            // An answer that a limit has cut short says nothing of the query.
            found.is_cut_short = true;
            break;
        }
        let cuts = match Cuts::of(&table) {
            Ok(cuts) => cuts,
            Err(reason) => {
                found.refused.push((query.file, reason));
                continue;
            }
        };
        if request.differing && cuts.differing == 0 {
            continue;
        }
        found.kept += 1;
        found.differing += usize::from(cuts.differing > 0);
        found.interpolants.0 += cuts.different;
        found.interpolants.1 += cuts.certified;
        files::write(&request.out, &format!("{hash}.smt2"), &query.text)
            .map_err(|error| Error::unwritable(&request.out, error))?;
        for line in &table.rows {
            variants.row(std::iter::once(hash.clone()).chain(row(line)))?;
        }
        variants.flush()?;
        index.row(entry(&hash, &query, &table, &cuts))?;
        index.flush()?;
    }
    Ok(found)
}

/// The columns of the index.
const INDEX: [&str; 16] = [
    "query",
    "run",
    "task",
    "property",
    "configuration",
    "path",
    "occurrences",
    "logic",
    "partitions",
    "bytes",
    "terms",
    "symbols",
    "variants",
    "different",
    "differing_cuts",
    "certified",
];

fn entry(hash: &str, query: &Query, table: &InterpolationTable, cuts: &Cuts) -> Vec<String> {
    let Origin { run, subject, path } = &query.origin;
    let [task, property, configuration] = subject.clone();
    let texts = [
        hash.to_string(),
        run.clone(),
        task,
        property,
        configuration,
        path.clone(),
    ];
    let numbers = [
        cuts.partitions,
        query.text.len(),
        table.terms,
        table.symbols,
        cuts.variants,
        cuts.different,
        cuts.differing,
        cuts.certified,
    ];
    let mut entry = texts.to_vec();
    entry.push(query.occurrences.to_string());
    entry.push(table.logic.clone().unwrap_or_default());
    entry.extend(numbers.map(|number| number.to_string()));
    entry
}

/// The interpolants of a query by each variant.
#[derive(Debug, PartialEq, Eq)]
struct Cuts {
    partitions: usize,
    /// Variants that have interpolants.
    variants: usize,
    /// Different interpolants, over all cuts.
    different: usize,
    /// Cuts with more than one.
    differing: usize,
    /// Different interpolants with a certificate.
    certified: usize,
}

impl Cuts {
    /// The numbers of a table; the error says why its query is no query for interpolants.
    fn of(table: &InterpolationTable) -> Result<Cuts, String> {
        if let Some(error) = table.errors.first() {
            return Err(error.clone());
        }
        let mut formulas: BTreeMap<usize, BTreeSet<(usize, bool)>> = BTreeMap::new();
        let mut variants = BTreeSet::new();
        for row in &table.rows {
            let Ok(rated) = &row.result else { continue };
            let here = formulas.entry(row.partition).or_default();
            here.insert((rated.formula, rated.certified == Some(true)));
            variants.insert((
                row.variant.labelling.name(),
                row.variant.arithmetic.name(),
                row.variant.congruence.name(),
            ));
        }
        if formulas.is_empty() {
            let reason = table.rows.iter().find_map(|row| row.result.as_ref().err());
            return Err(reason.map_or("it asks for no interpolants".to_string(), ToString::to_string));
        }
        let all = || formulas.values().flatten();
        Ok(Cuts {
            partitions: 1 + formulas.len(),
            variants: variants.len(),
            different: all().count(),
            differing: formulas.values().filter(|here| here.len() > 1).count(),
            certified: all().filter(|(_, is_certified)| *is_certified).count(),
        })
    }
}

/// The different queries of all folders by the hashes of their normal forms.
fn distinct(request: &Request, found: &mut Found) -> Result<BTreeMap<String, Query>, Error> {
    let mut queries: BTreeMap<String, Query> = BTreeMap::new();
    for folder in &request.folders {
        let subjects = subjects(folder)?;
        for file in scripts(folder)? {
            found.scripts += 1;
            let text = std::fs::read_to_string(&file).map_err(|error| Error::unreadable(&file, error))?;
            if !text.contains("(get-interpolants") {
                found.without += 1;
                continue;
            }
            let hash = hexadecimal(&Sha256::digest(normal::normal(&text))[..8]);
            let query = queries.entry(hash).or_insert_with(|| Query {
                origin: origin(folder, &file, &subjects),
                file,
                text,
                occurrences: 0,
            });
            query.occurrences += 1;
        }
    }
    Ok(queries)
}

/// The scripts below a folder, in the order of their paths.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Error::unreadable(&folder, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::unreadable(&folder, error))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| Error::unreadable(&path, error))?;
            if kind.is_dir() {
                open.push(path);
            } else if folder.ends_with(QUERIES) && path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Task, property and configuration of each run, by its folder, if the folder is that of an experiment.
fn subjects(folder: &Path) -> Result<BTreeMap<PathBuf, [String; 3]>, Error> {
    let path = folder.join(journal::FILE);
    let mut subjects = BTreeMap::new();
    if path.exists() {
        journal::read(&path, |line| {
            if let Line::Run(record) = line
                && let Some(run) = Path::new(&record.report).parent()
            {
                subjects.insert(run.to_path_buf(), [record.task, record.property, record.configuration]);
            }
            Ok(())
        })?;
    }
    Ok(subjects)
}

fn origin(folder: &Path, file: &Path, subjects: &BTreeMap<PathBuf, [String; 3]>) -> Origin {
    let run = file.parent().and_then(Path::parent).unwrap_or(folder);
    let run = run.strip_prefix(folder).unwrap_or(run);
    Origin {
        run: run.display().to_string(),
        subject: subjects.get(run).cloned().unwrap_or_default(),
        path: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// A table that is written row by row: it may be larger than memory, and a run that is stopped leaves what it has.
struct Table {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl Table {
    fn create<'c>(folder: &Path, name: &str, header: impl IntoIterator<Item = &'c str>) -> Result<Table, Error> {
        let path = folder.join(name);
        let file = File::create(&path).map_err(|error| Error::unwritable(&path, error))?;
        let writer = csv::Writer::from_writer(file);
        let mut table = Table { path, writer };
        table.row(header)?;
        Ok(table)
    }

    fn row<C: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<(), Error> {
        let written = self.writer.write_record(cells);
        written.map_err(|error| Error::Program(format!("writing {}", self.path.display()), error.to_string()))
    }

    fn flush(&mut self) -> Result<(), Error> {
        let written = self.writer.flush();
        written.map_err(|error| Error::unwritable(&self.path, error))
    }
}
