//! Small programs, built edge by edge.

use provident::cfa::*;
use provident::frontend::source::{Loc, Source, SourceMap};
use provident::frontend::types::{DataModel, IntKind, Type, TypeId, Types};

/// Builds a program out of integer variables.
pub struct Builder {
    program: Program,
    int: TypeId,
    void_function: TypeId,
}

impl Builder {
    pub fn new() -> Self {
        let mut types = Types::new(DataModel::Ilp32);
        let int = Types::int(IntKind::Int);
        let void_function = types.intern(Type::Function {
            ret: Types::VOID,
            params: Box::new([]),
            variadic: false,
            prototyped: true,
        });
        let program = Program {
            types,
            sources: SourceMap::new(Source::new("test", "")),
            vars: Vec::new(),
            functions: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            start: FuncId(0),
            assumptions: Vec::new(),
        };
        Builder {
            program,
            int,
            void_function,
        }
    }

    /// A function with its entry and exit. The first one is the start.
    pub fn function(&mut self, name: &str, defined: bool) -> FuncId {
        let func = FuncId::new(self.program.functions.len());
        let (entry, exit) = (self.node(func), self.node(func));
        self.program.nodes[exit.index()].rpo = 1_000_000;
        self.program.functions.push(Function {
            name: name.to_string(),
            ty: self.void_function,
            params: Vec::new(),
            ret: None,
            entry,
            exit,
            defined,
            recursive: false,
            address: 0x1000 + 16 * u64::from(func.0),
            address_taken: false,
            loc: Loc::NONE,
        });
        func
    }

    pub fn entry(&self, func: FuncId) -> NodeId {
        self.program.function(func).entry
    }

    pub fn exit(&self, func: FuncId) -> NodeId {
        self.program.function(func).exit
    }

    /// A node; nodes have to be made in reverse post-order.
    pub fn node(&mut self, func: FuncId) -> NodeId {
        let id = NodeId::new(self.program.nodes.len());
        self.program.nodes.push(Node {
            func,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            loop_head: false,
            label: None,
            loc: Loc::NONE,
            rpo: id.0,
            call_site: false,
            return_site: false,
        });
        id
    }

    pub fn head(&mut self, func: FuncId) -> NodeId {
        let id = self.node(func);
        self.program.nodes[id.index()].loop_head = true;
        id
    }

    pub fn var(&mut self, name: &str) -> VarId {
        let id = VarId::new(self.program.vars.len());
        self.program.vars.push(Variable {
            name: name.to_string(),
            display: name.to_string(),
            ty: self.int,
            kind: VarKind::Global,
            func: None,
            in_memory: false,
            escapes: false,
            address: None,
            relevant: true,
            loc: Loc::NONE,
        });
        id
    }

    pub fn edge(&mut self, from: NodeId, op: Op, to: NodeId) -> EdgeId {
        let id = EdgeId::new(self.program.edges.len());
        self.program.nodes[from.index()].outgoing.push(id);
        self.program.nodes[to.index()].incoming.push(id);
        self.program.edges.push(Edge {
            from,
            to,
            op,
            loc: Loc::NONE,
        });
        id
    }

    pub fn place(&self, var: VarId) -> Place {
        Place::var(var, self.int)
    }

    pub fn load(&self, var: VarId) -> Expr {
        Expr::load(self.place(var))
    }

    pub fn const_(&self, value: i64) -> Expr {
        Expr::int(value, self.int)
    }

    pub fn bin(&self, op: BinOp, a: Expr, b: Expr) -> Expr {
        Expr {
            ty: self.int,
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    pub fn assign(&self, var: VarId, rhs: Expr) -> Op {
        Op::Assign {
            lhs: self.place(var),
            rhs,
        }
    }

    pub fn nondet(&self, var: VarId) -> Op {
        Op::Havoc {
            place: self.place(var),
            source: Input::Nondet {
                function: "__VERIFIER_nondet_int".to_string(),
            },
        }
    }

    /// The two edges of a branch.
    pub fn branch(&mut self, from: NodeId, cond: Expr, yes: NodeId, no: NodeId) {
        self.edge(
            from,
            Op::Assume {
                cond: cond.clone(),
                truth: true,
            },
            yes,
        );
        self.edge(from, Op::Assume { cond, truth: false }, no);
    }

    pub fn finish(self) -> Program {
        self.program
    }
}
