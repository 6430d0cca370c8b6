//! Compilation databases (`compile_commands.json`): the files of a program, each with what the compiler is told about it.
//!
//! The format is that of clang (*JSON Compilation Database Format Specification*): a list of objects with `directory`, `file`, and `arguments` or `command`, a command line
//! as for a POSIX shell. Of the options, those for the preprocessor are kept; those that change what types are on the machine (`-m32`) choose the data model, or are
//! refused; all others (optimisation, warnings, output) say nothing about what the program means.

use super::property::SpecError;
use crate::frontend::text::preprocess::{Preprocessing, UnitFile};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The program of a compilation database.
#[derive(Debug)]
pub struct Commands {
    /// Its files in the order of the database; the same file with the same options counts once.
    pub units: Vec<UnitFile>,
    /// The data model, if the options name one.
    pub data_model: Option<String>,
}

#[derive(Deserialize)]
struct RawCommand {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

/// Options with a value, attached or in the next argument, that are passed on.
const KEPT: [&str; 9] = [
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-I",
    "-D",
    "-U",
];
/// Options without another value that are passed on.
const KEPT_ALONE: [&str; 3] = ["-nostdinc", "-ansi", "-undef"];
/// Options that change the types of the program in a way that is not modelled.
const REFUSED: [&str; 6] = [
    "-funsigned-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-mx32",
    "-m16",
];

/// Reads a database. Of its files, those that match one of the patterns are taken, or all if there is none; only `.c` and `.i` files are a C program.
///
/// # Errors
/// The text is no database, a pattern is none, no file is left, or an option is one that would make the verdict wrong.
pub fn parse(file: &Path, text: &str, patterns: &[String]) -> Result<Commands, SpecError> {
    let raw: Vec<RawCommand> = serde_json::from_str(text).map_err(|error| {
        let at = offset(text, error.line(), error.column());
        SpecError::at(file, text, at, format!("not a compilation database: {error}"))
    })?;
    let mut wanted = Vec::new();
    for pattern in patterns {
        wanted.push(
            glob::Pattern::new(pattern)
                .map_err(|error| SpecError::at(file, text, 0, format!("`{pattern}` is no pattern: {error}")))?,
        );
    }
    let beside = file.parent().unwrap_or(Path::new(""));
    let (mut units, mut models) = (Vec::<UnitFile>::new(), Vec::new());
    for raw in raw {
        // The preprocessor runs there, and must find the file from there.
        let folder = beside.join(&raw.directory);
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let path = folder.join(&raw.file);
        let is_c = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("c") || e == "i");
        let matches = |pattern: &glob::Pattern| pattern.matches_path(&raw.file) || pattern.matches_path(&path);
        if !is_c || !wanted.is_empty() && !wanted.iter().any(matches) {
            continue;
        }
        let at = text.find(&*raw.file.to_string_lossy()).unwrap_or(0);
        let refuse = |message: String| SpecError::at(file, text, at, message);
        let words = match (raw.arguments, &raw.command) {
            (Some(words), _) => words,
            (None, Some(command)) => {
                shlex::split(command).ok_or_else(|| refuse("the command of this file has an open quote".to_owned()))?
            }
            (None, None) => return Err(refuse("this file has neither `arguments` nor a `command`".to_owned())),
        };
        let options = options(&words).map_err(|option| {
            refuse(format!(
                "the option {option} of this file changes its types in a way that is not supported"
            ))
        })?;
        let unit = UnitFile {
            preprocessing: Preprocessing {
                arguments: options.arguments,
                folder: Some(folder),
            },
            ..UnitFile::from(path)
        };
        if !units.contains(&unit) {
            models.push((options.data_model, at));
            units.push(unit);
        }
    }
    if models.is_empty() {
        let message = match patterns.is_empty() {
            true => "there is no C file in it",
            false => "no C file in it matches a pattern of --units",
        };
        return Err(SpecError::at(file, text, 0, message));
    }
    // Without an option, gcc has the model of the machine.
    let is_small = |model: Option<&str>| model == Some("ILP32");
    let first = is_small(models[0].0);
    if let Some((_, at)) = models.iter().find(|(model, _)| is_small(*model) != first) {
        let message = "files with -m32 and files without are no program";
        return Err(SpecError::at(file, text, *at, message));
    }
    let data_model = models.iter().find_map(|(model, _)| *model);
    Ok(Commands {
        units,
        data_model: data_model.map(str::to_owned),
    })
}

/// What is kept of a command.
struct Options {
    arguments: Vec<String>,
    data_model: Option<&'static str>,
}

/// The options of a command that matter.
///
/// # Errors
/// An option that is refused.
fn options(words: &[String]) -> Result<Options, String> {
    let mut kept = Options {
        arguments: Vec::new(),
        data_model: None,
    };
    // The first word is the compiler.
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if REFUSED
            .iter()
            .any(|refused| word == refused || word.starts_with("-fpack-struct"))
        {
            return Err(word.clone());
        }
        match word.as_str() {
            "-m32" => kept.data_model = Some("ILP32"),
            "-m64" => kept.data_model = Some("LP64"),
            word if KEPT_ALONE.contains(&word) || word.starts_with("-std=") => kept.arguments.push(word.to_owned()),
            word => {
                if let Some(option) = KEPT.iter().find(|option| word.starts_with(**option)) {
                    kept.arguments.push(word.to_owned());
                    if word == *option {
                        kept.arguments.extend(words.next().cloned());
                    }
                } else if matches!(word, "-o" | "-MF" | "-MT" | "-MQ" | "-x" | "-Xlinker" | "-Xassembler") {
                    words.next();
                }
            }
        }
    }
    Ok(kept)
}

/// The byte at a line and column, both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let begin: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (begin + column.saturating_sub(1)).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, patterns: &[&str], expect: Expect) {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let shown = match parse(Path::new("build/compile_commands.json"), text, &patterns) {
            Ok(commands) => {
                let line = |unit: &UnitFile| {
                    let folder = unit.preprocessing.folder.as_ref().map(|f| f.display().to_string());
                    format!(
                        "{} {:?} in {:?}\n",
                        unit.path.display(),
                        unit.preprocessing.arguments,
                        folder
                    )
                };
                let lines: String = commands.units.iter().map(line).collect();
                format!("{lines}{:?}\n", commands.data_model)
            }
            Err(error) => format!("{error}\n"),
        };
        expect.assert_eq(&shown);
    }

    const TWO: &str = r#"[
  { "directory": "/src", "file": "lib/a.c", "arguments": ["cc", "-O2", "-Iinc", "-I", "more", "-DN=1", "-o", "a.o", "-c", "lib/a.c"] },
  { "directory": "/src", "file": "main.c", "command": "cc -std=c99 -D 'TEXT=\"a b\"' -include conf.h -m64 -c main.c" },
  { "directory": "/src", "file": "more.cpp", "command": "c++ -c more.cpp" }
]"#;

    #[test]
    fn the_options_of_the_preprocessor_are_kept() {
        check(
            &TWO.replace("-m64 ", ""),
            &[],
            expect![[r#"
                /src/lib/a.c ["-Iinc", "-I", "more", "-DN=1"] in Some("/src")
                /src/main.c ["-std=c99", "-D", "TEXT=\"a b\"", "-include", "conf.h"] in Some("/src")
                None
            "#]],
        );
        check(
            TWO,
            &["main.c"],
            expect![[r#"
                /src/main.c ["-std=c99", "-D", "TEXT=\"a b\"", "-include", "conf.h"] in Some("/src")
                Some("LP64")
            "#]],
        );
    }

    #[test]
    fn mistakes_are_shown_at_their_place() {
        check(
            &TWO.replace("-m64", "-m32"),
            &[],
            expect![[r#"
            build/compile_commands.json:3:35: error: files with -m32 and files without are no program
                { "directory": "/src", "file": "main.c", "command": "cc -std=c99 -D 'TEXT=\"a b\"' -include conf.h -m32 -c main.c" },
                                                ^
        "#]],
        );
        check(
            TWO,
            &["*.cc"],
            expect![[r#"
            build/compile_commands.json:1:1: error: no C file in it matches a pattern of --units
              [
              ^
        "#]],
        );
        check(
            TWO,
            &["[x"],
            expect![[r#"
            build/compile_commands.json:1:1: error: `[x` is no pattern: Pattern syntax error near position 0: invalid range pattern
              [
              ^
        "#]],
        );
        check(
            "[\n  { \"file\": 1 }\n]",
            &[],
            expect![[r#"
            build/compile_commands.json:2:13: error: not a compilation database: invalid type: integer `1`, expected path string at line 2 column 13
                { "file": 1 }
                          ^
        "#]],
        );
        check(
            r#"[{ "directory": "/src", "file": "a.c" }]"#,
            &[],
            expect![[r#"
            build/compile_commands.json:1:34: error: this file has neither `arguments` nor a `command`
              [{ "directory": "/src", "file": "a.c" }]
                                               ^
        "#]],
        );
        check(
            r#"[{ "directory": "/src", "file": "a.c", "command": "cc 'a.c" }]"#,
            &[],
            expect![[r#"
                build/compile_commands.json:1:34: error: the command of this file has an open quote
                  [{ "directory": "/src", "file": "a.c", "command": "cc 'a.c" }]
                                                   ^
            "#]],
        );
        check(
            r#"[{ "directory": "/src", "file": "a.c", "command": "cc -funsigned-char a.c" }]"#,
            &[],
            expect![[r#"
                build/compile_commands.json:1:34: error: the option -funsigned-char of this file changes its types in a way that is not supported
                  [{ "directory": "/src", "file": "a.c", "command": "cc -funsigned-char a.c" }]
                                                   ^
            "#]],
        );
    }
}
