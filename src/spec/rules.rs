//! The built-in rules: how drivers have to use the interfaces of the Linux kernel.
//!
//! These are the fourteen safety properties of Apel, Beyer, Mordan, Mutilin and Stahlbauer (*On-the-fly decomposition of specifications in software model checking*, FSE 2016, table 4), written
//! as [automata](super::automaton). The head of each file says what the rule is about, what violates it, which functions it knows, and what it takes for granted. The patterns name families
//! of functions: the plain name of the kernel, and the forms that the instrumentation of driver verification tasks gives it (`ldv_mutex_lock_7`); a wrapper and the function that it wraps count once.

use super::automaton::{Specification, parse_specification};
use std::path::Path;

/// A rule: its name and its text.
pub type Rule = (&'static str, &'static str);

macro_rules! rules {
    ($($name:literal),* $(,)?) => {
        /// All rules, by number.
        pub const RULES: &[Rule] = &[$(($name, include_str!(concat!("rules/", $name, ".spc")))),*];
    };
}

rules![
    "08_1a", "10_1a", "32_1a", "43_1a", "68_1a", "68_1b", "77_1a", "101_1a", "106_1a", "118_1a", "129_1a", "132_1a",
    "134_1a", "147_1a",
];

/// The rules that a name stands for: `linux` for all, else one, or several with commas in between.
///
/// # Errors
/// The part that names no rule.
pub fn rules_named(names: &str) -> Result<Vec<Rule>, &str> {
    let mut found: Vec<Rule> = Vec::new();
    for name in names.split(',').map(str::trim) {
        let rules: Vec<&Rule> = match name {
            "linux" => RULES.iter().collect(),
            _ => vec![RULES.iter().find(|(known, _)| *known == name).ok_or(name)?],
        };
        for rule in rules {
            if !found.contains(rule) {
                found.push(*rule);
            }
        }
    }
    Ok(found)
}

/// A rule as a specification with one automaton.
pub fn specification((name, text): Rule) -> Specification {
    let include = |_: &Path| Err("rules include nothing".into());
    let parsed = parse_specification(Path::new(name), text, &include);
    parsed.unwrap_or_else(|error| panic!("the rule is ours: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_one_documented_automaton() {
        assert_eq!(RULES.len(), 14);
        for &(name, text) in RULES {
            let automata = specification((name, text)).automata;
            assert_eq!(automata.len(), 1, "{name}");
            assert_eq!(automata[0].name, format!("rule_{name}"));
            for part in [&format!("// Rule {name}: "), "// Violation", "// Functions: "] {
                assert!(text.contains(part), "{name}: the head lacks `{part}`");
            }
        }
    }

    #[test]
    fn names_stand_for_rules() {
        let names = |text| rules_named(text).map(|rules| rules.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        assert_eq!(names("linux").unwrap().len(), 14);
        assert_eq!(names("43_1a, 32_1a,43_1a"), Ok(vec!["43_1a", "32_1a"]));
        assert_eq!(names("32_1a,none"), Err("none"));
    }

    #[test]
    fn families_know_plain_and_instrumented_names() {
        let watches = |rule: &str, function: &str| {
            let rule = rules_named(rule).unwrap()[0];
            specification(rule).automata[0].watches(function)
        };
        for name in [
            "mutex_lock",
            "ldv_mutex_lock_12",
            "mutex_lock_nested",
            "ldv_mutex_lock_interruptible_3",
            "atomic_dec_and_mutex_lock",
        ] {
            assert!(watches("32_1a", name), "{name}");
        }
        assert!(!watches("32_1a", "ldv_mutex_lock_of_device"));
        for name in [
            "__module_get",
            "ldv_module_get",
            "ldv___module_get_4",
            "try_module_get",
            "module_put",
        ] {
            assert!(watches("08_1a", name), "{name}");
        }
        for name in [
            "spin_lock",
            "_raw_spin_lock_irqsave",
            "ldv_spin_lock_7",
            "spin_unlock_irqrestore",
            "kmalloc",
            "vmalloc",
        ] {
            assert!(watches("43_1a", name), "{name}");
        }
    }
}
