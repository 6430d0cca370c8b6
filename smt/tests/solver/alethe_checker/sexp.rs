//! S-expressions, read from a text.

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

/// Reads all S-expressions of a text.
pub fn read(text: &str) -> Vec<Sexp> {
    let mut stack: Vec<Vec<Sexp>> = vec![Vec::new()];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => stack.push(Vec::new()),
            b')' => {
                let list = stack.pop().expect("balanced");
                stack.last_mut().expect("balanced").push(Sexp::List(list));
            }
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b if b.is_ascii_whitespace() => {}
            quote @ (b'"' | b'|') => {
                let end = at + 1 + text[at + 1..].find(quote as char).expect("a closing quote");
                let inside = if quote == b'|' {
                    &text[at + 1..end]
                } else {
                    &text[at..=end]
                };
                stack.last_mut().expect("balanced").push(Sexp::Atom(inside.to_owned()));
                at = end;
            }
            _ => {
                let end = text[at..].find(|c: char| c.is_whitespace() || "()\";|".contains(c));
                let end = end.map_or(text.len(), |length| at + length);
                stack
                    .last_mut()
                    .expect("balanced")
                    .push(Sexp::Atom(text[at..end].to_owned()));
                at = end - 1;
            }
        }
        at += 1;
    }
    assert_eq!(stack.len(), 1, "balanced");
    stack.pop().expect("balanced")
}
