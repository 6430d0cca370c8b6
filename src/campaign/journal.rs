//! The journal of an experiment: `journal.jsonl`, JSON Lines that are only ever appended.
//!
//! | line | says |
//! |---|---|
//! | `{"header": ...}` | the first: which experiment it is ([`Identity`]), and where and when it was begun |
//! | `{"options": ...}` | the effective options of the runs that name its hash; it stands before the first of them |
//! | `{"run": ...}` | a [`Record`] |
//!
//! A line is written by one call and is on the disk (`fsync`) before the next run begins to count. So if the process or the machine dies, only the current run is lost. A last line without its end
//! is dropped, with a word, when the journal is opened again. A lock keeps a second process out; it ends with the process that holds it. Where the file system has no locks (some network file systems), there is none.
//!
//! A journal is read line by line and never held as a whole: what it costs to go on with 100,000 records is a set of their keys.

use super::error::Error;
use super::plan::Identity;
use super::record::Record;
use super::text::{Interner, Text};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file's name in the folder of an experiment.
pub const FILE: &str = "journal.jsonl";
/// The version of the format.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// Which experiment.
    pub identity: Identity,
    /// The folder that all tasks lie in.
    pub root: String,
    /// The machine on which it was begun.
    pub host: String,
    /// When it was begun (RFC 3339, UTC).
    pub started: String,
}

impl Header {
    /// The header of an experiment that begins here and now.
    pub fn now(identity: Identity, root: &Path) -> Header {
        Header {
            format: FORMAT,
            identity,
            root: root.display().to_string(),
            host: host(),
            started: now(),
        }
    }
}

/// Effective options by their hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsLine {
    /// The hash that records name.
    pub hash: String,
    /// The value of every option, also of those with their defaults.
    pub values: BTreeMap<String, String>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first.
    Header(Box<Header>),
    /// Options.
    Options(OptionsLine),
    /// A run.
    Run(Box<Record>),
}

/// The name of this machine.
pub fn host() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .unwrap_or_default()
        .trim()
        .to_string()
}

/// The time, to the second.
pub fn now() -> String {
    let second = jiff::Timestamp::now().as_second();
    jiff::Timestamp::from_second(second)
        .map(|time| time.to_string())
        .unwrap_or_default()
}

/// A set of runs by their keys. Of a key only a hash of 128 bits is held, as all that is asked is whether it is there: for 100,000 runs the texts would be tens of megabytes.
#[derive(Debug, Default)]
pub struct Keys(HashSet<u128>);

impl Keys {
    fn hash((task, property, configuration): (&str, &str, &str)) -> u128 {
        let hash = Sha256::digest(format!("{task}\0{property}\0{configuration}"));
        u128::from_be_bytes(hash[..16].try_into().expect("the hash is longer"))
    }

    /// Adds a run by its task, property and configuration.
    pub fn insert(&mut self, key: (&str, &str, &str)) {
        self.0.insert(Keys::hash(key));
    }

    /// Whether the run is there.
    pub fn contains(&self, key: (&str, &str, &str)) -> bool {
        self.0.contains(&Keys::hash(key))
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    options: BTreeSet<String>,
}

/// The contents of a journal when it was opened.
#[derive(Debug, Default)]
pub struct Known {
    /// The runs that have ended by themselves.
    pub keys: Keys,
    /// Whether a torn line was dropped.
    pub dropped: bool,
}

impl Journal {
    /// Opens the journal of a folder, which is made if it does not exist, for appending.
    ///
    /// # Errors
    /// Says what cannot be read or written, that another process works there, or that the folder holds another experiment.
    pub fn open(folder: &Path, header: Header) -> Result<(Journal, Known), Error> {
        fs::create_dir_all(folder).map_err(|error| Error::unwritable(folder, error))?;
        let path = folder.join(FILE);
        let unwritable = |error| Error::unwritable(&path, error);
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(unwritable)?;
        if !lock(&file) {
            return Err(Error::Busy(folder.to_path_buf()));
        }
        let mut journal = Journal {
            path: path.clone(),
            file,
            options: BTreeSet::new(),
        };
        let mut known = Known {
            dropped: journal.repair()?,
            ..Known::default()
        };
        let mut is_new = true;
        read(&path, |line| {
            match line {
                Line::Header(old) => {
                    is_new = false;
                    if let Some(difference) = header.identity.differs_from(&old.identity) {
                        return Err(Error::Mismatch(folder.to_path_buf(), difference));
                    }
                }
                Line::Options(options) => _ = journal.options.insert(options.hash),
                Line::Run(run) if run.interrupted => {}
                Line::Run(run) => known.keys.insert(run.key()),
            }
            Ok(())
        })?;
        if is_new {
            journal.append(&Line::Header(Box::new(header)))?;
            // The name of the file has to be on the disk as well.
            let synced = File::open(folder).and_then(|folder| folder.sync_all());
            synced.map_err(|error| Error::unwritable(folder, error))?;
        }
        Ok((journal, known))
    }

    /// Drops a last line without end. Returns whether there was one.
    fn repair(&mut self) -> Result<bool, Error> {
        let unwritable = |error| Error::unwritable(&self.path, error);
        let length = self.file.seek(SeekFrom::End(0)).map_err(unwritable)?;
        let whole = complete_length(&mut self.file, length).map_err(unwritable)?;
        if whole < length {
            self.file.set_len(whole).map_err(unwritable)?;
        }
        Ok(whole < length)
    }

    /// Appends a run, after its options if no run before had them.
    ///
    /// # Errors
    /// Says that the file cannot be written.
    pub fn book(&mut self, record: Record, options: &BTreeMap<String, String>) -> Result<(), Error> {
        if self.options.insert(record.options.clone()) {
            self.append(&Line::Options(OptionsLine {
                hash: record.options.clone(),
                values: options.clone(),
            }))?;
        }
        self.append(&Line::Run(Box::new(record)))
    }

    /// Appends a line and waits until it is on the disk.
    ///
    /// # Errors
    /// Says that the file cannot be written.
    pub fn append(&mut self, line: &Line) -> Result<(), Error> {
        let mut text = serde_json::to_string(line).expect("a line has only string keys and finite numbers");
        text.push('\n');
        let written = self
            .file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data());
        written.map_err(|error| Error::unwritable(&self.path, error))
    }
}

/// Locks the file for this process; false if another one has it. A process that has just died may have it for a moment more: a child that it was starting shares the lock until the child is another program. Where there
/// are no locks, nobody is kept out.
fn lock(file: &File) -> bool {
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(25)),
            Err(TryLockError::Error(_)) | Ok(()) => return true,
        }
    }
    false
}

/// How many bytes there are up to the end of the last line that has one.
fn complete_length(file: &mut File, length: u64) -> std::io::Result<u64> {
    use std::io::Read;
    const STEP: u64 = 1 << 16;
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(STEP);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(end - start).read_to_end(&mut bytes)?;
        if let Some(at) = bytes.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + u64::try_from(at).expect("a step is small") + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Reads the lines of a journal in order. A last line without end is left out.
///
/// # Errors
/// The file cannot be read, a line is malformed, or what the caller says.
pub fn read(path: &Path, mut each: impl FnMut(Line) -> Result<(), Error>) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path, error);
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    let (mut text, mut number) = (Vec::new(), 0);
    loop {
        text.clear();
        reader.read_until(b'\n', &mut text).map_err(unreadable)?;
        if text.last() != Some(&b'\n') {
            return Ok(());
        }
        number += 1;
        let line: Line = serde_json::from_slice(&text).map_err(|error| {
            Error::malformed(
                path,
                number,
                format!("this is no line of a journal: {error}; remove it to go on"),
            )
        })?;
        match &line {
            Line::Header(header) if header.format != FORMAT => {
                let what = format!("the format is {}, and this version reads {FORMAT}", header.format);
                return Err(Error::malformed(path, number, what));
            }
            Line::Header(_) if number == 1 => {}
            Line::Header(_) => return Err(Error::malformed(path, number, "a second header")),
            _ if number == 1 => return Err(Error::malformed(path, 1, "a journal begins with its header")),
            _ => {}
        }
        each(line)?;
    }
}

/// Reads the runs of a journal that were not interrupted, sorted by task, property and configuration, where `order` gives the place of a configuration. Of several records of one run the last counts. Only the
/// places of the records are held, not the records.
///
/// # Errors
/// As [`read`].
pub fn read_sorted(
    path: &Path,
    order: impl Fn(&str) -> usize,
    mut each: impl FnMut(Record) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path, error);
    let mut interner = Interner::default();
    let mut places: BTreeMap<(Text, Text, usize), u64> = BTreeMap::new();
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    let (mut text, mut place) = (Vec::new(), 0);
    loop {
        text.clear();
        let length = reader.read_until(b'\n', &mut text).map_err(unreadable)?;
        if text.last() != Some(&b'\n') {
            break;
        }
        // Other lines have no such part, and malformed ones are found by the reader of all lines.
        if let Ok(Keyed { run: Some(run) }) = serde_json::from_slice::<Keyed>(&text)
            && !run.interrupted
        {
            let key = (
                interner.text(&run.task),
                interner.text(&run.property),
                order(&run.configuration),
            );
            places.insert(key, place);
        }
        place += u64::try_from(length).expect("a line is no longer than a file");
    }
    drop(interner);
    for place in places.into_values() {
        reader.seek(SeekFrom::Start(place)).map_err(unreadable)?;
        text.clear();
        reader.read_until(b'\n', &mut text).map_err(unreadable)?;
        match serde_json::from_slice(&text) {
            Ok(Line::Run(record)) => each(*record)?,
            Ok(_) => {}
            Err(error) => {
                return Err(Error::malformed(
                    path,
                    0,
                    format!("this is no line of a journal: {error}"),
                ));
            }
        }
    }
    Ok(())
}

/// As much of a line as its place in an order needs.
#[derive(Deserialize)]
struct Keyed {
    #[serde(default)]
    run: Option<KeyedRun>,
}

#[derive(Deserialize)]
struct KeyedRun {
    task: String,
    #[serde(default)]
    property: String,
    configuration: String,
    #[serde(default)]
    interrupted: bool,
}

/// The header of a journal.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn header(path: &Path) -> Result<Header, Error> {
    let file = File::open(path).map_err(|error| Error::unreadable(path, error))?;
    let mut text = String::new();
    BufReader::new(file)
        .read_line(&mut text)
        .map_err(|error| Error::unreadable(path, error))?;
    match serde_json::from_str(&text) {
        Ok(Line::Header(header)) => Ok(*header),
        Ok(_) => Err(Error::malformed(path, 1, "a journal begins with its header")),
        Err(error) => Err(Error::malformed(
            path,
            1,
            format!("this is no header of a journal: {error}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::definition::Definition;

    fn identity() -> Identity {
        Identity {
            version: "provident 1".to_string(),
            definition: Definition::single("test", Vec::new()),
            tasks: 2,
            names: "n".to_string(),
            shard: (1, 1),
            contents: "c".to_string(),
            runs: 2,
        }
    }

    fn header() -> Header {
        Header::now(identity(), Path::new("root"))
    }

    fn record(task: &str) -> Record {
        Record {
            task: task.to_string(),
            configuration: "default".to_string(),
            verdict: "true".to_string(),
            options: "0".to_string(),
            cpu_s: 0.25,
            ..Record::default()
        }
    }

    fn keys(known: &Known) -> Vec<&'static str> {
        let is_there = |task: &&str| known.keys.contains((task, "", "default"));
        let there: Vec<_> = ["a", "b"].into_iter().filter(is_there).collect();
        assert_eq!(there.len(), known.keys.len());
        there
    }

    /// Cut off anywhere, a journal gives the records before the cut, and goes on from there to the same text.
    #[test]
    fn a_journal_that_is_cut_anywhere_goes_on() {
        let folder = std::env::temp_dir().join(format!("provident-journal-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let options = BTreeMap::from([("threads".to_string(), "1".to_string())]);
        let (mut journal, known) = Journal::open(&folder, header()).unwrap();
        assert!(known.keys.is_empty() && !known.dropped);
        journal.book(record("a"), &options).unwrap();
        journal.book(record("b"), &options).unwrap();
        assert!(matches!(Journal::open(&folder, header()), Err(Error::Busy(_))));
        drop(journal);
        let path = folder.join(FILE);
        let whole = fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len())
            .filter(|at| whole[*at] == b'\n')
            .map(|at| at + 1)
            .collect();
        assert_eq!(ends.len(), 4);
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, known) = Journal::open(&folder, header()).unwrap();
            assert_eq!(known.dropped, cut > 0 && !ends.contains(&cut), "{cut}");
            let there = ["a", "b"]
                .iter()
                .zip([ends[2], ends[3]])
                .filter(|(_, end)| cut >= *end)
                .count();
            assert_eq!(keys(&known), ["a", "b"][..there]);
            for task in &["a", "b"][there..] {
                journal.book(record(task), &options).unwrap();
            }
            drop(journal);
            if cut >= ends[0] {
                assert_eq!(fs::read(&path).unwrap(), whole, "{cut}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_differs_is_said() {
        let folder = std::env::temp_dir().join(format!("provident-journal-differs-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        drop(Journal::open(&folder, header()).unwrap());
        let message = |change: &dyn Fn(&mut Identity)| {
            let mut other = header();
            change(&mut other.identity);
            Journal::open(&folder, other).unwrap_err().to_string()
        };
        assert!(
            message(&|i| i.version = "provident 2".to_string())
                .contains("made by `provident 1`, this is `provident 2`")
        );
        assert!(message(&|i| i.tasks = 3).contains("run set has 2 tasks that are not these 3"));
        assert!(message(&|i| i.shard = (2, 3)).contains("it is shard 1/1, and shard 2/3 was asked for"));
        assert!(message(&|i| i.contents = "d".to_string()).contains("files of its tasks have changed"));
        let threads = ["--threads", "2"].map(str::to_string);
        let changed = message(&|i| i.definition.arguments = threads.to_vec());
        assert!(
            changed.contains("its definition says `arguments = []` where this one says `arguments = ["),
            "{changed}"
        );
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}nonsense\n")).unwrap();
        assert!(
            Journal::open(&folder, header())
                .unwrap_err()
                .to_string()
                .contains("journal.jsonl:2:1: error")
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn interrupted_runs_run_again() {
        let folder = std::env::temp_dir().join(format!("provident-journal-again-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let (mut journal, _) = Journal::open(&folder, header()).unwrap();
        let interrupted = Record {
            interrupted: true,
            ..record("a")
        };
        journal.book(interrupted, &BTreeMap::new()).unwrap();
        drop(journal);
        assert!(Journal::open(&folder, header()).unwrap().1.keys.is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
