//! Numbers of the parts of a tree.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                usize::try_from(self.0).expect("a u32 fits in usize on every supported host")
            }

            /// The id of an index.
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 items"))
            }
        }
    };
}

id!(
    /// An expression of the unit.
    ExprId
);

id!(
    /// A statement of the unit.
    StmtId
);

id!(
    /// A variable with static storage: file-scope variables, static locals, file-scope compound literals.
    GlobalId
);

id!(
    /// A function, declared or defined.
    FuncId
);

id!(
    /// A parameter or automatic variable of one function. Unique per declaration, also where names shadow each other.
    LocalId
);

id!(
    /// A label of one function.
    LabelId
);

id!(
    /// A string literal of the unit.
    StringId
);

id!(
    /// An initialiser of the unit.
    InitId
);
