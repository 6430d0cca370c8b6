//! Measures the enumeration on problems of predicate-abstraction shape: `allsat_shape PREDICATES BLOCKS SEED`.
//!
//! A path of a few blocks over three variables and a function, and random predicates on the last versions.

use provident_smt::allsat::{AllSatAnswer, all_sat};
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::{Config, Solver};
use provident_smt::term::{TermId, TermPool};
use std::time::Instant;

/// A small linear congruential generator: the examples repeat on every machine.
struct Random(u64);

impl Random {
    fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let span = u64::try_from(high - low + 1).expect("low <= high");
        low + i64::try_from((self.0 >> 33) % span).expect("small span")
    }
}

struct Shape {
    pool: TermPool,
    random: Random,
}

impl Shape {
    fn var(&mut self, which: usize, index: u32) -> TermId {
        let name = self.pool.symbol(["x", "y", "z"][which]);
        self.pool.int_var(name, index)
    }

    fn apply(&mut self, argument: TermId) -> TermId {
        let name = self.pool.symbol("f");
        self.pool.app(name, 0, &[argument])
    }

    fn plus(&mut self, a: TermId, offset: i64) -> TermId {
        let offset = self.pool.int(offset);
        self.pool.add(a, offset)
    }

    fn start(&mut self) -> TermId {
        let [x, y, z] = [0, 1, 2].map(|which| self.var(which, 0));
        let [zero, twenty, low, high] = [0, 20, -5, 5].map(|value| self.pool.int(value));
        let bounds = [
            self.pool.ge(x, zero),
            self.pool.le(x, twenty),
            self.pool.eq(y, zero),
            self.pool.ge(z, low),
            self.pool.le(z, high),
        ];
        self.pool.and(&bounds)
    }

    fn block(&mut self, index: u32) -> TermId {
        let (a, b, c) = (
            self.random.between(-3, 3),
            self.random.between(1, 4),
            self.random.between(0, 9),
        );
        let [x, y, z] = [0, 1, 2].map(|which| self.var(which, index));
        let [next_x, next_y, next_z] = [0, 1, 2].map(|which| self.var(which, index + 1));
        let limit = self.pool.int(c);
        let below = self.pool.lt(y, limit);
        let (up, down) = (self.plus(x, b), self.plus(x, -b));
        let new_x = self.pool.ite(below, up, down);
        let above = self.pool.gt(x, z);
        let sum = self.pool.add(y, x);
        let (moved, added) = (self.plus(y, a), self.plus(sum, -1));
        let new_y = self.pool.ite(above, moved, added);
        let (fx, fy) = (self.apply(x), self.apply(y));
        let same = self.pool.eq(fx, fy);
        let more = self.plus(z, 1);
        let new_z = self.pool.ite(same, z, more);
        let assignments = [
            self.pool.eq(next_x, new_x),
            self.pool.eq(next_y, new_y),
            self.pool.eq(next_z, new_z),
        ];
        self.pool.and(&assignments)
    }

    fn predicate(&mut self, index: u32) -> TermId {
        let (kind, k) = (self.random.between(0, 5), self.random.between(-6, 24));
        let first = usize::try_from(self.random.between(0, 2)).expect("not negative");
        let second = (first + usize::try_from(self.random.between(1, 2)).expect("not negative")) % 3;
        let (u, v, limit) = (self.var(first, index), self.var(second, index), self.pool.int(k));
        match kind {
            0 => self.pool.le(u, limit),
            1 => self.pool.ge(u, limit),
            2 => {
                let (difference, half) = (self.pool.sub(u, v), self.pool.int(k.div_euclid(2)));
                self.pool.le(difference, half)
            }
            3 => {
                let (fu, fv) = (self.apply(u), self.apply(v));
                self.pool.eq(fu, fv)
            }
            4 => {
                let double = self.pool.scale(&Int::from(2), u);
                let sum = self.pool.add(double, v);
                self.pool.le(sum, limit)
            }
            _ => self.pool.eq(u, limit),
        }
    }
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [predicates, blocks, seed] = numbers[..] else {
        eprintln!("usage: allsat_shape PREDICATES BLOCKS SEED");
        return;
    };
    let mut shape = Shape {
        pool: TermPool::new(),
        random: Random(u64::from(seed)),
    };
    let mut solver = Solver::new(Config::default());
    let start = shape.start();
    solver.assert(&mut shape.pool, start, Part(0));
    for index in 0..blocks {
        let block = shape.block(index);
        solver.assert(&mut shape.pool, block, Part(0));
    }
    let literals: Vec<TermId> = (0..predicates).map(|_| shape.predicate(blocks)).collect();
    let begin = Instant::now();
    let answer = all_sat(&mut solver, &mut shape.pool, &literals, &mut |_| {});
    let micros = begin.elapsed().as_micros();
    println!("{answer:?}");
    if let AllSatAnswer::Complete(statistics) = answer {
        println!(
            "{micros} us, {} us per model",
            micros / u128::from(statistics.models.max(1))
        );
    }
    println!("{:?}", solver.statistics());
}
