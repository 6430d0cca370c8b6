//! Certificates of interpolants: what is one has proofs that the checker accepts, and what is tampered with has none.

use crate::formulas::{Formula, formulas};
use crate::interpolation_variants::{EVERYTHING, problem};
use proptest::prelude::*;
use provident_smt::interpolate::{
    InterpolationConfig, SequenceResult, StrengthLimits, Uncertified, certify_cut, certify_sequence, certify_tree,
    chain, sequence, sequence_with_cost, tree,
};
use provident_smt::smtlib::{ExitStatus, Options, interpolation_table, run};
use provident_smt::term::{TermId, TermPool};

fn limits() -> StrengthLimits {
    StrengthLimits {
        ticks: Some(2_000_000),
        ..StrengthLimits::default()
    }
}

/// `x_0 = 0`, twice `x_k = x_{k-1} + 1` with a local `k`, and at last `x_2 >= 9`, with the interpolants `x_k <= k`.
fn counting(pool: &mut TermPool) -> (Vec<TermId>, Vec<TermId>) {
    let x = pool.symbol("x");
    let xs: Vec<TermId> = (0..3).map(|k| pool.int_var(x, k)).collect();
    let (one, nine) = (pool.int(1), pool.int(9));
    let zero = pool.int(0);
    let mut parts = vec![pool.eq(xs[0], zero)];
    for k in 1..3 {
        let next = pool.add(xs[k - 1], one);
        parts.push(pool.eq(xs[k], next));
    }
    parts.push(pool.le(nine, xs[2]));
    let bounds = (0..3).zip(&xs).map(|(k, &x)| {
        let bound = pool.int(k);
        pool.le(x, bound)
    });
    let interpolants = bounds.collect();
    (parts, interpolants)
}

fn is_wrong(result: &Result<(), Uncertified>) -> bool {
    matches!(result, Err(Uncertified::Wrong(_)))
}

#[test]
fn a_query_certifies_what_it_finds() {
    let mut pool = TermPool::new();
    let (parts, _) = counting(&mut pool);
    let certifying = InterpolationConfig {
        certify: true,
        ..InterpolationConfig::default()
    };
    let (result, cost) = sequence_with_cost(&mut pool, &parts, &certifying);
    let SequenceResult::Unsat(interpolants) = result else {
        panic!("the parts contradict each other");
    };
    assert_eq!((cost.certified, cost.uncertified), (interpolants.len() as u64, 0));
    assert!(cost.certificate_ticks > 0 && cost.certificate_steps > 0);
    // The query itself costs what it costs without certificates.
    let (_, plain) = sequence_with_cost(&mut pool, &parts, &InterpolationConfig::default());
    assert_eq!((plain.ticks, plain.steps, plain.certified), (cost.ticks, cost.steps, 0));
}

#[test]
fn a_sequence_is_certified_and_each_change_is_noticed() {
    let mut pool = TermPool::new();
    let (parts, interpolants) = counting(&mut pool);
    let (certificate, cost) = certify_sequence(&mut pool, &parts, &interpolants, &limits());
    let certificate = certificate.unwrap();
    assert_eq!(
        (certificate.proofs().len(), cost.proofs),
        (4, 4),
        "a proof for each part"
    );
    assert!(certificate.steps() > 0 && cost.ticks > 0);
    let parents = chain(parts.len());
    assert_eq!(certificate.check(&mut pool, &parts, &parents, &interpolants), Ok(()));
    // The first interpolant says too much, the second one too little, the third one speaks of what only one side knows.
    let (x, own) = (pool.symbol("x"), pool.symbol("own"));
    let (x0, x1, own) = (pool.int_var(x, 0), pool.int_var(x, 1), pool.int_var(own, 0));
    let (minus, nine, zero) = (pool.int(-1), pool.int(9), pool.int(0));
    let truth = pool.mk_true();
    let own = pool.eq(own, zero);
    let foreign = pool.or2(own, interpolants[2]);
    for (at, wrong) in [
        (0, pool.le(x0, minus)),
        (1, pool.le(x1, nine)),
        (1, truth),
        (2, foreign),
        (2, interpolants[1]),
    ] {
        let mut tampered = interpolants.clone();
        tampered[at] = wrong;
        assert!(
            is_wrong(&certificate.check(&mut pool, &parts, &parents, &tampered)),
            "{at}: {}",
            pool.to_smtlib(wrong)
        );
        let (again, _) = certify_sequence(&mut pool, &parts, &tampered, &limits());
        assert!(is_wrong(&again.map(|_| ())), "{at}: {}", pool.to_smtlib(wrong));
    }
    assert!(is_wrong(&certificate.check(
        &mut pool,
        &parts,
        &parents,
        &interpolants[1..]
    )));
}

#[test]
fn one_interpolant_is_certified_and_each_change_is_noticed() {
    let mut pool = TermPool::new();
    let (parts, interpolants) = counting(&mut pool);
    let (certificate, _) = certify_sequence(&mut pool, &parts, &interpolants, &limits());
    let (certificate, parents) = (certificate.unwrap(), chain(parts.len()));
    let (x, own) = (pool.symbol("x"), pool.symbol("own"));
    let (x0, own) = (pool.int_var(x, 0), pool.int_var(own, 0));
    let zero = pool.int(0);
    let (truth, own) = (pool.mk_true(), pool.eq(own, zero));
    // The two implications of one interpolant, and of one that is none.
    let sides: [&[TermId]; 2] = [&parts[..2], &parts[2..]];
    let (cut, cost) = certify_cut(&mut pool, sides, interpolants[1], None, &limits());
    let cut = cut.unwrap();
    assert_eq!((cut.proofs().len(), cost.proofs), (2, 2));
    assert_eq!(cut.check_cut(&mut pool, sides, interpolants[1]), Ok(()));
    for wrong in [interpolants[0], interpolants[2], truth, own] {
        assert!(
            is_wrong(&cut.check_cut(&mut pool, sides, wrong)),
            "{}",
            pool.to_smtlib(wrong)
        );
        let (again, _) = certify_cut(&mut pool, sides, wrong, None, &limits());
        assert!(is_wrong(&again.map(|_| ())), "{}", pool.to_smtlib(wrong));
    }
    // Only the first step is about the first part.
    let five = pool.int(5);
    let mut weaker = parts.clone();
    weaker[0] = pool.le(x0, five);
    assert!(is_wrong(&certificate.check(
        &mut pool,
        &weaker,
        &parents,
        &interpolants
    )));
    // Both implications hold, and yet no interpolant may speak of what one side has alone.
    let own = pool.symbol("own");
    let own = pool.int_var(own, 0);
    let (one, two) = (pool.int(1), pool.int(2));
    let cases = [pool.le(own, zero), pool.eq(own, one), pool.le(two, own)];
    let valid = pool.or(&cases);
    let foreign = pool.and2(interpolants[1], valid);
    assert!(pool.symbols(foreign).len() > 1, "the disjunction is kept");
    let mut tampered = interpolants.clone();
    tampered[1] = foreign;
    let (again, _) = certify_sequence(&mut pool, &parts, &tampered, &limits());
    assert!(is_wrong(&again.map(|_| ())));
    let (again, _) = certify_cut(&mut pool, sides, foreign, None, &limits());
    assert!(is_wrong(&again.map(|_| ())));
    let nothing = StrengthLimits {
        ticks: Some(0),
        ..StrengthLimits::default()
    };
    let (undecided, _) = certify_sequence(&mut pool, &parts, &interpolants, &nothing);
    assert!(matches!(undecided, Err(Uncertified::Undecided(_))), "{undecided:?}");
}

/// Interpolants of random parts, as a sequence and as a tree, are certified.
fn check_random(parts: &[Formula]) {
    let mut pool = TermPool::new();
    let parts = problem(&mut pool, parts);
    let config = InterpolationConfig {
        ticks: Some(2_000_000),
        ..InterpolationConfig::default()
    };
    if let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &parts, &config) {
        let (certificate, _) = certify_sequence(&mut pool, &parts, &interpolants, &limits());
        assert!(!matches!(certificate, Err(Uncertified::Wrong(_))), "{certificate:?}");
    }
    // All parts but the last one are its children.
    let parents = vec![parts.len() - 1; parts.len() - 1];
    if let SequenceResult::Unsat(interpolants) = tree(&mut pool, &parts, &parents, &config) {
        let (certificate, _) = certify_tree(&mut pool, &parts, &parents, &interpolants, None, &limits());
        assert!(!matches!(certificate, Err(Uncertified::Wrong(_))), "{certificate:?}");
    }
}

const SCRIPT: &str = "(declare-const x Int)(declare-const y Int)(declare-const l Int)(declare-const m Int)(push 1)
    (assert (! (and (<= x l) (<= y m) (<= l 0) (<= m 0)) :named A))(assert (! (>= (+ x y) 3) :named B))
    (assert (! (or (= x l) (= x y)) :named C))
    (check-sat)(get-interpolants A B C)(get-interpolants (A) (B) C)(get-unsat-core)(pop 1)
    (assert (> x 0))(check-sat)(check-sat-assuming ((< x 0)))";

#[test]
fn scripts_are_checked_on_demand() {
    let answers = |check: bool| {
        let mut diagnosis = Vec::new();
        let options = Options {
            check,
            statistics: true,
            ..Options::default()
        };
        let script = format!("(set-option :produce-unsat-cores true){SCRIPT}");
        assert_eq!(run(&script, &mut diagnosis, &options).unwrap(), ExitStatus::Success);
        String::from_utf8(diagnosis).unwrap()
    };
    let plain = answers(false);
    assert!(
        plain.starts_with("unsat\n(") && plain.ends_with("sat\nunsat\n"),
        "{plain}"
    );
    assert_eq!(plain, answers(true), "checks change no answer");
}

#[test]
fn the_table_says_what_is_certified() {
    let options = Options {
        check: true,
        ..Options::default()
    };
    let table = interpolation_table(SCRIPT, &options);
    assert!(
        table.errors.iter().all(|error| error.contains("cores need")),
        "{:?}",
        table.errors
    );
    assert!(table.rows.len() >= 2 * 2 * 32 && table.terms > 0 && table.symbols > 0);
    for row in &table.rows {
        let rated = row.result.as_ref().expect("every variant has interpolants");
        assert_eq!(rated.certified, Some(true), "{row:?}");
    }
    let unchecked = interpolation_table(SCRIPT, &Options::default());
    let none = unchecked.rows.iter().filter_map(|row| row.result.as_ref().ok());
    assert!(none.into_iter().all(|rated| rated.certified.is_none()));
    // All variants of a sequence come from one proof.
    let ticks = |command| {
        unchecked
            .rows
            .iter()
            .filter(move |row| row.command == command)
            .map(|row| row.ticks)
    };
    let first = ticks(1).next().unwrap();
    assert!(ticks(1).all(|ticks| ticks == first));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn interpolants_are_certified(parts in prop::collection::vec(formulas(EVERYTHING, 2), 2..5)) {
        check_random(&parts);
    }
}
