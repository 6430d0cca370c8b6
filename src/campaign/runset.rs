//! Which tasks a campaign runs.

use std::path::{Path, PathBuf};

/// The tasks of the given inputs in order, each once.
///
/// An input is a task definition (`.yml`), a table with a header line in which one column is called `task` (`.tsv`), or a list with
/// one path a line (anything else; empty lines and lines that begin with `#` do not count). Paths in a file are relative to it.
///
/// # Errors
/// Says which file cannot be read or has no such column.
pub fn tasks(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found: Vec<PathBuf> = Vec::new();
    for input in inputs {
        let extension = input.extension().and_then(|e| e.to_str()).unwrap_or("");
        if matches!(extension, "yml" | "yaml") {
            found.push(input.clone());
            continue;
        }
        let text = std::fs::read_to_string(input).map_err(|e| format!("cannot read `{}`: {e}", input.display()))?;
        let folder = input.parent().unwrap_or(Path::new(""));
        let names = if extension == "tsv" {
            column(input, &text)?
        } else {
            lines(&text)
        };
        found.extend(names.into_iter().map(|name| folder.join(name)));
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|task| seen.insert(task.clone()));
    Ok(found)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn column<'t>(file: &Path, text: &'t str) -> Result<Vec<&'t str>, String> {
    let mut rows = text.lines();
    let header = rows.next().unwrap_or("");
    let position = header.split('\t').position(|name| name == "task").ok_or_else(|| {
        format!(
            "{}:1:1: error: the table has no column `task`; its columns are {header}",
            file.display()
        )
    })?;
    Ok(rows
        .filter_map(|row| row.split('\t').nth(position))
        .filter(|name| !name.is_empty())
        .collect())
}

/// The tasks of one shard: every `count`-th, beginning with the `index`-th, counted from 1.
///
/// Neighbours in a list tend to be alike, so that taking every n-th gives shards of similar effort.
pub fn shard(tasks: Vec<PathBuf>, (index, count): (usize, usize)) -> Vec<PathBuf> {
    assert!(1 <= index && index <= count, "shards are counted from 1");
    tasks.into_iter().skip(index - 1).step_by(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_a_partition() {
        let all: Vec<PathBuf> = (0..11).map(|i| PathBuf::from(format!("{i}.yml"))).collect();
        let mut together: Vec<PathBuf> = (1..=3).flat_map(|i| shard(all.clone(), (i, 3))).collect();
        together.sort();
        let mut sorted = all.clone();
        sorted.sort();
        assert_eq!(together, sorted);
        assert_eq!(shard(all, (3, 3))[0], PathBuf::from("2.yml"));
    }

    #[test]
    fn tables_and_lists_name_tasks() {
        assert_eq!(
            column(Path::new("t.tsv"), "a\ttask\n1\tx.yml\n2\ty.yml\n"),
            Ok(vec!["x.yml", "y.yml"])
        );
        assert!(
            column(Path::new("t.tsv"), "a\tb\n")
                .unwrap_err()
                .starts_with("t.tsv:1:1: error:")
        );
        assert_eq!(lines("# all\n x.yml\n\ny.yml"), ["x.yml", "y.yml"]);
    }
}
