//! Every program of the shared collections is accepted, where the collections stand beside the checkout.

use provident::frontend::text::preprocess;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn files_below(directory: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, into);
        } else {
            into.push(path);
        }
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x))
}

/// The objection of preprocessing or analysis to a file.
fn complaint(path: &Path, data_model: DataModel) -> Option<String> {
    let source = match preprocess::read(&path.to_path_buf().into(), data_model) {
        Ok(source) => source,
        // A missing `cpp` or missing system headers are no fault of the program's.
        Err(problem) if problem.brief().contains("cpp") => return None,
        Err(problem) => return Some(problem.brief()),
    };
    parse(source, &FrontendOptions { data_model })
        .err()
        .map(|problems| problems.brief())
}

/// Whether gcc does not take the program either.
fn is_refused_by_gcc(path: &Path, data_model: DataModel) -> bool {
    let size = match data_model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let gcc = std::process::Command::new("gcc")
        .args([size, "-x", "c", "-fsyntax-only", "-w"])
        .arg(path)
        .output();
    gcc.is_ok_and(|output| !output.status.success())
}

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name)
}

#[test]
fn snippets_are_accepted() {
    let mut files = Vec::new();
    files_below(&shared("c-snippets"), &mut files);
    files.retain(|f| has_extension(f, &["c"]));
    let complaints: Vec<String> = files.iter().filter_map(|f| complaint(f, DataModel::Lp64)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The programs of all task definitions with their data models, disputed ones left out.
fn tasks() -> BTreeMap<PathBuf, BTreeSet<DataModel>> {
    let root = shared("tasks");
    let disputed = std::fs::read_to_string(root.join("disputed.tsv")).unwrap_or_default();
    let disputed: BTreeSet<PathBuf> = disputed
        .lines()
        .filter_map(|l| Some(root.join(l.split('\t').next()?)))
        .collect();
    let mut files = Vec::new();
    files_below(&root, &mut files);
    let mut programs: BTreeMap<PathBuf, BTreeSet<DataModel>> = BTreeMap::new();
    for file in files
        .iter()
        .filter(|f| has_extension(f, &["yml"]) && !disputed.contains(*f))
    {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let model = if text.contains("LP64") {
            DataModel::Lp64
        } else {
            DataModel::Ilp32
        };
        for word in text.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '[' | ']' | ',')) {
            let program = file.parent().expect("files have a directory").join(word);
            if has_extension(&program, &["c", "i"]) && program.is_file() {
                programs.entry(program).or_default().insert(model);
            }
        }
    }
    programs
}

#[test]
fn tasks_are_accepted() {
    let mut complaints = Vec::new();
    for (program, models) in tasks() {
        for model in models {
            // The criterion is gcc's: some programs of the collections are C for other compilers only.
            complaints.extend(complaint(&program, model).filter(|_| !is_refused_by_gcc(&program, model)));
        }
    }
    assert!(
        complaints.is_empty(),
        "{} programs:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}
