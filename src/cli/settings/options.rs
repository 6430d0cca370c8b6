//! The one table of options. It feeds the parser, the help texts, the configuration file, `--set`, the reference for users, and the report of a run.
//!
//! An option is an [`Opt`]: its key, the type of its values, its default, which commands have it, what it does, and beside which others it has no effect. The
//! [type](super::value::Value) reads and prints the values and lists those that are allowed. The input of the user becomes [`Settings`]: texts that were checked
//! against the table. A command reads them through the options themselves, so that a misspelt key or a value of another type does not compile. Reading is
//! recorded: a test holds that every option of the table is read by the commands that offer it.
//!
//! Precedence, from weak to strong: default, configuration file, `--set` and the option itself (the later on the command line
//! cannot overrule: giving both is an error).

use super::error::SettingError;
use super::knobs::KNOBS;
use super::table::COMMAND_LINE;
use super::value::{Value, Word};
use crate::report::configuration::OptionValue;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The commands with options from the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `provident verify`
    Verify,
    /// `provident cfa`
    Cfa,
    /// `provident features`
    Features,
    /// `provident smt`
    Smt,
    /// `provident campaign`
    Campaign,
    /// `provident discharge`
    Discharge,
    /// `provident check`
    Check,
    /// `provident study`
    Study,
    /// `provident study train`
    Train,
    /// `provident join`
    Join,
    /// `provident slurm`
    Slurm,
    /// `provident queries`
    Queries,
    /// `provident benchexec-import` and `benchexec-export`
    Benchexec,
}

impl Command {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Command::Verify => "verify",
            Command::Cfa => "cfa",
            Command::Features => "features",
            Command::Smt => "smt",
            Command::Campaign => "campaign",
            Command::Discharge => "discharge",
            Command::Check => "check",
            Command::Study => "study",
            Command::Train => "study train",
            Command::Join => "join",
            Command::Slurm => "slurm",
            Command::Queries => "queries",
            Command::Benchexec => "benchexec-import",
        }
    }
}

/// The sections of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Programs and properties.
    Input,
    /// The meaning of programs.
    Language,
    /// Limits.
    Limits,
    /// Reports and evidence.
    Output,
    /// The stages.
    Stages,
    /// Explicit values.
    Explicit,
    /// The abstraction.
    Abstraction,
    /// Its refinement.
    Refinement,
    /// Several properties.
    Properties,
    /// Interpolation for scripts.
    Solver,
    /// Campaigns and studies.
    Experiments,
}

impl Section {
    /// All sections, in the order of the reference.
    pub const ALL: [Section; 11] = [
        Section::Input,
        Section::Language,
        Section::Limits,
        Section::Output,
        Section::Stages,
        Section::Explicit,
        Section::Abstraction,
        Section::Refinement,
        Section::Properties,
        Section::Solver,
        Section::Experiments,
    ];

    /// The title.
    pub fn title(self) -> &'static str {
        match self {
            Section::Input => "Programs and properties",
            Section::Language => "The meaning of programs",
            Section::Limits => "Limits and threads",
            Section::Output => "Reports, evidence and checks",
            Section::Stages => "Stages",
            Section::Explicit => "Explicit values",
            Section::Abstraction => "Predicate abstraction",
            Section::Refinement => "Refinement",
            Section::Properties => "Several properties, specification automata",
            Section::Solver => "Interpolation of scripts",
            Section::Experiments => "Campaigns and studies",
        }
    }
}

/// The value of an option that is not given.
#[derive(Debug)]
pub enum Fallback<T> {
    /// This value.
    Is(T),
    /// A value that depends on the task, the machine or other options, in words.
    Words(&'static str),
    /// There is none.
    Nothing,
}

/// Beside which other setting an option has no effect, if it has none: the words for that other setting.
pub type Unless = fn(&Settings) -> Option<&'static str>;

/// An option with the type of its values.
pub struct Opt<T: 'static> {
    key: &'static str,
    section: Section,
    fallback: Fallback<T>,
    help: &'static str,
    commands: &'static [Command],
    value: &'static str,
    many: bool,
    passed_on: bool,
    set_only: bool,
    short: Option<char>,
    unless: Option<Unless>,
}

impl<T: 'static> Opt<T> {
    /// An option. The help is one or two sentences without full stop at the end.
    pub const fn new(key: &'static str, section: Section, fallback: Fallback<T>, help: &'static str) -> Opt<T> {
        Opt {
            key,
            section,
            fallback,
            help,
            commands: &[],
            value: "VALUE",
            many: false,
            passed_on: false,
            set_only: false,
            short: None,
            unless: None,
        }
    }

    /// The same for these commands.
    pub const fn of(mut self, commands: &'static [Command]) -> Opt<T> {
        self.commands = commands;
        self
    }

    /// The same with this name of the value in help.
    pub const fn value(mut self, value: &'static str) -> Opt<T> {
        self.value = value;
        self
    }

    /// The same as an option that may be repeated.
    pub const fn many(mut self) -> Opt<T> {
        self.many = true;
        self
    }

    /// The same as an option whose value is options of another program: it may begin with a hyphen.
    pub const fn passed_on(mut self) -> Opt<T> {
        self.passed_on = true;
        self
    }

    /// The same as a knob of the analyses, not of daily use, which only `--set` and files reach.
    pub const fn set_only(mut self) -> Opt<T> {
        self.set_only = true;
        self
    }

    /// The same with a form of one letter, as compilers have it.
    pub const fn short(mut self, letter: char) -> Opt<T> {
        self.short = Some(letter);
        self
    }

    /// The same with the condition under which it has no effect.
    pub const fn unless(mut self, unless: Unless) -> Opt<T> {
        self.unless = Some(unless);
        self
    }
}

/// An option without the type of its values.
pub trait Entry: Sync {
    /// The key: `--KEY` on the command line, `KEY` in files and `--set`.
    fn key(&self) -> &'static str;
    /// The section of the reference.
    fn section(&self) -> Section;
    /// The commands that have it.
    fn commands(&self) -> &'static [Command];
    /// How help names the value.
    fn value_name(&self) -> &'static str;
    /// Whether it may be repeated.
    fn is_many(&self) -> bool;
    /// Whether its value is options of another program, which may begin with a hyphen.
    fn is_passed_on(&self) -> bool;
    /// Whether it has no value on the command line.
    fn is_flag(&self) -> bool;
    /// Whether only `--set` and files reach it.
    fn is_set_only(&self) -> bool;
    /// Its form of one letter.
    fn short(&self) -> Option<char>;
    /// One or two sentences.
    fn help(&self) -> &'static str;
    /// The default in words or as a value; empty if there is none.
    fn default(&self) -> String;
    /// The allowed values with their meaning, if they can be listed.
    fn words(&self) -> &'static [Word];
    /// The texts that are values.
    fn expected(&self) -> String;
    /// Beside which other setting it has no effect.
    fn without_effect(&self, settings: &Settings) -> Option<&'static str>;
    /// The values of a user, or the default, for reports.
    fn report(&self, given: Option<&[String]>) -> OptionValue;
    /// Whether a text is a value.
    fn accepts(&self, text: &str) -> bool;
}

impl<T: Value> Entry for Opt<T> {
    fn key(&self) -> &'static str {
        self.key
    }

    fn section(&self) -> Section {
        self.section
    }

    fn commands(&self) -> &'static [Command] {
        self.commands
    }

    fn value_name(&self) -> &'static str {
        self.value
    }

    fn is_many(&self) -> bool {
        self.many
    }

    fn is_passed_on(&self) -> bool {
        self.passed_on
    }

    fn is_flag(&self) -> bool {
        T::FLAG
    }

    fn is_set_only(&self) -> bool {
        self.set_only
    }

    fn short(&self) -> Option<char> {
        self.short
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn default(&self) -> String {
        match &self.fallback {
            Fallback::Is(value) => value.print(),
            Fallback::Words(words) => (*words).to_string(),
            Fallback::Nothing => String::new(),
        }
    }

    fn words(&self) -> &'static [Word] {
        T::words()
    }

    fn expected(&self) -> String {
        T::expected()
    }

    fn without_effect(&self, settings: &Settings) -> Option<&'static str> {
        self.unless.and_then(|unless| unless(settings))
    }

    fn report(&self, given: Option<&[String]>) -> OptionValue {
        let values = given.into_iter().flatten().filter_map(|text| T::parse(text));
        let mut values = values.map(|value| value.report());
        if self.many {
            return OptionValue::List(values.collect());
        }
        match (values.next(), &self.fallback) {
            (Some(value), _) => value,
            (None, Fallback::Is(value)) => value.report(),
            (None, _) => OptionValue::Unset,
        }
    }

    fn accepts(&self, text: &str) -> bool {
        T::parse(text).is_some()
    }
}

/// All options, in the order of the help.
pub fn options() -> impl Iterator<Item = &'static dyn Entry> {
    COMMAND_LINE.iter().chain(KNOBS).copied()
}

/// The options of a command, in the order of the help.
pub fn options_of(command: Command) -> impl Iterator<Item = &'static dyn Entry> {
    options().filter(move |option| option.commands().contains(&command))
}

/// Checks a value as text.
///
/// # Errors
/// Says what was expected.
pub fn check(option: &dyn Entry, value: &str) -> Result<(), SettingError> {
    match option.accepts(value) {
        true => Ok(()),
        false => Err(SettingError::NoValue {
            key: option.key(),
            value: value.to_string(),
            expected: option.expected(),
        }),
    }
}

/// Help with the default and, for choices, the words.
pub fn long_help(option: &dyn Entry) -> String {
    let mut text = option.help().to_string();
    let words: Vec<&str> = option.words().iter().map(|(word, _)| *word).collect();
    if !words.is_empty() {
        text.push_str(&format!(" [one of: {}]", words.join(", ")));
    }
    let default = option.default();
    if !default.is_empty() && !option.is_flag() {
        text.push_str(&format!(" [default: {default}]"));
    }
    text
}

/// The settings of the user: values by key, checked against the table.
#[derive(Debug, Default)]
pub struct Settings {
    values: BTreeMap<&'static str, Vec<String>>,
    read: RefCell<BTreeSet<&'static str>>,
}

impl Settings {
    /// Sets an option, replacing what a weaker source said.
    ///
    /// # Errors
    /// Refuses keys that the command does not have and values that the table does not allow.
    pub fn set(&mut self, command: Command, key: &str, values: Vec<String>) -> Result<(), SettingError> {
        let Some(option) = options_of(command).find(|option| option.key() == key) else {
            return Err(SettingError::Unknown {
                key: key.to_string(),
                known: options_of(command).map(|option| option.key()).collect(),
            });
        };
        for value in &values {
            check(option, value)?;
        }
        if values.len() != 1 && !option.is_many() {
            return Err(SettingError::Several(key.to_string()));
        }
        self.values.insert(option.key(), values);
        Ok(())
    }

    /// Whether the option was given, without reading it.
    pub fn is_set(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// The texts that were given, without reading them.
    pub fn given(&self, key: &str) -> Option<&[String]> {
        self.values.get(key).map(Vec::as_slice)
    }

    fn texts(&self, key: &'static str) -> &[String] {
        self.read.borrow_mut().insert(key);
        self.given(key).unwrap_or_default()
    }

    /// The value that was given.
    pub fn get<T: Value>(&self, option: &'static Opt<T>) -> Option<T> {
        let text = self.texts(option.key).first()?;
        Some(T::parse(text).expect("the values were checked"))
    }

    /// The value that was given, or the default.
    ///
    /// # Panics
    /// The default of the option is no value: that is a mistake in the code that reads it.
    pub fn value<T: Value>(&self, option: &'static Opt<T>) -> T {
        match (self.get(option), &option.fallback) {
            (Some(value), _) => value,
            (None, Fallback::Is(value)) => value.clone(),
            (None, _) => panic!("the default of `{}` is no value", option.key),
        }
    }

    /// All values that were given for an option that may be repeated.
    pub fn all<T: Value>(&self, option: &'static Opt<T>) -> Vec<T> {
        self.texts(option.key)
            .iter()
            .filter_map(|text| T::parse(text))
            .collect()
    }

    /// The keys that were read so far.
    pub fn keys_read(&self) -> Vec<&'static str> {
        self.read.borrow().iter().copied().collect()
    }

    /// The given settings as `KEY=VALUE`, for reports.
    pub fn describe(&self) -> Vec<String> {
        self.values
            .iter()
            .flat_map(|(key, values)| values.iter().map(move |value| format!("{key}={value}")))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(key: &str) -> Option<&'static dyn Entry> {
        options().find(|option| option.key() == key)
    }

    #[test]
    fn keys_are_unique_and_described() {
        let mut seen = BTreeSet::new();
        for option in options() {
            let key = option.key();
            assert!(seen.insert(key), "`{key}` stands twice");
            let help = option.help();
            assert!(
                help.len() > 10 && !help.ends_with('.'),
                "`{key}` needs a help text without full stop"
            );
            assert!(!option.commands().is_empty(), "`{key}` belongs to no command");
            for (word, meaning) in option.words() {
                assert!(option.accepts(word) && !meaning.is_empty(), "`{key}={word}`");
            }
        }
    }

    #[test]
    fn values_are_checked_against_the_table() {
        let check = |key: &str, value: &str| check(find(key).unwrap(), value);
        assert!(check("threads", "0").is_err() && check("threads", "x").is_err() && check("threads", "8").is_ok());
        assert!(check("cpu-limit", "-1").is_err() && check("cpu-limit", "0.5").is_ok());
        assert!(check("shard", "3/2").is_err() && check("shard", "0/2").is_err() && check("shard", "2/2").is_ok());
        let error = check("data-model", "LLP64").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`LLP64` is no value for `data-model`; expected one of ILP32, LP64"
        );
        let mut settings = Settings::default();
        assert!(settings.set(Command::Cfa, "strict", vec!["true".to_string()]).is_err());
    }
}
