//! The choices that an interpolation procedure has, and their names.
//!
//! The choices of labels and leaves order their values by logical strength, from the strongest interpolants to the weakest: with the same proof, and everything
//! else the same, the interpolant of an earlier value implies that of a later one. [`Labelling::Smallest`] lies between
//! [`Labelling::McMillan`] and [`Labelling::DualMcMillan`]. A [`Direction`] chooses proofs, so its values have no such order.

/// Defines an enumeration whose values have names.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub enum $name { $($(#[$value_doc])* $value,)* }

        impl $name {
            /// All values.
            pub const ALL: &'static [$name] = &[$($name::$value),*];

            /// The name of the value in options and tables.
            pub fn name(self) -> &'static str {
                match self { $($name::$value => $text,)* }
            }

            /// The value of a name.
            pub fn named(name: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}

choice! {
    /// The labelled interpolation system (D'Silva, Kroening, Purandare, Weissenbacher, *Interpolant strength*, 2010): which side
    /// the literals that both sides could have count for. All of them give sequences.
    Labelling {
        /// McMillan's system: shared literals count for B. The strongest interpolants; shared inequalities stay separate
        /// conjuncts, which makes them good predicates.
        #[default]
        McMillan = "mcmillan",
        /// Pudlák's symmetric system: shared literals count for both.
        Pudlak = "pudlak",
        /// The dual of McMillan's system: shared literals count for A. The weakest interpolants; shared inequalities of one conflict
        /// are summed up.
        DualMcMillan = "dual",
        /// Each shared literal counts for the side whose leaves have it more often: only the leaves of the other side contribute it
        /// (as the minimising system of Rollini, Alt, Fedyukovich, Hyvärinen, Sharygina, *PeRIPLO*, 2013).
        Smallest = "smallest",
    }
}

choice! {
    /// The partial interpolant of an arithmetic conflict.
    ArithmeticLeaf {
        /// The weighted inequalities of A, taken apart into as many sums without terms local to A as there are (Blicha, Hyvärinen, Kofroň,
        /// Sharygina, *Decomposing Farkas interpolants*, TACAS 2019).
        Decomposed = "decomposed",
        /// The weighted sum of A's inequalities.
        #[default]
        Farkas = "farkas",
        /// The negation of the weighted sum of B's inequalities.
        DualFarkas = "dual-farkas",
        /// The negation of B's inequalities, taken apart.
        DualDecomposed = "dual-decomposed",
    }
}

choice! {
    /// The side for which those terms of a chain of equations count that both sides could have, in the partial interpolant of a conflict of equality and
    /// congruence (Fuchs, Goel, Grundy, Krstić, Tinelli, *Ground interpolation for the theory of equality*, TACAS 2009).
    CongruenceLeaf {
        /// For B: the strongest interpolant of the graph.
        #[default]
        Strong = "strong",
        /// For A: the weakest one.
        Weak = "weak",
    }
}

choice! {
    /// How the cuts of a sequence get their interpolants. Each value but the last one gives a sequence of interpolants, whatever the variant.
    Direction {
        /// All cuts from one proof. Where the interpolants of one proof do not fit together, as [`Direction::Forward`].
        #[default]
        Together = "together",
        /// A proof for each cut, from the first to the last: the last interpolant and the part behind it against all later parts.
        Forward = "forward",
        /// A proof for each cut, from the last to the first: all earlier parts against the part behind the cut and the negation of the interpolant behind that.
        Backward = "backward",
        /// A proof for each cut: first the cut in the middle, then both halves in the same way, each against the interpolants at its ends.
        Middle = "middle",
        /// A proof for each cut, all earlier parts against all later ones. The interpolants need not follow from each other: what the literature calls Craig interpolants of a path, without the path property.
        Alone = "alone",
    }
}
