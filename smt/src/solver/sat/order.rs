//! The decision order: variables by activity (VSIDS, Moskewicz et al. 2001, in the exponential form of Minisat).
//!
//! Activities are integers: the increment grows by a nineteenth with each conflict (a decay of 0.95), and all activities are scaled
//! down together when one gets large. An activity too small to survive that has not been bumped for hundreds of conflicts. Ties go to the older
//! variable.
//!
//! Only variables of some activity are in the heap, and only those that were in conflicts recently are handed out. The others are
//! decided as the formulas need them (see the sibling `justify`).

use crate::proof::Var;

const ABSENT: u32 = u32::MAX;
/// The increment at the start.
pub(in crate::solver) const INCREMENT: u64 = 1 << 16;
/// The reciprocal of the increment's relative growth.
const GROWTH: u64 = 19;
/// A variable is active while its activity is at least the increment without this number of bits: for about eighty conflicts.
const RECENT: u32 = 6;
/// An activity above this one makes all of them smaller. The increment is below it, so sums fit.
const LARGE: u64 = 1 << 61;
/// By how many bits they get smaller.
const RESCALE: u32 = 40;

/// A binary max-heap of variables by activity.
pub(in crate::solver) struct Order {
    heap: Vec<Var>,
    position: Vec<u32>,
    activity: Vec<u64>,
    increment: u64,
}

impl Order {
    pub fn new() -> Self {
        Order {
            heap: Vec::new(),
            position: Vec::new(),
            activity: Vec::new(),
            increment: INCREMENT,
        }
    }

    /// Makes room for one more variable, which is not in the heap yet.
    pub fn add_var(&mut self, activity: u64) {
        self.position.push(ABSENT);
        self.activity.push(activity);
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a.index()], self.activity[b.index()]);
        x > y || (x == y && a < b)
    }

    /// Puts a variable into the heap if it is not there and has any activity.
    pub fn insert(&mut self, var: Var) {
        if self.position[var.index()] == ABSENT && self.activity[var.index()] > 0 {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes the variable of highest activity, if it took part in one of the last conflicts.
    pub fn pop_active(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        if self.activity[top.index()] < self.increment >> RECENT {
            return None;
        }
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
        if self.activity[var.index()] > LARGE {
            self.rescale();
        }
        if self.position[var.index()] != ABSENT {
            self.up(self.position[var.index()] as usize);
        }
    }

    /// Makes all later bumps weigh more.
    pub fn decay(&mut self) {
        self.increment += self.increment / GROWTH;
        if self.increment > LARGE {
            self.rescale();
        }
    }

    /// Makes all activities smaller. Different ones may get equal, which changes the order, so the heap is built again.
    fn rescale(&mut self) {
        for activity in &mut self.activity {
            *activity >>= RESCALE;
        }
        self.increment >>= RESCALE;
        for at in (0..self.heap.len() / 2).rev() {
            self.down(at);
        }
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
