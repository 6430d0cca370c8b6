//! The interpolation procedure of refinement: the proof that is sought, and the interpolants that are read off it.
//!
//! An unsatisfiable path formula has many interpolants, and it depends on them whether a loop converges (D'Silva, Kroening, Purandare, Weissenbacher, *Interpolant strength*, VMCAI 2010; Alt, Hyvärinen,
//! Sharygina, *LRA interpolants from no man's land*, HVC 2017). The choices stand beside the [built-in preferences](super::builtin::BuiltIn), which say *which part* of a path is refuted; these say how.
//! All of them concern every query for interpolants of predicates: of whole paths, of sliced prefixes, and of paths through calls that return.
//!
//! Equality has a choice of three here, where the solver has two switches: colours of congruences exist only if congruence closure decides equations.

use super::templates::Templates;
use provident_smt::interpolate::{ArithmeticLeaf, CongruenceLeaf, Direction, Labelling, Portfolio, Variant};

/// How equations and functions are decided and interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Equality {
    /// By arithmetic, with lemmas of congruence: one proof serves all cuts.
    #[default]
    Arithmetic,
    /// By congruence closure where arithmetic has no part in them; terms that both sides could have are coloured for the side behind the cut.
    Strong,
    /// The same, coloured for the side before the cut.
    Weak,
}

/// The choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Procedure {
    /// Which side shared literals count for.
    pub labelling: Labelling,
    /// The leaves of arithmetic.
    pub arithmetic: ArithmeticLeaf,
    /// Equations and functions.
    pub equality: Equality,
    /// How the cuts of a sequence come to their interpolants. Trees of interpolants go from the leaves to the root.
    pub direction: Direction,
    /// Whether the proof is made smaller first.
    pub reduce: bool,
    /// Other variants that are read off the same proof, of which the best is taken.
    pub portfolio: Option<Portfolio>,
    /// The symbols that are hidden from a proof where it can do without.
    pub abstraction: Templates,
    /// The most sets of templates that are asked about for one path.
    pub lattice: usize,
    /// Whether parts of interpolants are dropped that neither of their implications needs.
    pub simplify: bool,
}

/// See [`Procedure::lattice`].
pub const DEFAULT_LATTICE: usize = 32;

impl Default for Procedure {
    fn default() -> Self {
        Procedure {
            labelling: Labelling::default(),
            arithmetic: ArithmeticLeaf::default(),
            equality: Equality::default(),
            direction: Direction::default(),
            reduce: false,
            portfolio: None,
            abstraction: Templates::default(),
            lattice: DEFAULT_LATTICE,
            simplify: false,
        }
    }
}

impl Procedure {
    /// The interpolant that is read off a proof.
    pub fn variant(self) -> Variant {
        Variant {
            labelling: self.labelling,
            arithmetic: self.arithmetic,
            congruence: match self.equality {
                Equality::Arithmetic | Equality::Strong => CongruenceLeaf::Strong,
                Equality::Weak => CongruenceLeaf::Weak,
            },
        }
    }
}
