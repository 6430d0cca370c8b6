//! Numbers of variables, functions, nodes and edges.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The id of the element at a position.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("a program has fewer than 2^32 elements of a kind"))
            }
            /// The position of the element.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/// A variable of the program.
    VarId);
id!(/// A function of the program.
    FuncId);
id!(/// A program location.
    NodeId);
id!(/// A control-flow edge.
    EdgeId);
id!(/// The mark of woven operations: the specification automaton that observes the program by them.
    Watcher);
