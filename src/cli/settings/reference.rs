//! The reference of all options as Markdown, made from the table: `src/guide/options.md`.
//!
//! After a change of the table, `UPDATE_EXPECT=1 cargo test the_reference_is_up_to_date` writes the file anew.

use super::options::{Command, Entry, Section, options};
use std::fmt::Write;

/// The reference.
pub fn reference() -> String {
    let mut text = String::from(
        "# Options\n\n\
        This page is made from the table of options; a test holds that it is up to date.\n\n\
        An option `KEY` is given as `--KEY VALUE`, as `--set KEY=VALUE`, or as `KEY = VALUE` in the file of `--config` (TOML; `a.b = 1` may be written as `b = 1` in the table `[a]`). \
        Options that are marked *set* have no form of their own on the command line. The command line overrules the file. An option that has no effect beside the others is an error. \
        The JSON report of `verify` lists all options with the values that were used, under `configuration`.\n",
    );
    for section in Section::ALL {
        writeln!(text, "\n## {}\n", section.title()).expect("writing to a string");
        for option in options().filter(|option| option.section() == section) {
            write(option, &mut text);
        }
    }
    text
}

fn write(option: &dyn Entry, text: &mut String) {
    let mut line = |part: &str| {
        text.push_str(part);
        text.push('\n');
    };
    let form = match (option.is_set_only(), option.is_flag()) {
        (true, _) => format!("- **`{}`** (*set*)", option.key()),
        (false, true) => format!("- **`--{}`**", option.key()),
        (false, false) => match option.short() {
            Some(letter) => format!("- **`-{letter} {0}`, `--{1} {0}`**", option.value_name(), option.key()),
            None => format!("- **`--{} {}`**", option.key(), option.value_name()),
        },
    };
    line(&format!("{form}: {}.", escaped(option.help())));
    for (word, meaning) in option.words() {
        line(&format!("  - `{word}`: {}", escaped(meaning)));
    }
    let default = option.default();
    let default = match default.is_empty() {
        true => "none".to_string(),
        false if option.accepts(&default) => format!("`{default}`"),
        false => escaped(&default),
    };
    let commands: Vec<&str> = option.commands().iter().copied().map(Command::name).collect();
    line(&format!("\n  Default: {default}. Commands: {}.\n", commands.join(", ")));
}

/// Characters that mean something in Markdown or HTML.
fn escaped(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "&lt;").replace('[', "\\[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_up_to_date() {
        expect_test::expect_file!["../../guide/options.md"].assert_eq(&reference());
    }
}
