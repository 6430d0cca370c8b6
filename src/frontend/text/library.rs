//! The sources of a library with their index; [`syntax::library`](crate::frontend::syntax::library) reads them.

use provident_smt::hash::FxHashMap;

/// One C file of a library.
#[derive(Debug)]
pub struct File {
    /// Its name, as positions show it.
    pub name: &'static str,
    /// Its text, without directives for the preprocessor.
    pub text: &'static str,
    /// Whether its functions only stand for pointers: calls by name mean an operation that lowering knows.
    pub for_pointers: bool,
}

/// A library with its index.
#[derive(Debug)]
pub struct Library {
    /// The declarations that all files share.
    pub(in crate::frontend) declarations: &'static File,
    pub(in crate::frontend) files: &'static [File],
    pub(in crate::frontend) index: FxHashMap<&'static str, usize>,
    /// Where variables that programs know are defined: `stdin`.
    pub(in crate::frontend) variables: FxHashMap<&'static str, usize>,
}

impl Library {
    /// Indexes a library. A definition that others may use begins in the first column, is not `static`, and has its parameters and `{` on its first line.
    /// Linear in the text.
    pub fn new(declarations: &'static File, files: &'static [File]) -> Library {
        let (mut index, mut variables) = (FxHashMap::default(), FxHashMap::default());
        for (i, file) in files.iter().enumerate() {
            for name in file.text.lines().filter_map(defined_name) {
                index.insert(name, i);
            }
            for name in file.text.lines().filter_map(defined_variable) {
                variables.insert(name, i);
            }
        }
        Library {
            declarations,
            files,
            index,
            variables,
        }
    }

    /// The names of the functions that the library defines, sorted, with their files.
    pub fn functions(&self) -> Vec<(&'static str, &'static str)> {
        let mut list: Vec<_> = self
            .index
            .iter()
            .map(|(&name, &i)| (name, self.files[i].name))
            .collect();
        list.sort_unstable();
        list
    }

    /// The name under which the library knows a function, if it does: compilers and headers decorate it.
    pub fn name_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        plain_names(name).find(|n| self.index.contains_key(n))
    }
}

/// The name that a line begins to define.
fn defined_name(line: &'static str) -> Option<&'static str> {
    let head = line.strip_suffix(" {")?;
    if !head.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || head.starts_with("static ") {
        return None;
    }
    let before = head.split_once('(')?.0;
    before.rsplit([' ', '*']).next().filter(|name| !name.is_empty())
}

/// The variable with an initialiser that a line defines.
fn defined_variable(line: &'static str) -> Option<&'static str> {
    let (head, _) = line.strip_suffix(';')?.split_once(" = ")?;
    if !head.starts_with(|c: char| c.is_ascii_alphabetic()) || head.starts_with("static ") {
        return None;
    }
    head.rsplit([' ', '*']).next().filter(|name| !name.is_empty())
}

/// A name and what is left of it when the decorations of compilers and headers are taken off: `__builtin_`, `__x_chk`, `__isoc99_`.
fn plain_names(name: &str) -> impl Iterator<Item = &str> {
    let bare = name.strip_prefix("__builtin_").unwrap_or(name);
    let unchecked = bare.strip_prefix("__").and_then(|n| n.strip_suffix("_chk"));
    let versioned = ["__isoc99_", "__isoc23_", "__GI_"]
        .iter()
        .find_map(|prefix| bare.strip_prefix(prefix));
    [Some(name), Some(bare), unchecked, versioned].into_iter().flatten()
}
