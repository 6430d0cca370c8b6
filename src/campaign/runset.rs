//! Which tasks an experiment runs.
//!
//! A run set is made of inputs, each of which names tasks in one of the forms that are in use:
//!
//! | input | names |
//! |---|---|
//! | `.yml`, `.yaml` | one task: a task definition |
//! | `.c`, `.i` | one task: a program, whose properties the options of the experiment give |
//! | `.set` | one glob a line (BenchExec, the software verification competition) |
//! | `.tsv` | the cells of the column `task` |
//! | `.xml` | the `<tasks>` of a BenchExec benchmark definition, with `<include>`, `<includesfile>`, `<exclude>`, `<excludesfile>` and `<withoutfile>` |
//! | a pattern with `*`, `?` or `[` | the files that match |
//! | anything else | one path or glob a line; empty lines and lines that begin with `#` do not count |
//!
//! Paths in a file are relative to that file. Every task stands once, at its first place; globs give names in sorted order, so the order is the same on every machine.
//!
//! A task's *name* is its path from the deepest folder that holds all tasks of the set. So a name is the same wherever the folder lies and from wherever the experiment is started, which is what lets
//! journals of several machines be joined.

use super::error::Error;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// A task of a run set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its path from the root of the set, with `/` in between.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// A run set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSet {
    /// The deepest folder that holds all tasks.
    pub root: PathBuf,
    /// The tasks, each once.
    pub tasks: Vec<Task>,
}

impl RunSet {
    /// The run set of inputs, without what the patterns of `exclude` match.
    ///
    /// A pattern excludes a task if it matches its path, its name, or the end of its name from some `/` on.
    ///
    /// # Errors
    /// Says which input cannot be read, is malformed, or names a task that does not exist.
    pub fn new(inputs: &[PathBuf], exclude: &[String]) -> Result<RunSet, Error> {
        let mut paths = Vec::new();
        for input in inputs {
            paths.extend(named_by(input)?);
        }
        let mut seen = BTreeSet::new();
        let mut absolute = Vec::new();
        for path in paths {
            let path = resolve(&path)?;
            if seen.insert(path.clone()) {
                absolute.push(path);
            }
        }
        let root = common_folder(&absolute);
        let task = |path: PathBuf| {
            let name = path.strip_prefix(&root).unwrap_or(&path);
            let parts = name.components().map(|part| part.as_os_str().to_string_lossy());
            let name = parts.collect::<Vec<_>>().join("/");
            Task { name, path }
        };
        let mut tasks: Vec<Task> = absolute.into_iter().map(task).collect();
        let patterns = exclude
            .iter()
            .map(|text| pattern(text))
            .collect::<Result<Vec<_>, _>>()?;
        tasks.retain(|task| !patterns.iter().any(|pattern| excludes(pattern, task)));
        Ok(RunSet { root, tasks })
    }

    /// The tasks of one shard: every `count`-th, beginning with the `index`-th, counted from 1.
    ///
    /// Neighbours in a list tend to be alike, so that taking every n-th gives shards of similar effort.
    pub fn shard(&self, (index, count): (usize, usize)) -> Vec<Task> {
        assert!(1 <= index && index <= count, "shards are counted from 1");
        self.tasks.iter().skip(index - 1).step_by(count).cloned().collect()
    }
}

/// Whether a pattern of an exclusion means a task.
fn excludes(pattern: &glob::Pattern, task: &Task) -> bool {
    let ends = std::iter::once(0).chain(task.name.match_indices('/').map(|(at, _)| at + 1));
    pattern.matches_path(&task.path) || ends.into_iter().any(|from| pattern.matches(&task.name[from..]))
}

fn pattern(text: &str) -> Result<glob::Pattern, Error> {
    glob::Pattern::new(text).map_err(|error| Error::Request(format!("`{text}` is no pattern of file names: {error}")))
}

/// The absolute path of a task that exists. A link to a task is a task of its own; a link to a folder is not.
fn resolve(path: &Path) -> Result<PathBuf, Error> {
    let missing = |error| Error::unreadable(path, error);
    if !path.exists() {
        return Err(Error::Request(format!("there is no task `{}`", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().map_err(missing)?;
    let name = path
        .file_name()
        .ok_or_else(|| Error::Request(format!("`{}` is no file", path.display())))?;
    Ok(folder.join(name))
}

fn common_folder(paths: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| -> Vec<PathBuf> {
        let parts = path.parent().into_iter().flat_map(Path::components);
        parts
            .map(|part: Component<'_>| PathBuf::from(part.as_os_str()))
            .collect()
    };
    let mut common = paths.first().map(folder).unwrap_or_default();
    for path in paths {
        let other = folder(path);
        let same = common.iter().zip(&other).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    common.into_iter().collect()
}

/// The tasks that an input names.
fn named_by(input: &Path) -> Result<Vec<PathBuf>, Error> {
    let extension = input.extension().and_then(|e| e.to_str()).unwrap_or("");
    if matches!(extension, "yml" | "yaml" | "c" | "i") && input.exists() {
        return Ok(vec![input.to_path_buf()]);
    }
    if !input.exists() && is_pattern(&input.to_string_lossy()) {
        return matching(Path::new(""), &input.to_string_lossy());
    }
    let text = std::fs::read_to_string(input).map_err(|error| Error::unreadable(input, error))?;
    let folder = input.parent().unwrap_or(Path::new(""));
    match extension {
        "xml" => benchmark(input, folder, &text),
        "tsv" => Ok(column(input, &text)?
            .into_iter()
            .map(|name| folder.join(name))
            .collect()),
        _ => listed(folder, &text),
    }
}

/// The tasks of a list: one path or glob a line.
fn listed(folder: &Path, text: &str) -> Result<Vec<PathBuf>, Error> {
    let lines = text.lines().map(str::trim);
    let mut found = Vec::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        found.extend(matching(folder, line)?);
    }
    Ok(found)
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// The files that match a pattern in sorted order; a pattern without wildcards is a path.
fn matching(folder: &Path, text: &str) -> Result<Vec<PathBuf>, Error> {
    if !is_pattern(text) || folder.join(text).exists() {
        return Ok(vec![folder.join(text)]);
    }
    let prefix = glob::Pattern::escape(&folder.to_string_lossy());
    let whole = if prefix.is_empty() {
        text.to_string()
    } else {
        format!("{prefix}/{text}")
    };
    let found =
        glob::glob(&whole).map_err(|error| Error::Request(format!("`{text}` is no pattern of file names: {error}")))?;
    let found: Vec<PathBuf> = found.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    if found.is_empty() {
        return Err(Error::Request(format!("no file matches `{whole}`")));
    }
    Ok(found)
}

fn column<'t>(file: &Path, text: &'t str) -> Result<Vec<&'t str>, Error> {
    let mut rows = text.lines();
    let header = rows.next().unwrap_or("");
    let position = header.split('\t').position(|name| name == "task");
    let position = position.ok_or_else(|| {
        let what = format!(
            "the table has no column `task`; its columns are {}",
            header.replace('\t', ", ")
        );
        Error::malformed(file, 1, what)
    })?;
    let cells = rows.filter_map(|row| row.split('\t').nth(position));
    Ok(cells.filter(|name| !name.is_empty()).collect())
}

/// The tasks of all `<tasks>` of a benchmark definition of BenchExec, in order. Those of run definitions count as well.
fn benchmark(file: &Path, folder: &Path, text: &str) -> Result<Vec<PathBuf>, Error> {
    let mut reader = Reader::from_str(text);
    let mut found: Vec<PathBuf> = Vec::new();
    let (mut included, mut excluded) = (Vec::new(), Vec::new());
    let (mut inside, mut element, mut content) = (false, String::new(), String::new());
    loop {
        let event = reader.read_event();
        let position = usize::try_from(reader.buffer_position()).unwrap_or(0).min(text.len());
        let line = || {
            1 + text.as_bytes()[..position]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
        };
        let event = event.map_err(|error| Error::malformed(file, line(), error))?;
        match event {
            Event::Eof => return Ok(found),
            Event::Start(start) => {
                element = start.local_name().as_ref().to_string();
                content.clear();
                inside |= element == "tasks";
            }
            Event::Text(part) => content.push_str(&part),
            Event::GeneralRef(part) => match &*part {
                "amp" => content.push('&'),
                "lt" => content.push('<'),
                "gt" => content.push('>'),
                other => return Err(Error::malformed(file, line(), format!("`&{other};` is not known here"))),
            },
            Event::End(_) if !inside => {}
            Event::End(_) if element == "tasks" => {
                included.retain(|path: &PathBuf| !excluded.contains(path));
                found.append(&mut included);
                excluded.clear();
                inside = false;
            }
            Event::End(_) => {
                let named = content.trim();
                match element.as_str() {
                    "include" => included.extend(matching(folder, named)?),
                    "exclude" => excluded.extend(matching(folder, named).unwrap_or_default()),
                    "includesfile" | "excludesfile" => {
                        let list = folder.join(named);
                        let lines = std::fs::read_to_string(&list).map_err(|error| Error::unreadable(&list, error))?;
                        let listed = listed(list.parent().unwrap_or(Path::new("")), &lines)?;
                        if element == "includesfile" {
                            &mut included
                        } else {
                            &mut excluded
                        }
                        .extend(listed);
                    }
                    "withoutfile" => {
                        let what = format!("`{named}` is a task without file, which is no C program");
                        return Err(Error::malformed(file, line(), what));
                    }
                    // `<option>` and `<propertyfile>` belong to the tool, `<requiredfiles>` to the cluster.
                    _ => {}
                }
                element = "tasks".to_string();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("provident-runset-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("sub/deep")).unwrap();
        for name in ["sub/a.yml", "sub/b.yml", "sub/deep/c.yml", "sub/deep/d.yml"] {
            fs::write(folder.join(name), "").unwrap();
        }
        folder
    }

    fn names(inputs: &[PathBuf], exclude: &[&str]) -> Vec<String> {
        let exclude: Vec<String> = exclude.iter().map(ToString::to_string).collect();
        let set = RunSet::new(inputs, &exclude).unwrap();
        set.tasks.into_iter().map(|task| task.name).collect()
    }

    #[test]
    fn shards_are_a_partition() {
        let task = |i: usize| Task {
            name: format!("{i}.yml"),
            path: PathBuf::from(format!("{i}.yml")),
        };
        let set = RunSet {
            root: PathBuf::new(),
            tasks: (0..11).map(task).collect(),
        };
        let mut together: Vec<Task> = (1..=3).flat_map(|i| set.shard((i, 3))).collect();
        assert_eq!(set.shard((3, 3))[0].name, "2.yml");
        together.sort_by_key(|task| task.name.trim_end_matches(".yml").parse::<usize>().unwrap());
        assert_eq!(together, set.tasks);
    }

    #[test]
    fn every_form_of_a_run_set_names_the_same_tasks() {
        let folder = folder("forms");
        let write = |name: &str, text: &str| {
            fs::write(folder.join(name), text).unwrap();
            folder.join(name)
        };
        let all = ["a.yml", "b.yml", "deep/c.yml", "deep/d.yml"];
        let set = write("all.set", "sub/*.yml\n# deeper\nsub/deep/*.yml\n");
        let list = write(
            "all.txt",
            "sub/a.yml\nsub/b.yml\nsub/deep/c.yml\nsub/deep/d.yml\nsub/a.yml\n",
        );
        let table = write(
            "all.tsv",
            "n\ttask\n1\tsub/a.yml\n2\tsub/b.yml\n3\tsub/deep/c.yml\n4\tsub/deep/d.yml\n",
        );
        let benchmark = write(
            "all.xml",
            "<?xml version=\"1.0\"?><benchmark tool=\"provident\"><option name=\"x\"/><rundefinition name=\"r\"><option name=\"--y\">z</option></rundefinition>\
             <tasks name=\"t\"><includesfile>all.set</includesfile><exclude>sub/deep/*.yml</exclude><propertyfile>p.prp</propertyfile></tasks>\
             <tasks><include>sub/deep/*.yml</include></tasks></benchmark>",
        );
        for input in [set, list, table, benchmark, folder.join("sub/**/*.yml")] {
            assert_eq!(names(std::slice::from_ref(&input), &[]), all, "{}", input.display());
        }
        let all = [folder.join("all.set")];
        assert_eq!(names(&all, &["deep/*"]), ["a.yml", "b.yml"]);
        assert_eq!(names(&all, &["c.yml", "b.*"]), ["a.yml", "deep/d.yml"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_do_not_depend_on_where_one_stands() {
        let folder = folder("names");
        let direct = RunSet::new(&[folder.join("sub/deep/c.yml"), folder.join("sub/a.yml")], &[]).unwrap();
        let around = RunSet::new(
            &[folder.join("sub/deep/../deep/c.yml"), folder.join("./sub/a.yml")],
            &[],
        )
        .unwrap();
        assert_eq!(direct, around);
        assert_eq!(direct.tasks[0].name, "deep/c.yml");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_wrong_is_said() {
        let folder = folder("wrong");
        let message = |name: &str, text: &str| {
            fs::write(folder.join(name), text).unwrap();
            RunSet::new(&[folder.join(name)], &[]).unwrap_err().to_string()
        };
        assert!(message("t.tsv", "a\tb\n").contains("t.tsv:1:1: error: the table has no column `task`"));
        assert!(message("l.txt", "sub/none.yml\n").contains("there is no task"));
        assert!(message("l.set", "none/*.yml\n").contains("no file matches"));
        assert!(message("b.xml", "<benchmark><tasks>\n<include>sub/a.yml</exclude>").contains("b.xml:2:1: error"));
        fs::remove_dir_all(folder).unwrap();
    }
}
