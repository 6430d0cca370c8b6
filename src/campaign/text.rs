//! Texts that stand in many runs are kept once: names of tasks, configurations and properties, verdicts, reasons.
//!
//! A hundred thousand runs have a few configurations, a few verdicts and half as many names of tasks. As strings of their own these texts took more memory than all numbers of the runs together.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A text that is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Arc<str>);

/// A list of texts that is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Texts(Arc<[Text]>);

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.into())
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        &**self == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        &**self == *other
    }
}

impl Deref for Texts {
    type Target = [Text];

    fn deref(&self) -> &[Text] {
        &self.0
    }
}

impl Borrow<[Text]> for Texts {
    fn borrow(&self) -> &[Text] {
        &self.0
    }
}

impl<'l> IntoIterator for &'l Texts {
    type Item = &'l Text;
    type IntoIter = std::slice::Iter<'l, Text>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'t> FromIterator<&'t str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Texts {
        Texts(texts.into_iter().map(Text::from).collect())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

/// The texts and lists that are there already.
#[derive(Debug, Default)]
pub struct Interner {
    texts: HashSet<Text>,
    lists: HashSet<Texts>,
}

impl Interner {
    /// The text, shared with all that are equal.
    pub fn text(&mut self, text: &str) -> Text {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new = Text::from(text);
        self.texts.insert(new.clone());
        new
    }

    /// The list, shared with all that are equal.
    pub fn list<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Texts {
        let list: Vec<Text> = texts.into_iter().map(|text| self.text(text)).collect();
        if let Some(known) = self.lists.get(list.as_slice()) {
            return known.clone();
        }
        let new = Texts(list.into());
        self.lists.insert(new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_and_lists_are_one() {
        let mut interner = Interner::default();
        let (a, b) = (interner.text("a"), interner.text("a"));
        assert!(Arc::ptr_eq(&a.0, &b.0) && a != interner.text("b"));
        let (one, other) = (interner.list(["a", "b"]), interner.list(["a", "b"]));
        assert!(Arc::ptr_eq(&one.0, &other.0) && Arc::ptr_eq(&one[0].0, &a.0));
        assert!(interner.list([]).is_empty() && interner.list(["b"]) != one);
    }
}
