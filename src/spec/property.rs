//! Property files (`.prp`): a small grammar with errors that point at the place.
//!
//! A property file holds one or more lines of the form
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! CHECK( init(main()), LTL(G ! label(ERROR)) )
//! CHECK( init(main()), LTL(G ! overflow) )
//! CHECK( init(main()), LTL(G valid-deref) )
//! ```
//!
//! which is the notation of the software verification competition. `init(f())` names the function in which the program
//! starts, the formula says what must never happen. Other formulas of that notation (termination, data races,
//! coverage) are recognised only to say clearly that they are not supported: answering a different question than the one
//! asked would be worse than not answering.

use crate::cfa::program::check::{Check, CheckKind};
use std::fmt;
use std::path::Path;

/// The event that a property forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// Any call of the function of this name.
    Call(String),
    /// Control passing this label.
    Label(String),
    /// A violation of a check of this sort, wherever it is.
    Check(CheckKind),
    /// A violation of one check.
    At(CheckedPlace),
}

/// A check, with its place as users see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPlace {
    /// The check.
    pub check: Check,
    /// The file.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl fmt::Display for CheckedPlace {
    /// As `file:line:column`; the file's folder says little beside that of others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = Path::new(&self.file).file_name().unwrap_or_default();
        write!(f, "{}:{}:{}", file.to_string_lossy(), self.line, self.column)
    }
}

impl Forbidden {
    /// The function or label that the property speaks about, if it is one.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Forbidden::Call(name) | Forbidden::Label(name) => Some(name),
            Forbidden::Check(_) | Forbidden::At(_) => None,
        }
    }

    /// One word for the property among others: a function, a label or a sort of checks.
    pub fn word(&self) -> &str {
        match self {
            Forbidden::Call(name) | Forbidden::Label(name) => name,
            Forbidden::Check(kind) => kind.word(),
            Forbidden::At(place) => place.check.kind.word(),
        }
    }

    /// The function whose calls are forbidden, if it is one.
    pub fn function(&self) -> Option<&str> {
        match self {
            Forbidden::Call(name) => Some(name),
            _ => None,
        }
    }

    /// The sort of checks that the property is about, if it is about one.
    pub fn check(&self) -> Option<CheckKind> {
        match self {
            Forbidden::Check(kind) => Some(*kind),
            Forbidden::At(place) => Some(place.check.kind),
            Forbidden::Call(_) | Forbidden::Label(_) => None,
        }
    }

    /// Whether passing a label is the event.
    pub fn is_label(&self, label: &str) -> bool {
        match self {
            Forbidden::Call(_) => false,
            Forbidden::Label(name) => name == label,
            Forbidden::Check(kind) => Check::of_label(label).is_some_and(|check| check.kind == *kind),
            Forbidden::At(place) => Check::of_label(label) == Some(place.check),
        }
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forbidden::Call(name) => write!(f, "G ! call({name}())"),
            Forbidden::Label(name) => write!(f, "G ! label({name})"),
            Forbidden::Check(kind) => f.write_str(&kind.formula()),
            Forbidden::At(place) => write!(f, "{} at {place}", place.check.kind.formula()),
        }
    }
}

/// One property: its public name, where the program starts, and what must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertySpec {
    /// The name under which verdicts are reported.
    pub name: String,
    /// The entry function that the property names in `init(...)`.
    pub entry: String,
    /// The event that must not happen.
    pub forbidden: Forbidden,
}

/// A mistake in a specification file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The file as the user named it.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The text of that line.
    pub source_line: String,
    /// The mistake, and what was expected.
    pub message: String,
    /// Whether the text is right, and about a property that cannot be checked.
    pub unsupported: bool,
}

impl SpecError {
    /// An error at the byte position `at` of `text`.
    pub(super) fn at(file: &Path, text: &str, at: usize, message: impl Into<String>) -> SpecError {
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        SpecError {
            file: file.display().to_string(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            source_line: text[start..].lines().next().unwrap_or("").to_string(),
            message: message.into(),
            unsupported: false,
        }
    }

    /// The same error, as one about a property that cannot be checked.
    fn unsupported(self) -> SpecError {
        SpecError {
            unsupported: true,
            ..self
        }
    }

    /// The mistake in one line.
    pub fn brief(&self) -> String {
        let SpecError {
            file,
            line,
            column,
            message,
            ..
        } = self;
        format!("{file}:{line}:{column}: {message}")
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}:{}:{}: error: {}",
            self.file, self.line, self.column, self.message
        )?;
        writeln!(f, "  {}", self.source_line)?;
        write!(f, "  {}^", " ".repeat(self.column - 1))
    }
}

impl std::error::Error for SpecError {}

/// Formulas of the notation that Provident cannot check, with their usual names.
const UNSUPPORTED: &[(&str, &str)] = &[("data-race", "absence of data races"), ("end", "termination")];

/// The supported properties, for error messages.
const SUPPORTED: &str = "supported are `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-deref`, `G valid-free`, `G valid-memtrack` and `G valid-memcleanup`";

/// Parses the text of a property file.
///
/// `file` gives the properties their name: the file's name without `.prp`; if the file holds several properties, `/` and the
/// function or label is added. Two equal properties in one file are one.
///
/// # Errors
/// Returns the first mistake with its place: wrong syntax, an empty file, or a property kind that is not supported.
pub fn parse_properties(file: &Path, text: &str) -> Result<Vec<PropertySpec>, SpecError> {
    let mut scanner = Scanner { file, text, at: 0 };
    let mut found: Vec<(String, Forbidden)> = Vec::new();
    scanner.skip_space();
    while scanner.at < text.len() {
        let check = scanner.check()?;
        if !found.contains(&check) {
            found.push(check);
        }
        scanner.skip_space();
    }
    if found.is_empty() {
        return Err(scanner.error("the file holds no property; expected `CHECK( init(main()), LTL(G ! call(f())) )`"));
    }
    let stem = property_name(file);
    let several = found.len() > 1;
    Ok(found
        .into_iter()
        .map(|(entry, forbidden)| PropertySpec {
            name: if several {
                format!("{stem}/{}", forbidden.word())
            } else {
                stem.clone()
            },
            entry,
            forbidden,
        })
        .collect())
}

/// The public name of the properties of a file: the file's name without `.prp` or `.spc`.
pub fn property_name(file: &Path) -> String {
    let name = file
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    match name.strip_suffix(".prp").or_else(|| name.strip_suffix(".spc")) {
        Some(stem) => stem.to_string(),
        None => name,
    }
}

/// A position in the text of a property file.
struct Scanner<'t> {
    file: &'t Path,
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn error(&self, message: impl Into<String>) -> SpecError {
        SpecError::at(self.file, self.text, self.at, message)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and `//` comments.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("//") {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn accept(&mut self, token: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str, context: &str) -> Result<(), SpecError> {
        if self.accept(token) {
            Ok(())
        } else {
            Err(self.error(format!("expected `{token}` {context}")))
        }
    }

    /// A word of the notation: letters, digits, `_`, `$`, and `-` inside as in `valid-free`.
    fn word(&mut self, expected: &str) -> Result<&'t str, SpecError> {
        self.skip_space();
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '-'))
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error(format!("expected {expected}")));
        }
        self.at += end;
        Ok(&rest[..end])
    }

    /// `CHECK( init(main()), LTL(formula) )`
    fn check(&mut self) -> Result<(String, Forbidden), SpecError> {
        if self.rest().starts_with("COVER") {
            let error = self.error(format!("test generation (`COVER`) is not supported; {SUPPORTED}"));
            return Err(error.unsupported());
        }
        self.expect(
            "CHECK",
            "at the start of a property, as in `CHECK( init(main()), LTL(G ! call(f())) )`",
        )?;
        self.expect("(", "after `CHECK`")?;
        self.expect(
            "init",
            "with the function in which the program starts, as in `init(main())`",
        )?;
        self.expect("(", "after `init`")?;
        let entry = self.word("the name of the entry function")?.to_string();
        self.expect("(", "after the entry function's name")?;
        self.expect(")", "after `(`; the entry function is given without arguments")?;
        self.expect(")", "at the end of `init(...)`")?;
        self.expect(",", "between `init(...)` and the formula")?;
        self.expect("LTL", "with the formula, as in `LTL(G ! call(f()))`")?;
        self.expect("(", "after `LTL`")?;
        let forbidden = self.formula()?;
        self.expect(")", "at the end of `LTL(...)`")?;
        self.expect(")", "at the end of `CHECK(...)`")?;
        Ok((entry, forbidden))
    }

    /// `G ! call(f())`, `G ! label(L)` or `G ! overflow`.
    fn formula(&mut self) -> Result<Forbidden, SpecError> {
        self.skip_space();
        let start = self.at;
        let operator = self.word("a formula such as `G ! call(f())`")?;
        if operator == "F" {
            self.at = start;
            let error = self.error(format!(
                "liveness properties (`F`, termination) are not supported; {SUPPORTED}"
            ));
            return Err(error.unsupported());
        }
        if operator != "G" {
            self.at = start;
            return Err(self.error(format!("unknown formula; {SUPPORTED}")));
        }
        let negated = self.accept("!");
        self.skip_space();
        let place = self.at;
        let atom = self.word("`call(f())`, `label(L)` or `overflow`")?;
        if let Some((_, kind)) = UNSUPPORTED.iter().find(|(name, _)| *name == atom) {
            self.at = place;
            let error = self.error(format!("{kind} (`{atom}`) is not supported; {SUPPORTED}"));
            return Err(error.unsupported());
        }
        if let Some(kind) = CheckKind::named(atom).filter(|kind| kind.is_about_objects()) {
            if negated {
                self.at = place;
                return Err(self.error(format!(
                    "`{atom}` says that memory is used well: expected no `!` before it"
                )));
            }
            return Ok(Forbidden::Check(kind));
        }
        if !negated {
            self.at = place;
            return Err(self.error(format!("expected `!` before `{atom}`; {SUPPORTED}")));
        }
        let forbidden = match atom {
            "overflow" => return Ok(Forbidden::Check(CheckKind::Overflow)),
            "call" => {
                self.expect("(", "after `call`")?;
                let name = self.word("the name of a function")?.to_string();
                self.expect("(", "after the function's name, as in `call(f())`")?;
                self.expect(
                    ")",
                    "after `(`; every call of the function counts, so no arguments are given",
                )?;
                Forbidden::Call(name)
            }
            "label" => {
                self.expect("(", "after `label`")?;
                Forbidden::Label(self.word("the name of a label")?.to_string())
            }
            _ => {
                self.at = place;
                return Err(self.error(format!("unknown event `{atom}`; {SUPPORTED}")));
            }
        };
        self.expect(")", &format!("at the end of `{atom}(...)`"))?;
        Ok(forbidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let shown = match parse_properties(Path::new("dir/p.prp"), text) {
            Ok(properties) => properties
                .iter()
                .map(|p| format!("{} [{}]: {}\n", p.name, p.entry, p.forbidden))
                .collect(),
            Err(error) => format!("{error}\n"),
        };
        expect.assert_eq(&shown);
    }

    #[test]
    fn one_property_is_named_after_its_file() {
        check(
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
            expect![[r#"
                p [main]: G ! call(reach_error())
            "#]],
        );
    }

    #[test]
    fn several_properties_are_told_apart_by_their_subject() {
        check(
            "// both\nCHECK(init(start()),LTL(G !label(A)))\n\nCHECK( init(start()), LTL(G ! label( B )) )\nCHECK(init(start()),LTL(G !label(A)))",
            expect![[r#"
                p/A [start]: G ! label(A)
                p/B [start]: G ! label(B)
            "#]],
        );
    }

    #[test]
    fn overflow_is_a_sort_of_checks() {
        check(
            "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! label(A)) )",
            expect![[r#"
                p/overflow [main]: G ! overflow
                p/A [main]: G ! label(A)
            "#]],
        );
        let errors = ["LTL(G ! data-race)", "LTL(F end)", "LTL(G ! label())"].map(|formula| {
            let text = format!("CHECK( init(main()), {formula} )");
            parse_properties(Path::new("p.prp"), &text).unwrap_err().unsupported
        });
        assert_eq!(errors, [true, true, false]);
    }

    #[test]
    fn memory_safety_is_three_sorts_of_checks() {
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
            expect![[r#"
                p/valid-free [main]: G valid-free
                p/valid-deref [main]: G valid-deref
                p/valid-memtrack [main]: G valid-memtrack
            "#]],
        );
    }

    #[test]
    fn mistakes_are_shown_at_their_place() {
        check(
            "CHECK( init(main()), LTL(G ! call(f)) )",
            expect![[r#"
                dir/p.prp:1:36: error: expected `(` after the function's name, as in `call(f())`
                  CHECK( init(main()), LTL(G ! call(f)) )
                                                     ^
            "#]],
        );
        check(
            "\nCHECK( init(main()), LTL(G ! data-race) )",
            expect![[r#"
                dir/p.prp:2:30: error: absence of data races (`data-race`) is not supported; supported are `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-deref`, `G valid-free`, `G valid-memtrack` and `G valid-memcleanup`
                  CHECK( init(main()), LTL(G ! data-race) )
                                               ^
            "#]],
        );
        check(
            "CHECK( init(main()), LTL(G ! valid-free) )",
            expect![[r#"
                dir/p.prp:1:30: error: `valid-free` says that memory is used well: expected no `!` before it
                  CHECK( init(main()), LTL(G ! valid-free) )
                                               ^
            "#]],
        );
        check(
            "CHECK( init(main()), LTL(F end) )",
            expect![[r#"
                dir/p.prp:1:26: error: liveness properties (`F`, termination) are not supported; supported are `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-deref`, `G valid-free`, `G valid-memtrack` and `G valid-memcleanup`
                  CHECK( init(main()), LTL(F end) )
                                           ^
            "#]],
        );
        check(
            "",
            expect![[r#"
                dir/p.prp:1:1: error: the file holds no property; expected `CHECK( init(main()), LTL(G ! call(f())) )`
                  
                  ^
            "#]],
        );
    }
}
