//! The check of encoding and claims against concrete executions, under `--check`.

use super::{Observer, Verified};
use crate::encode::Arith;
use crate::engine::{Counter, Verdict};
use crate::evidence::executions;
use crate::report::Report;

/// Under `--check`: concrete executions are models of the formulas, satisfy the claims, and violate nothing that holds.
///
/// # Panics
/// If one is not. That is a defect of Provident.
pub(super) fn check(report: &mut Report, verified: &Verified, arith: Arith, observer: &mut dyn Observer) {
    let Verified {
        whole,
        found,
        certificate,
    } = verified;
    let verdicts = whole.properties.iter().zip(&found.outcome.verdicts);
    let safe = verdicts
        .filter(|(_, (_, verdict))| matches!(verdict, Verdict::True))
        .flat_map(|(property, _)| property.targets.iter().copied())
        .collect();
    match executions::check(&whole.program, arith, certificate.evidence.certificate.as_ref(), &safe) {
        Ok(account) => {
            if let Some(defect) = &account.defect {
                observer.warning(&format!(
                    "the program leaves an object, or memory is divided wrongly: {defect}"
                ));
            }
            let counts = [
                (Counter::AdmittedExecutions, account.admitted),
                (Counter::UndecidedExecutions, account.undecided),
                (Counter::ClaimsMet, account.points),
                (Counter::BytesCompared, account.bytes),
            ];
            for (counter, count) in counts {
                report.statistics.push(counter, count);
            }
        }
        Err(defect) => panic!("wrong encoding: {defect}"),
    }
}
