//! Work on many items at once: a test that goes through many programs one by one would leave all other processors idle when it is the last one.
//!
//! The threads are not those of `rayon`: one of them that waits for the engine's threads would begin with another item meanwhile, on the same stack.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The problems that `work` finds with each item, in the order of the items.
pub fn problems<T: Sync>(items: &[T], work: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![Vec::new(); items.len()]);
    let worker = || {
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(number)
        {
            let problems = work(item);
            found.lock().expect("nobody panics here")[number] = problems;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(worker);
        }
    });
    found.into_inner().expect("nobody panics here").concat()
}
