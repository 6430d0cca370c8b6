//! The architecture as a test: which room may use which, and that every module says what it is for.
//!
//! The table is the one in the library's documentation. A room may use itself and the rooms above it; what stands below it, it
//! knows nothing of.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from top to bottom.
const ROOMS: &[&str] = &[
    "frontend", "cfa", "spec", "encode", "query", "explicit", "cpa", "refine", "engine", "certify", "evidence",
    "report", "verify", "campaign", "cli",
];

/// Forbidden uses of rooms that stand above: the room, and the rooms that it must not use.
const FORBIDDEN: &[(&str, &[&str])] = &[
    // Automata are plain data: nothing of formulas but the numbers that constants are.
    ("spec", &["encode"]),
    // Reports mirror what they print in types of their own.
    ("report", &["cpa", "refine", "encode"]),
    ("campaign", &["cfa", "encode", "cpa", "refine", "engine"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The rooms that a text names: `crate::room` and, in a list, `crate::{room...}`.
fn rooms_used(text: &str) -> Vec<&'static str> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let listed = rest
            .strip_prefix('{')
            .map(|list| &list[..list.find(';').unwrap_or(list.len())]);
        for room in ROOMS {
            let starts = |text: &str| {
                let behind = text.trim_start().strip_prefix(room);
                behind.is_some_and(|b| !b.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            let named = match listed {
                Some(list) => list.split([',', '{']).any(starts),
                None => starts(rest),
            };
            if named && !used.contains(room) {
                used.push(room);
            }
        }
    }
    used
}

#[test]
fn rooms_use_only_what_stands_above_them() {
    let mut problems = Vec::new();
    for (position, room) in ROOMS.iter().enumerate() {
        let forbidden = FORBIDDEN
            .iter()
            .find(|(name, _)| name == room)
            .map_or(&[][..], |(_, list)| list);
        for file in rust_files(&root().join("src").join(room)) {
            for used in rooms_used(&fs::read_to_string(&file).unwrap()) {
                let other = ROOMS.iter().position(|r| *r == used).unwrap();
                if other > position || forbidden.contains(&used) {
                    problems.push(format!(
                        "{} uses `{used}`",
                        file.strip_prefix(root()).unwrap().display()
                    ));
                }
            }
        }
    }
    assert!(problems.is_empty(), "forbidden uses:\n{}", problems.join("\n"));
}

#[test]
fn the_scan_sees_uses() {
    assert_eq!(
        rooms_used("use crate::cpa::x;\nlet y = crate::engine::z;"),
        ["cpa", "engine"]
    );
    assert_eq!(
        rooms_used("use crate::{cfa::{A, B}, report};\nmod cli;"),
        ["cfa", "report"]
    );
    assert_eq!(rooms_used("// crate::cli\nuse crate::specials;"), Vec::<&str>::new());
}

#[test]
fn every_room_is_in_the_table() {
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            // The guide is text only.
            let is_known = name == "guide" || ROOMS.contains(&name.as_str());
            assert!(is_known, "src/{name} is no room of the table");
        } else {
            assert!(
                matches!(name.as_str(), "lib" | "main"),
                "{} stands outside of the rooms",
                path.display()
            );
        }
    }
}

#[test]
fn the_solver_knows_nothing_of_programs() {
    for file in rust_files(&root().join("smt/src")) {
        let text = fs::read_to_string(&file).unwrap();
        let uses = text
            .lines()
            .any(|line| !line.trim_start().starts_with("//") && line.contains("provident::"));
        assert!(!uses, "{} uses the model checker", file.display());
    }
    let manifest: toml::Table = fs::read_to_string(root().join("smt/Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let ours = |section: &str| {
        manifest
            .get(section)
            .and_then(|d| d.as_table())
            .is_some_and(|d| d.contains_key("provident"))
    };
    assert!(
        !ours("dependencies") && !ours("dev-dependencies"),
        "the solver depends on the model checker"
    );
}

#[test]
fn every_module_says_what_it_is_for() {
    let mut silent = Vec::new();
    for folder in ["src", "smt/src", "tests", "smt/tests"] {
        let folder = root().join(folder);
        if !folder.exists() {
            continue;
        }
        for file in rust_files(&folder) {
            let text = fs::read_to_string(&file).unwrap();
            if !text.trim_start().starts_with("//!") {
                silent.push(file.strip_prefix(root()).unwrap().display().to_string());
            }
        }
    }
    assert!(silent.is_empty(), "no module documentation in:\n{}", silent.join("\n"));
}

/// A file that stands directly in a folder of tests would be a program of its own, linked with everything; a layer is one program. And its head says what each of its modules holds.
#[test]
fn tests_are_modules_of_layers() {
    for folder in ["tests", "smt/tests"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(
                path.extension().is_none_or(|e| e != "rs"),
                "{} is in no layer: move it to one, with a line in the table of its main.rs",
                path.display()
            );
        }
    }
    for layer in ["tests/unit", "tests/integration", "tests/slow", "smt/tests/solver"] {
        let text = fs::read_to_string(root().join(layer).join("main.rs")).unwrap();
        for entry in fs::read_dir(root().join(layer)).unwrap() {
            let name = entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned();
            let is_module = text.lines().any(|line| line == format!("mod {name};"));
            assert!(name == "main" || is_module, "{layer}/{name} is not compiled");
            let is_in_table = text
                .lines()
                .any(|line| line.starts_with("//! |") && line.contains(&format!("`{name}`")));
            assert!(
                name == "main" || is_in_table,
                "{layer}/{name} is not in the table of {layer}/main.rs"
            );
        }
    }
}

/// Names of machines and folders of one developer have no place in what others build.
#[test]
fn no_paths_of_one_machine() {
    for folder in ["src", "smt/src", "tests"] {
        for file in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            for absolute in [concat!("\"/wo", "rk/"), concat!("\"/ho", "me/"), concat!("\"/tm", "p/")] {
                assert!(!text.contains(absolute), "{} contains {absolute}", file.display());
            }
        }
    }
}

/// The sentences of a module's head: paragraphs and list items, without tables and code.
fn sentences_of_head(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_code = false;
    for line in text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim) {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let is_text = !is_code && !is_fence && !line.starts_with(['|', '#']);
        let item = line.strip_prefix("* ");
        if !is_text || line.is_empty() || item.is_some() {
            parts.push(String::new());
        }
        if is_text {
            let part = parts.last_mut().expect("there is one");
            part.push(' ');
            part.push_str(item.unwrap_or(line));
        }
    }
    let mut sentences = Vec::new();
    for part in parts {
        let mut rest = part.trim();
        while !rest.is_empty() {
            let end = [". ", "? ", ": ", "; "]
                .iter()
                .filter_map(|mark| rest.find(mark).map(|at| at + 1))
                .min()
                .unwrap_or(rest.len());
            sentences.push(rest[..end].to_string());
            rest = rest[end..].trim_start();
        }
    }
    sentences
}

/// The words in a sentence that make it hard for a reader with another first language: a clause in the place of the subject, or words that
/// hide the subject.
fn stumbling_block(sentence: &str) -> Option<&'static str> {
    let begins = ["What ", "Whatever ", "Whoever ", "Who "];
    let hides = [" at hand", " is said", " are said", " so many "];
    let is_question = sentence.ends_with('?');
    let clause = begins.into_iter().find(|word| sentence.starts_with(word));
    clause
        .filter(|_| !is_question)
        .or_else(|| hides.into_iter().find(|words| sentence.contains(words)))
}

#[test]
fn heads_are_plain() {
    let mut problems = Vec::new();
    for folder in ["src", "smt/src"] {
        for file in rust_files(&root().join(folder)) {
            for sentence in sentences_of_head(&fs::read_to_string(&file).unwrap()) {
                if let Some(words) = stumbling_block(&sentence) {
                    let file = file.strip_prefix(root()).unwrap().display();
                    problems.push(format!("{file}: `{}` in: {sentence}", words.trim()));
                }
            }
        }
    }
    assert!(
        problems.is_empty(),
        "sentences of module heads without a plain subject:\n{}",
        problems.join("\n")
    );
}

#[test]
fn plain_sentences_are_told_from_others() {
    let text = "//! Slices. What is left out is empty: it stays.\n//! What for?\n//!\n//! | What it does | x |\n//! * Whoever asks\n//!   gets it.\nuse x;";
    let found: Vec<_> = sentences_of_head(text)
        .iter()
        .filter_map(|sentence| stumbling_block(sentence).map(|words| (words, sentence.clone())))
        .collect();
    assert_eq!(
        found,
        [
            ("What ", "What is left out is empty:".to_string()),
            ("Whoever ", "Whoever asks gets it.".to_string())
        ]
    );
}
