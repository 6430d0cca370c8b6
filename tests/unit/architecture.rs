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

/// The sub-rooms of rooms, from the ground up: each may use itself and those before it.
const SUB_ROOMS: &[(&str, &[&str])] = &[
    ("src/frontend", &["text", "types", "syntax", "typing", "link"]),
    (
        "src/cfa",
        &[
            "library",
            "program",
            "analysis",
            "raw",
            "memory_types",
            "pointers",
            "calls",
            "lower",
            "slice",
            "view",
            "accelerate",
        ],
    ),
    (
        "src/evidence",
        &[
            "ledger",
            "replay",
            "touching",
            "executions",
            "witness",
            "harness",
            "validate",
            "obligations",
        ],
    ),
    (
        "src/explicit",
        &[
            "value", "pattern", "compiled", "state", "step", "shift", "shortcut", "search", "concrete",
        ],
    ),
];

/// Uses against the order of sub-rooms that stand for now, by file and sub-room.
const EXCEPTIONS: &[(&str, &str)] = &[
    // Literals have types, and the data model says how a file is preprocessed.
    ("src/frontend/text/literal.rs", "types"),
    ("src/frontend/text/preprocess.rs", "types"),
];

/// The modules that a folder or file must not use although its room may: the place, and the paths.
const UNKNOWN: &[(&str, &[&str])] = &[
    // The replay and the checker share nothing with what they check.
    ("src/evidence/replay", &["crate::encode"]),
    ("smt/src/proof/check.rs", &["crate::solver"]),
    ("smt/src/proof/check", &["crate::solver"]),
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

/// The code of a file without comments and without its tests.
fn code_of(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("mod tests {"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    lines.join("\n")
}

/// The name of a path relative to the project.
fn name_of(file: &Path) -> String {
    file.strip_prefix(root()).unwrap().display().to_string()
}

/// Whether a text names the path, as `crate::a::b` or, in a list, as `crate::a::{b...}`; `super` is followed from a module this deep in its room.
fn names_path(code: &str, path: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices(path).any(|(at, _)| ends(&code[at + path.len()..]))
}

#[test]
fn sub_rooms_use_only_what_stands_before_them() {
    let mut problems = Vec::new();
    for (room, order) in SUB_ROOMS {
        let name = room.strip_prefix("src/").unwrap();
        for entry in fs::read_dir(root().join(room)).unwrap() {
            let path = entry.unwrap().path();
            let known = order.contains(&path.file_stem().unwrap().to_str().unwrap());
            let is_code = path.is_dir() || path.extension().is_some_and(|e| e == "rs");
            assert!(
                known || !is_code || path.ends_with("mod.rs"),
                "{} is no sub-room of the table",
                name_of(&path)
            );
        }
        for (position, sub) in order.iter().enumerate() {
            let mut files = rust_files_if(&root().join(room).join(sub));
            files.extend(Some(root().join(room).join(format!("{sub}.rs"))).filter(|f| f.exists()));
            for file in files {
                let code = code_of(&file);
                let depth = file.strip_prefix(root().join(room)).unwrap().components().count();
                let is_face = file.ends_with("mod.rs");
                let up = "super::".repeat(if is_face { depth - 1 } else { depth });
                for later in &order[position + 1..] {
                    let uses = names_path(&code, &format!("crate::{name}::{later}"))
                        || names_path(&code, &format!(" {up}{later}"));
                    let place = name_of(&file);
                    if uses && !EXCEPTIONS.contains(&(place.as_str(), later)) {
                        problems.push(format!("{place} uses `{later}`"));
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "uses against the order:\n{}", problems.join("\n"));
}

/// As [`rust_files`]; none where there is no such folder.
fn rust_files_if(folder: &Path) -> Vec<PathBuf> {
    if folder.is_dir() {
        rust_files(folder)
    } else {
        Vec::new()
    }
}

#[test]
fn checkers_know_nothing_of_what_they_check() {
    for (place, paths) in UNKNOWN {
        let path = root().join(place);
        let files = if path.is_file() {
            vec![path]
        } else {
            rust_files_if(&path)
        };
        for file in files {
            let code = code_of(&file);
            for unknown in *paths {
                assert!(!names_path(&code, unknown), "{} uses `{unknown}`", name_of(&file));
            }
        }
    }
}

/// Every module that a `mod.rs` declares stands in the table at its head, if it is not one of tests.
#[test]
fn every_module_stands_in_its_table() {
    let mut missing = Vec::new();
    for folder in ["src", "smt/src"] {
        for file in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("//! |")).collect();
            let named = |module: &str| {
                let cell = |row: &&str| row.split('|').nth(1).map(str::to_owned).unwrap_or_default();
                let forms = [format!("`{module}`"), format!("`{module}()`")];
                rows.iter()
                    .map(cell)
                    .any(|cell| forms.iter().any(|form| cell.contains(form)))
            };
            if !file.ends_with("mod.rs") && rows.is_empty() {
                continue;
            }
            let modules = text.lines().filter_map(|line| {
                let line = line.strip_suffix(';')?;
                let (before, module) = line.split_once("mod ")?;
                (before.is_empty() || before.starts_with("pub")).then_some(module)
            });
            for module in modules.filter(|module| !module.contains("tests") && *module != "random") {
                if !named(module) {
                    missing.push(format!("{}: `{module}`", name_of(&file)));
                }
            }
        }
    }
    assert!(missing.is_empty(), "modules without a row:\n{}", missing.join("\n"));
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
