//! The size of a proof, by kinds of steps.

use super::{LemmaKind, Proof, Step};

/// The size of a proof, by parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofStatistics {
    /// Clauses, of all kinds.
    pub clauses: usize,
    /// Literals of all clauses.
    pub literals: usize,
    /// Clauses of the input.
    pub inputs: usize,
    /// Clauses of definitions.
    pub definitions: usize,
    /// Resolution chains.
    pub chains: usize,
    /// Resolutions in all chains.
    pub resolutions: usize,
    /// Farkas certificates.
    pub farkas: usize,
    /// Lemmas of trichotomy.
    pub trichotomies: usize,
    /// Lemmas of congruence of two applications.
    pub congruences: usize,
    /// Lemmas of equality and congruence.
    pub equalities: usize,
    /// Lemmas of updates.
    pub updates: usize,
    /// Lemmas of conditional terms.
    pub conditionals: usize,
    /// Lemmas of quotients.
    pub quotients: usize,
    /// Branches over the integers.
    pub branches: usize,
    /// Lemmas by Dirichlet's principle.
    pub pigeonholes: usize,
}

impl ProofStatistics {
    /// The counts with their names.
    pub fn entries(&self) -> [(&'static str, usize); 15] {
        [
            ("clauses", self.clauses),
            ("literals", self.literals),
            ("inputs", self.inputs),
            ("definitions", self.definitions),
            ("chains", self.chains),
            ("resolutions", self.resolutions),
            ("farkas", self.farkas),
            ("trichotomies", self.trichotomies),
            ("congruences", self.congruences),
            ("equalities", self.equalities),
            ("updates", self.updates),
            ("conditionals", self.conditionals),
            ("quotients", self.quotients),
            ("branches", self.branches),
            ("pigeonholes", self.pigeonholes),
        ]
    }
}

impl Proof {
    /// Counts the steps by kind. Linear in the proof.
    pub fn statistics(&self) -> ProofStatistics {
        let mut found = ProofStatistics {
            clauses: self.len(),
            literals: self.literals.len(),
            ..ProofStatistics::default()
        };
        for step in &self.steps {
            let counter = match step {
                Step::Input { .. } => &mut found.inputs,
                Step::Define { .. } => &mut found.definitions,
                Step::Farkas { .. } => &mut found.farkas,
                Step::Chain { pivots, .. } => {
                    found.resolutions += pivots.len();
                    &mut found.chains
                }
                Step::Lemma { kind, .. } => match kind {
                    LemmaKind::Trichotomy { .. } => &mut found.trichotomies,
                    LemmaKind::Congruence { .. } => &mut found.congruences,
                    LemmaKind::Euf => &mut found.equalities,
                    LemmaKind::Update { .. } => &mut found.updates,
                    LemmaKind::Ite { .. } => &mut found.conditionals,
                    LemmaKind::Div { .. } => &mut found.quotients,
                    LemmaKind::Branch => &mut found.branches,
                    LemmaKind::Pigeonhole => &mut found.pigeonholes,
                },
            };
            *counter += 1;
        }
        found
    }
}
