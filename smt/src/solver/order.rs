//! The decision order: variables by activity (VSIDS, Moskewicz et al. 2001, in the exponential form of Minisat).
//!
//! Activities are floats, but each run does the same operations in the same order, so they are as deterministic as integers.
//! Ties go to the older variable.

use crate::proof::Var;

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 1.0 / 0.95;
const RESCALE: f64 = 1e100;

/// A binary max-heap of variables by activity.
pub(super) struct Order {
    heap: Vec<Var>,
    position: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    pub fn new() -> Self {
        Order {
            heap: Vec::new(),
            position: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
        }
    }

    /// Makes room for one more variable, which is not in the heap yet.
    pub fn add_var(&mut self, activity: f64) {
        self.position.push(ABSENT);
        self.activity.push(activity);
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a.index()], self.activity[b.index()]);
        x > y || (x == y && a < b)
    }

    /// Puts a variable into the heap if it is not there.
    pub fn insert(&mut self, var: Var) {
        if self.position[var.index()] == ABSENT {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes the variable of highest activity.
    pub fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop().expect("the heap is not empty");
        self.position[top.index()] = ABSENT;
        if last != top {
            self.heap[0] = last;
            self.position[last.index()] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// Raises the activity of a variable.
    pub fn bump(&mut self, var: Var) {
        self.activity[var.index()] += self.increment;
        if self.activity[var.index()] > RESCALE {
            for a in &mut self.activity {
                *a /= RESCALE;
            }
            self.increment /= RESCALE;
        }
        if self.position[var.index()] != ABSENT {
            self.up(self.position[var.index()] as usize);
        }
    }

    /// Makes all later bumps weigh more.
    pub fn decay(&mut self) {
        self.increment *= DECAY;
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.place(at, self.heap[parent]);
            at = parent;
        }
        self.place(at, var);
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.place(at, self.heap[child]);
            at = child;
        }
        self.place(at, var);
    }

    fn place(&mut self, at: usize, var: Var) {
        self.heap[at] = var;
        self.position[var.index()] = at as u32;
    }
}
