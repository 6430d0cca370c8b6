//! The pages of an object, from the first to the last one that was ever touched.
//!
//! An object from outside of the program is an area of a thousand pages, and pointers to it go to its [middle](crate::cfa::program::outside). Few of the pages are
//! touched, and they are close together: so what lies before and behind them takes no memory, and a look at all pages passes over it.

use super::Page;

/// Pages side by side. All others are as they were when the object began to exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    /// The number of the first one; of no meaning if there is none.
    first: u64,
    list: Vec<Page>,
}

impl Pages {
    /// The page with a number, if it is one of them.
    pub(super) fn get(&self, number: u64) -> Option<&Page> {
        let at = number.checked_sub(self.first)?;
        self.list.get(usize::try_from(at).ok()?)
    }

    /// The same for writing. The pages between it and the others become some of them, and are like `blank`.
    pub(super) fn get_mut(&mut self, number: u64, blank: &Page) -> &mut Page {
        if self.list.is_empty() {
            self.first = number;
        }
        if let Some(before) = self.first.checked_sub(number) {
            let before = std::iter::repeat_n(blank.clone(), size(before));
            self.list.splice(0..0, before);
            self.first = number;
        }
        let at = size(number - self.first);
        if at >= self.list.len() {
            self.list.resize(at + 1, blank.clone());
        }
        &mut self.list[at]
    }

    /// The pages with their numbers, in order.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u64, &Page)> {
        (self.first..).zip(&self.list)
    }

    /// The pages, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Page> {
        self.list.iter()
    }

    /// The pages for writing, in order.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Page> {
        self.list.iter_mut()
    }

    /// Numbers that include those of all pages of both.
    pub(super) fn span(&self, other: &Pages) -> std::ops::Range<u64> {
        let ends = [self, other].into_iter().filter(|pages| !pages.list.is_empty());
        let ends = ends.map(|pages| (pages.first, pages.first + count(pages.list.len())));
        let all = ends.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        all.map_or(0..0, |(first, end)| first..end)
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }
}

fn size(number: u64) -> usize {
    usize::try_from(number).expect("an object fits into memory")
}

fn count(number: usize) -> u64 {
    u64::try_from(number).expect("an object fits into memory")
}
