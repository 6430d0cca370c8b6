//! Planted faults: known mistakes for a test that wants to see them found (`tests/slow/mutation.rs` of the model checker).
//!
//! A place where a fault can be planted asks [`planted`] with the fault's name. Without the feature `faults` the answer is a constant, and the
//! compiler leaves nothing of the question; with it, the environment variable `PROVIDENT_FAULT` names the one fault of the process. That is mutation analysis with
//! hand-picked mutants (DeMillo, Lipton, Sayward, *Hints on test data selection*, 1978), chosen for what the checks claim to find.

/// Whether this fault is planted: it never is.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub const fn planted(_: &str) -> bool {
    false
}

#[cfg(feature = "faults")]
pub use selected::{BLIND, CHOICES, FAULTS, SCRIPTS, SUMMARIES, planted};

#[cfg(feature = "faults")]
mod selected {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// All faults: where they are planted, the name, and what goes wrong.
    pub const FAULTS: &[(&str, &str, &str)] = &[
        (
            "values",
            "value-interpolant-too-weak",
            "cells of value interpolants are dropped without a question",
        ),
        (
            "values",
            "value-not-forgotten",
            "a variable keeps its constant when it gets any value",
        ),
        ("encoding", "add-for-subtract", "a difference is encoded as a sum"),
        (
            "encoding",
            "no-wrap",
            "a result that leaves the range of its type stays outside",
        ),
        ("encoding", "period-off-by-one", "wrapping around subtracts 2^w - 1"),
        ("encoding", "comparison-off-by-one", "< is encoded as <="),
        ("encoding", "old-version", "an assignment does not make a new version"),
        (
            "encoding",
            "stale-fact",
            "what is known of a variable survives a write of any value",
        ),
        (
            "encoding",
            "range-off-by-one",
            "the greatest value of a type is left out",
        ),
        ("encoding", "wrong-region", "a write to memory goes to the next address"),
        (
            "encoding",
            "merge-padding",
            "the padding of a merge is put on the wrong side",
        ),
        (
            "encoding",
            "frame-mixed-up",
            "parameters are those of the frame of the caller",
        ),
        ("encoding", "truncation-to-floor", "a negative quotient is rounded down"),
        (
            "encoding",
            "condition-inverted",
            "the other branch of every tenth condition",
        ),
        (
            "abstraction",
            "dropped-negation",
            "a negative literal of a product counts as positive",
        ),
        (
            "abstraction",
            "dropped-product",
            "the last product of an enumeration is left out",
        ),
        (
            "abstraction",
            "stale-cache",
            "the cache of abstractions does not ask where a block begins",
        ),
        (
            "abstraction",
            "untouched-writes",
            "a predicate counts as untouched although the block writes its variable",
        ),
        ("abstraction", "cover-by-subset", "a state is covered by a smaller one"),
        (
            "abstraction",
            "cover-by-any",
            "every state is covered by one at its place",
        ),
        (
            "abstraction",
            "merge-loses-path",
            "where paths meet, the second one is forgotten",
        ),
        (
            "abstraction",
            "lost-successor",
            "the second successor of a state is not explored",
        ),
        (
            "abstraction",
            "group-conjunction",
            "the union of two regions is their meet",
        ),
        (
            "interpolation",
            "farkas-sign",
            "the weight of the last inequality has the wrong sign",
        ),
        (
            "interpolation",
            "farkas-side",
            "an inequality of B is summed up with those of A",
        ),
        (
            "interpolation",
            "colours-swapped",
            "what is local to A counts as local to B",
        ),
        (
            "interpolation",
            "cut-off-by-one",
            "a leaf of the part behind the cut counts as A's",
        ),
        (
            "interpolation",
            "resolution-connective",
            "a resolution on a literal of A is a conjunction",
        ),
        (
            "interpolation",
            "leaf-literal-dropped",
            "the first literal of a leaf's partial interpolant is left out",
        ),
        (
            "interpolation",
            "simplified-away",
            "simplification forgets the last conjunct",
        ),
        (
            "interpolation",
            "neighbour",
            "every interpolant of a sequence is that of the cut before",
        ),
        (
            "refinement",
            "prefix-ends-early",
            "a sliced prefix ends before its contradiction",
        ),
        ("solver", "dropped-resolution", "a resolution step is not recorded"),
        ("solver", "dropped-literal", "a learned clause lacks its last literal"),
        (
            "solver",
            "explanation-dropped",
            "a conflict of arithmetic lacks its last bound",
        ),
        (
            "solver",
            "farkas-coefficient",
            "the first coefficient of a conflict is one too big",
        ),
        (
            "solver",
            "pigeonhole-member",
            "one integer of a crowd is missing in the explanation",
        ),
        ("solver", "strict-bound", "x < c is taken for x <= c"),
        ("solver", "model-off-by-one", "every value of a model is one too big"),
        ("solver", "early-sat", "bounds that cannot hold together are overlooked"),
        (
            "evidence",
            "goal-before-block",
            "the claim behind a block is about the values before it",
        ),
        (
            "evidence",
            "conjunct-left-out",
            "the last conjunct of what is claimed behind a block is not shown",
        ),
        ("evidence", "safety-left-out", "no script is about violations"),
        (
            "evidence",
            "range-left-out",
            "of the ranges behind a block the last is not shown",
        ),
        (
            "evidence",
            "established-anyway",
            "a value counts as in range although a block leads there from where it is not",
        ),
        (
            "evidence",
            "edge-left-out",
            "blocks do not take the first of several edges",
        ),
        (
            "evidence",
            "element-next",
            "what is claimed of all elements is assumed of the next one",
        ),
        (
            "evidence",
            "instance-elsewhere",
            "an update of memory is applied to the next address",
        ),
        (
            "evidence",
            "update-too-far",
            "an update of memory writes one address more",
        ),
        (
            "evidence",
            "operator-value",
            "values of non-linear operators are one too big",
        ),
        ("evidence", "guess-kept", "guesses that do not hold are kept"),
        (
            "evidence",
            "guess-asked-once",
            "guesses are not asked about again when others are dropped",
        ),
        ("evidence", "guessed-bound", "guessed upper bounds are one too small"),
        ("evidence", "guessed-equation", "guessed equations are off by one"),
        (
            "evidence",
            "guessed-elements",
            "what is guessed of elements goes one too far",
        ),
    ];

    /// Faults of what checks evidence: not to be found by a run, in which evidence is right, but by the tests that tamper with it.
    pub const BLIND: &[(&str, &str, &str)] = &[
        ("checkers", "coverage-conjuncts", "a manifest may leave out conjuncts"),
        ("checkers", "coverage-cases", "a manifest may leave out cases"),
        ("checkers", "coverage-paths", "a manifest may leave out paths"),
        ("checkers", "coverage-ranges", "a manifest may leave out ranges"),
        ("checkers", "coverage-edges", "a manifest may leave out edges"),
        ("checkers", "discharge-anything", "every script counts as unsatisfiable"),
        ("checkers", "audit-claim", "claims in scripts are believed"),
        (
            "checkers",
            "audit-elements",
            "instances of claims about elements are believed",
        ),
        ("checkers", "audit-ranges", "ranges in scripts are believed"),
        (
            "checkers",
            "audit-operators",
            "values of operators in scripts are believed",
        ),
        ("checkers", "audit-identity", "reasons of identities are believed"),
        ("checkers", "audit-goal", "goals in scripts are believed"),
        (
            "checkers",
            "certificate-first-step",
            "the step into the first interpolant of a certificate is believed",
        ),
        (
            "checkers",
            "certificate-vocabulary",
            "a certified interpolant may have symbols of one side",
        ),
        ("checkers", "audit-instance", "instances of updates are believed"),
        (
            "checkers",
            "audit-freshness",
            "the number that stands for any may be known",
        ),
    ];

    /// Faults of choices: every refinement is right, and only another one is chosen. To be found by the tests of the choice.
    pub const CHOICES: &[(&str, &str, &str)] = &[
        (
            "refinement",
            "contradiction-kept",
            "the contradicting assumption of a sliced prefix stays",
        ),
        (
            "refinement",
            "score-inverted",
            "a low domain-type score counts as a high one",
        ),
    ];

    /// Faults of the reader of scripts, whose theories no program uses. To be found by the tests of random scripts.
    pub const SCRIPTS: &[(&str, &str, &str)] = &[
        ("arrays", "arrays-one-identity", "all arrays that are values are one"),
        (
            "arrays",
            "arrays-no-facts",
            "nothing says that equal arrays have one identity",
        ),
        (
            "arrays",
            "unnamed-arrays-zero",
            "arrays of a model that no name stands for are zero everywhere",
        ),
    ];

    /// Faults of summaries of functions and loops, and of the contracts that show what they prove. To be found by the tests of their laws, and by those that tamper with contracts.
    pub const SUMMARIES: &[(&str, &str, &str)] = &[
        (
            "summaries",
            "expand-keeps-changed",
            "the region behind a block keeps the predicates that the block changes",
        ),
        (
            "summaries",
            "reduce-confuses-frames",
            "all frames of a recursive function are taken for that of the block",
        ),
        (
            "summaries",
            "recursion-not-repeated",
            "a recursive block is explored once, without its own exits",
        ),
        (
            "summaries",
            "summary-forgets-entry",
            "a summary is used whatever the state at the entry of the block is",
        ),
        (
            "summaries",
            "loop-exit-lost",
            "one of several exits of a loop is left out",
        ),
        (
            "summaries",
            "loop-write-overlooked",
            "what the edges of a loop write counts as left alone",
        ),
        (
            "summaries",
            "loop-exit-precision",
            "the reduced precision of a loop leaves out the places behind its exits",
        ),
        (
            "summaries",
            "contract-forgets-write",
            "a call that relies on a contract changes nothing",
        ),
        (
            "summaries",
            "precondition-left-out",
            "no script is about what a contract requires",
        ),
        ("summaries", "audit-contract", "what a contract ensures is believed"),
        (
            "summaries",
            "audit-old",
            "values at the entry of a contract are taken for those behind a call",
        ),
        (
            "summaries",
            "old-value-behind",
            "what a contract says of values at its entry is said of those behind a call",
        ),
        (
            "summaries",
            "product-step",
            "a product whose factor makes a step is one too great",
        ),
        ("summaries", "guessed-sum", "guessed sums are one too great"),
        (
            "summaries",
            "coverage-exit",
            "a path may leave the function of its contract without a claim",
        ),
        (
            "summaries",
            "coverage-precondition",
            "a manifest may leave out what a contract requires",
        ),
    ];

    /// Whether this fault is planted. Says so on standard error when it is met for the first time.
    ///
    /// # Panics
    /// If there is no fault of that name, or if the environment names none of the table.
    pub fn planted(name: &'static str) -> bool {
        static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
        static MET: AtomicBool = AtomicBool::new(false);
        let known = |name: &str| {
            [FAULTS, BLIND, CHOICES, SCRIPTS, SUMMARIES]
                .into_iter()
                .flatten()
                .any(|fault| fault.1 == name)
        };
        debug_assert!(known(name), "there is no fault {name}");
        let chosen = CHOSEN.get_or_init(|| {
            let chosen = std::env::var("PROVIDENT_FAULT").ok();
            if let Some(name) = &chosen {
                assert!(known(name), "there is no fault {name}");
            }
            chosen
        });
        let is_planted = chosen.as_deref() == Some(name);
        if is_planted && !MET.swap(true, Ordering::Relaxed) {
            eprintln!("planted fault {name} is met");
        }
        is_planted
    }
}
