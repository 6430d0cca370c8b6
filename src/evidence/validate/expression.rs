//! Whether the text of a constraint or invariant is one C expression without side effects.
//!
//! The text is put into the program between parentheses, so it must not leave them, and it must not do anything. What it means is for the front end to say.

use crate::evidence::witness::text::{is_name, tokenize};

/// Checks a text.
///
/// # Errors
/// Checks the text of an expression. The error is a sentence fragment that names the mistake.
pub fn check(text: &str) -> Result<(), String> {
    let words: Vec<&str> = tokenize(text.as_bytes())
        .into_iter()
        .filter_map(|r| text.get(r))
        .collect();
    if words.is_empty() || text.contains('#') || text.contains('\n') && text.contains("//") {
        return Err("there is no expression".to_string());
    }
    let mut open = Vec::new();
    for (i, word) in words.iter().enumerate() {
        match *word {
            "(" | "[" => open.push(*word),
            ")" | "]" => {
                let expected = if *word == ")" { "(" } else { "[" };
                if open.pop() != Some(expected) {
                    return Err("brackets do not fit".to_string());
                }
            }
            ";" | "{" | "}" | "\\" | "@" | "?:" => return Err(format!("`{word}` cannot stand in an expression")),
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "++" | "--" => {
                return Err(format!("`{word}` has a side effect"));
            }
            _ => {}
        }
        let called = words.get(i + 1) == Some(&"(");
        if is_name(word) && called && !matches!(*word, "sizeof" | "__typeof__" | "typeof" | "_Alignof" | "__alignof__")
        {
            return Err(format!("`{word}` is called"));
        }
        if *word == ")" && called && i > 0 && words.get(i.wrapping_sub(1)).is_some_and(|w| *w == ")") {
            return Err("something is called".to_string());
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err("brackets do not fit".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_expressions_without_effects_pass() {
        for good in [
            "x >= 0",
            "a[i] == *p && (int) x->y != 3",
            "sizeof(int) == 4U",
            "(x) == (y)",
            "!(a && b) || c",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "x = 1",
            "x++",
            "f(x)",
            "1); g(",
            "(1",
            "x; y",
            "({ 1; })",
            "1 // \n)",
            "#define x",
            "(*f)((x))(1)",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
