//! Measures many small incremental queries: `incremental_path ROUNDS`.
//!
//! A path of assignments and conditions grows and shrinks, each step in a scope of its own: push, assert, check, and often pop. Prints the wall time
//! per round.

use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};
use std::time::Instant;

/// `x' = x + a`, `y' = y + x'`, and `y' <= limit`.
fn step(pool: &mut TermPool, length: u32, round: u32) -> TermId {
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
    let [old_x, old_y] = [x, y].map(|name| pool.int_var(name, length));
    let [new_x, new_y] = [x, y].map(|name| pool.int_var(name, length + 1));
    let (by, limit) = (pool.int(i64::from(round * 7 % 5)), pool.int(i64::from(round % 97)));
    let (next_x, next_y) = (pool.add(old_x, by), pool.add(old_y, new_x));
    let formulas = [pool.eq(new_x, next_x), pool.eq(new_y, next_y), pool.le(new_y, limit)];
    pool.and(&formulas)
}

fn main() {
    let Some(rounds) = std::env::args().nth(1).and_then(|text| text.parse::<u32>().ok()) else {
        eprintln!("usage: incremental_path ROUNDS");
        return;
    };
    let (mut pool, mut solver) = (TermPool::new(), Solver::new(Config::default()));
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
    let zero = pool.int(0);
    for name in [x, y] {
        let start = pool.int_var(name, 0);
        let start = pool.eq(start, zero);
        solver.assert(&mut pool, start, Part(0));
    }
    let (mut length, mut feasible) = (0, 0_u32);
    let begin = Instant::now();
    for round in 0..rounds {
        let formula = step(&mut pool, length, round);
        solver.push();
        solver.assert(&mut pool, formula, Part(0));
        let is_sat = solver.check(&mut pool, &[]) == Answer::Sat;
        feasible += u32::from(is_sat);
        if is_sat && round % 8 == 7 && length < 16 {
            length += 1;
            continue;
        }
        solver.pop();
        // Now and then the path is left at once, so that the next one has other steps.
        while round % 256 == 255 && solver.scopes() > 0 {
            solver.pop();
        }
        length = u32::try_from(solver.scopes()).expect("few scopes");
    }
    let spent = begin.elapsed();
    let millis = spent.as_secs_f64() * 1e3 / f64::from(rounds.max(1));
    println!("{rounds} rounds, {feasible} feasible, {millis:.4} ms each");
}
