//! Several variants of one proof: each choice of a portfolio is a sequence, and all readings of a proof are interpolants of their cuts.

use crate::formulas::{Formula, formulas};
use crate::interpolation_variants::{EVERYTHING, equality_formulas, problem};
use proptest::prelude::*;
use provident_smt::interpolate::{
    Cost, InterpolationConfig, Labelling, Members, Merit, Portfolio, Reading, Readings, Relation, SequenceResult,
    StrengthLimits, Variant, check_sequence, readings, relation, sequence_with_cost,
};
use provident_smt::term::{TermId, TermPool};

fn config(portfolio: Option<Portfolio>, equality: bool) -> InterpolationConfig {
    InterpolationConfig {
        check: true,
        ticks: Some(2_000_000),
        portfolio,
        equality,
        ..InterpolationConfig::default()
    }
}

fn holds(verdict: &Result<(), String>) -> bool {
    match verdict {
        Ok(()) => true,
        Err(defect) => defect.contains("undecided"),
    }
}

fn check_portfolios(parts: &[Formula], equality: bool) {
    let mut pool = TermPool::new();
    let parts = problem(&mut pool, parts);
    for &members in Members::ALL {
        for &merit in Merit::ALL {
            let portfolio = Portfolio { members, merit };
            let (result, cost) = sequence_with_cost(&mut pool, &parts, &config(Some(portfolio), equality));
            if let SequenceResult::Unsat(interpolants) = result {
                let verdict = check_sequence(&mut pool, &parts, &interpolants);
                assert!(holds(&verdict), "{portfolio:?}: {verdict:?}");
                assert!(cost.others <= cost.choices && cost.choices <= cost.proofs, "{cost:?}");
            }
        }
    }
}

/// Each reading at each cut is an interpolant between what is before it and what is behind it, and labels order them.
fn check_readings(parts: &[Formula], equality: bool) {
    let mut pool = TermPool::new();
    let parts = problem(&mut pool, parts);
    let (found, _) = readings(&mut pool, &parts, &config(None, equality));
    let Readings::Read(found) = found else { return };
    assert_eq!(found.len(), if equality { 32 } else { 16 });
    for Reading {
        variant, interpolants, ..
    } in &found
    {
        let Ok(interpolants) = interpolants else { continue };
        for (cut, &interpolant) in interpolants.iter().enumerate() {
            let sides = [pool.and(&parts[..=cut]), pool.and(&parts[cut + 1..])];
            let verdict = check_sequence(&mut pool, &sides, &[interpolant]);
            assert!(holds(&verdict), "{variant:?} at {cut}: {verdict:?}");
        }
    }
    let strong = |reading: &&Reading| reading.variant.labelling == Labelling::McMillan;
    for Reading {
        variant, interpolants, ..
    } in found.iter().filter(strong)
    {
        let wanted = Variant {
            labelling: Labelling::DualMcMillan,
            ..*variant
        };
        let weak = found.iter().find(|reading| reading.variant == wanted);
        let weak = &weak.expect("all variants are there").interpolants;
        let (Ok(strong), Ok(weak)) = (interpolants, weak) else {
            continue;
        };
        for (&strong, &weak) in strong.iter().zip(weak) {
            let found = relation(&mut pool, strong, weak, &StrengthLimits::default());
            assert!(
                !matches!(found, Relation::Weaker | Relation::Incomparable),
                "{variant:?}: {found:?}"
            );
        }
    }
}

/// `x <= 0 & y <= 0`, which stays for two steps, and then `x + y >= 3`: the strongest interpolants have both bounds, and weaker ones their sum.
fn bounded(pool: &mut TermPool) -> Vec<TermId> {
    let (x, y) = (pool.symbol("x"), pool.symbol("y"));
    let at: Vec<[TermId; 2]> = (0..3).map(|k| [pool.int_var(x, k), pool.int_var(y, k)]).collect();
    let (zero, three) = (pool.int(0), pool.int(3));
    let bounds = at[0].map(|variable| pool.le(variable, zero));
    let mut parts = vec![pool.and(&bounds)];
    for k in 1..3 {
        let same = [pool.eq(at[k][0], at[k - 1][0]), pool.eq(at[k][1], at[k - 1][1])];
        parts.push(pool.and(&same));
    }
    let sum = pool.add(at[2][0], at[2][1]);
    parts.push(pool.le(three, sum));
    parts
}

#[test]
fn a_portfolio_takes_what_its_merit_says() {
    let mut pool = TermPool::new();
    let parts = bounded(&mut pool);
    let mut table = String::new();
    let mut run = |portfolio: Option<Portfolio>| -> Cost {
        let (result, cost) = sequence_with_cost(&mut pool, &parts, &config(portfolio, false));
        let SequenceResult::Unsat(interpolants) = result else {
            panic!("the sum is not positive");
        };
        let texts: Vec<String> = interpolants.iter().map(|&term| pool.to_smtlib(term)).collect();
        let name = portfolio.map_or("alone", |portfolio| portfolio.merit.name());
        table += &format!("{name}: {}\n", texts.join(" "));
        cost
    };
    let alone = run(None);
    assert_eq!((alone.proofs, alone.choices, alone.others), (1, 0, 0));
    for &merit in Merit::ALL {
        let cost = run(Some(Portfolio {
            members: Members::All,
            merit,
        }));
        assert_eq!(
            (cost.proofs, cost.choices),
            (1, 1),
            "one proof, and variants that differ"
        );
        assert_eq!(
            (cost.ticks, cost.steps),
            (alone.ticks, alone.steps),
            "the proof is the same"
        );
    }
    expect_test::expect![[r#"
        alone: (and (<= |x@0| 0) (<= |y@0| 0)) (<= (+ |x@1| |y@1|) 0) (<= (+ |x@2| |y@2|) 0)
        predicates: (<= (+ |x@0| |y@0|) 2) (<= (+ |x@1| |y@1|) 2) (<= (+ |x@2| |y@2|) 2)
        size: (<= (+ |x@0| |y@0|) 2) (<= (+ |x@1| |y@1|) 2) (<= (+ |x@2| |y@2|) 2)
        coefficients: (<= (+ |x@0| |y@0|) 2) (<= (+ |x@1| |y@1|) 2) (<= (+ |x@2| |y@2|) 2)
        steady: (<= (+ |x@0| |y@0|) 2) (<= (+ |x@1| |y@1|) 2) (<= (+ |x@2| |y@2|) 2)
    "#]]
    .assert_eq(&table);
}

#[test]
fn a_part_that_is_false_and_parts_with_a_model() {
    let mut pool = TermPool::new();
    let parts = bounded(&mut pool);
    let (found, _) = readings(&mut pool, &parts[..3], &config(None, false));
    assert!(matches!(found, Readings::Sat), "{found:?}");
    let no = pool.mk_false();
    let (found, _) = readings(&mut pool, &[parts[0], no], &config(None, false));
    let Readings::Read(found) = found else {
        panic!("{found:?}");
    };
    assert!(
        found
            .iter()
            .all(|reading| reading.interpolants == Ok(vec![pool.mk_true()]))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn portfolios_give_sequences(parts in prop::collection::vec(formulas(EVERYTHING, 2), 2..5), equality in any::<bool>()) {
        check_portfolios(&parts, equality);
    }

    #[test]
    fn readings_are_interpolants(parts in prop::collection::vec(formulas(EVERYTHING, 2), 2..5), equality in any::<bool>()) {
        check_readings(&parts, equality);
    }

    #[test]
    fn readings_of_equations_are_interpolants(parts in prop::collection::vec(equality_formulas(), 2..4)) {
        check_readings(&parts, true);
    }
}
