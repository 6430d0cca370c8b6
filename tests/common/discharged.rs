//! Proof obligations of programs with the labels `A` and `B`: what they are about, and which of them are open.

use provident::cfa::Program;
use provident::engine::Property;
use provident::evidence::obligations::Obligations;
use provident::evidence::obligations::discharge::{Allowed, discharge_all};

/// The property that neither label is reached.
pub fn properties(program: &Program) -> Vec<Property> {
    let property = |label: &str| Property {
        name: label.to_string(),
        targets: program.edges_labelled(label),
        ..Property::default()
    };
    ["A", "B"].map(property).to_vec()
}

/// The files that are not discharged, with the reasons.
pub fn open(made: &Obligations) -> Vec<(String, String)> {
    let mut read = |name: &str| {
        let found = made.scripts.iter().find(|(file, _)| file == name);
        found.map(|(_, text)| text.clone()).ok_or(format!("no file {name}"))
    };
    discharge_all(&made.manifest, &Allowed::default(), &mut read).expect("every script is there")
}

/// The lines of a script that are assertions.
pub fn assertions(script: &str) -> Vec<usize> {
    let lines = script.lines().enumerate();
    lines
        .filter(|(_, line)| line.starts_with("(assert "))
        .map(|(number, _)| number)
        .collect()
}

/// A script with another text in one line.
pub fn with_line(script: &str, number: usize, text: &str) -> String {
    let lines = script.lines().enumerate();
    lines
        .map(|(at, line)| {
            if at == number {
                format!("{text}\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect()
}

/// The files that are not discharged once one script asserts falsehood in a line.
pub fn open_with_falsehood(made: &Obligations, position: usize, line: usize) -> Vec<(String, String)> {
    let mut wrong = made.clone();
    let script = &mut wrong.scripts[position].1;
    *script = with_line(script, line, "(assert false)");
    open(&wrong)
}
