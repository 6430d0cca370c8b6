//! Measures `check-allsat` on scripts, apart from reading them: `allsat_script FILE.smt2...`.
//!
//! Asked for are the values of all Boolean constants that a script declares. Each script is run many times with and without the
//! question; the difference is the time of the enumeration.

use provident_smt::smtlib::{Options, run};
use std::io;
use std::time::{Duration, Instant};

/// The processor's time that this process has had so far, as Linux tells it; elsewhere the time of day.
fn cpu_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/self/schedstat");
    let nanos = told.ok().and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The time of a run on average over many runs (the clock may be as coarse as 4 ms), and the answers.
fn average(script: &str) -> io::Result<(Duration, String)> {
    let start = Instant::now();
    let (begin, mut runs, mut answers) = (cpu_time(start), 0, Vec::new());
    loop {
        answers.clear();
        run(script, &mut answers, &Options::default())?;
        runs += 1;
        let spent = cpu_time(start) - begin;
        if spent > Duration::from_millis(100) {
            return Ok((spent / runs, String::from_utf8_lossy(&answers).into_owned()));
        }
    }
}

/// The names of the Boolean constants that the script declares.
fn booleans(script: &str) -> Vec<&str> {
    let declared = script.split("(declare-fun ").skip(1);
    declared
        .filter_map(|rest| rest.split_once(" () Bool)"))
        .filter(|(name, _)| !name.contains(char::is_whitespace))
        .map(|(name, _)| name)
        .collect()
}

fn main() -> io::Result<()> {
    let (mut models, mut time, mut reading) = (0_u64, Duration::ZERO, Duration::ZERO);
    for path in std::env::args().skip(1) {
        let script = std::fs::read_to_string(&path)?;
        let names = booleans(&script);
        let (without, _) = average(&script)?;
        let (with, answers) = average(&format!("{script}(check-allsat ({}))\n", names.join(" ")))?;
        // Each position that a cube leaves out doubles its models.
        let mut own = 0;
        for cube in answers.lines().filter(|line| line.starts_with('(')) {
            let positions = cube.matches(names[0].trim_end_matches(char::is_numeric)).count();
            own += 1_u64 << (names.len() - positions);
        }
        let spent = with.saturating_sub(without);
        let micros = spent.as_micros() / u128::from(own.max(1));
        println!("{path}: {own} models, {spent:?}, {micros} us per model; reading {without:?}");
        (models, time, reading) = (models + own, time + spent, reading + without);
    }
    let (per_model, all) = (time.as_secs_f64() * 1e3, (time + reading).as_secs_f64() * 1e3);
    let count = models.max(1) as f64;
    println!(
        "{models} models, {:.4} ms per model, {:.4} with reading",
        per_model / count,
        all / count
    );
    Ok(())
}
