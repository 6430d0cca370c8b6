//! Programs of several files, in a folder of their own.

use crate::command;
use std::fs;
use std::path::PathBuf;
use std::process::{Output, Stdio};

/// A folder with the files of a program, removed at the end. All commands run in it.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A folder that the name tells from those of other tests.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("provident-units-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        for (file, text) in files {
            folder.write(file, text);
        }
        folder
    }

    /// Writes a file, with its folders.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A file that is there.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Runs the command line.
    pub fn run(&self, arguments: &[&str]) -> Output {
        command::provident(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Standard output and standard error.
    pub fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    /// The last line of a verification; all that it says if there is none.
    pub fn verdict(&self, arguments: &[&str]) -> String {
        let text = self.text(arguments);
        let line = text.lines().find(|line| line.starts_with("VERDICT"));
        line.map_or_else(|| text.clone(), str::to_owned)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The files of a program: each begins with a line `// FILE name`.
pub fn split(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("// FILE ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).collect()
}

/// Those of them that are C.
pub fn names<'a>(files: &[(&'a str, &str)]) -> Vec<&'a str> {
    files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.ends_with(".c"))
        .collect()
}
