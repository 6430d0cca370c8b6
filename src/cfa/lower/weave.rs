//! Adding operations to a program before it is finished.
//!
//! A specification automaton is tracked by operations on new variables, which are woven into the program at the events of the automaton
//! (Apel, Beyer, Mordan, Mutilin, Stahlbauer: *On-the-fly decomposition of specifications in software model checking*, FSE 2016). This module
//! knows nothing of automata: it opens gaps before and after edges, and gives nodes, edges and variables to fill them. Weaving takes place after
//! calls through pointers have become calls and before empty edges are contracted, so woven operations are classified, numbered and annotated like
//! all others.
//!
//! A gap is a pair of nodes that nothing joins yet: control arrives at the first and goes on from the second. Several gaps may be opened at one
//! edge; before it they follow each other in the order of opening, behind it in the opposite order.

use crate::cfa::program::assumption::{Assumption, AssumptionKind};
use crate::cfa::program::*;
use crate::cfa::raw::{Parts, RawNode};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::hash::FxHashMap;

/// An edge as a specification automaton sees it.
#[derive(Debug, Clone)]
pub enum Site {
    /// A call, with its arguments. If the function has a model, only the way into the call.
    Call {
        /// The function's name.
        function: String,
        /// The arguments.
        args: Vec<Expr>,
        /// Whether the edge is the call itself; otherwise, it is the mark before the call.
        whole: bool,
    },
    /// The way out of a call of a function that has a model.
    Return {
        /// The function's name.
        function: String,
        /// The arguments as they were at the call.
        args: Vec<Expr>,
        /// The result, if there is one.
        result: Option<Expr>,
    },
    /// Everything else that does something.
    Other(Op),
}

/// Two nodes that nothing joins yet.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// Where control arrives.
    pub from: NodeId,
    /// Where it goes on.
    pub to: NodeId,
}

/// A program that can still be changed.
pub struct Weaver<'a> {
    parts: &'a mut Parts,
    typedefs: &'a [(Box<str>, TypeId)],
    marks: FxHashMap<usize, usize>,
    /// The number of edges of the program itself.
    program_edges: usize,
    /// The edges of the start function, which initialises what is static and calls the entry function.
    start_edges: Vec<bool>,
}

impl<'a> Weaver<'a> {
    pub(in crate::cfa) fn new(parts: &'a mut Parts, typedefs: &'a [(Box<str>, TypeId)]) -> Weaver<'a> {
        let marks = parts.marks.iter().enumerate().map(|(i, mark)| (mark.edge, i)).collect();
        let program_edges = parts.edges.len();
        let start_edges = edges_from(parts, parts.functions[0].entry);
        Weaver {
            parts,
            typedefs,
            marks,
            program_edges,
            start_edges,
        }
    }

    /// The types, to which pointer types may be added.
    pub fn types(&mut self) -> &mut Types {
        &mut self.parts.types
    }

    /// The type of a name at file scope.
    pub fn typedef(&self, name: &str) -> Option<TypeId> {
        let at = self.typedefs.binary_search_by(|(other, _)| (**other).cmp(name));
        at.ok().map(|at| self.typedefs[at].1)
    }

    /// The static variable of a name, if the program uses it.
    pub fn global(&self, name: &str) -> Option<Place> {
        let found = |v: &&Variable| v.kind == VarKind::Global && v.name == name;
        let at = self.parts.vars.iter().position(|v| found(&v))?;
        Some(Place::var(VarId::new(at), self.parts.vars[at].ty))
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.parts.vars[id.index()]
    }

    /// The name of a function, as the program writes it.
    pub fn function_name(&self, id: FuncId) -> &str {
        self.parts.functions[id.index()].source_name()
    }

    /// The edges of the program itself.
    pub fn edges(&self) -> std::ops::Range<usize> {
        0..self.program_edges
    }

    /// Whether an edge belongs to a function of the C library: what such a function calls is its own affair.
    fn in_library(&self, edge: usize) -> bool {
        let node = self.parts.edges[edge].from;
        let function = self.parts.nodes[node.index()].func;
        self.parts.functions[function.index()].library
    }

    /// An edge of the program as a specification automaton sees it. The synthetic start function is not visible to automata.
    pub fn site(&self, edge: usize) -> Option<Site> {
        if let Some(&mark) = self.marks.get(&edge) {
            let mark = &self.parts.marks[mark];
            let (function, args) = (mark.function.clone(), mark.args.clone());
            let result = mark.result.clone();
            return Some(match mark.after {
                true => Site::Return { function, args, result },
                false => Site::Call {
                    function,
                    args,
                    whole: false,
                },
            });
        }
        if self.start_edges[edge] || self.in_library(edge) {
            return None;
        }
        match &self.parts.edges[edge].op {
            Op::Nop => None,
            Op::Call { func, args, .. } | Op::External { func, args, .. } => Some(Site::Call {
                function: self.function_name(*func).to_owned(),
                args: args.clone(),
                whole: true,
            }),
            op => Some(Site::Other(op.clone())),
        }
    }

    /// The place of an edge.
    pub fn loc(&self, edge: usize) -> Loc {
        self.parts.edges[edge].loc
    }

    /// The edge that calls the entry function.
    pub fn entry_call(&self) -> usize {
        let is_call = |e: &usize| self.start_edges[*e] && matches!(self.parts.edges[*e].op, Op::Call { .. });
        // Constructors come first.
        let at = self.edges().rev().find(is_call);
        at.expect("the start function calls the entry function")
    }

    /// A new static variable for a specification. Somebody has to initialise it.
    pub fn new_var(&mut self, name: &str, ty: TypeId) -> Place {
        self.add_var(name.to_owned(), name.to_owned(), ty, VarKind::Woven, None)
    }

    /// Asks the exploration to keep the value of a woven variable explicitly, as long as it is not farther from zero than `most`.
    pub fn track(&mut self, place: &Place, most: Option<u32>) {
        let var = place.as_whole_var().expect("a variable is tracked as a whole");
        assert_eq!(self.var(var).kind, VarKind::Woven, "only woven variables are tracked");
        self.parts.tracked.push(ExplicitVar { var, most });
    }

    /// A new temporary of the function in which an edge lies.
    pub fn new_temp(&mut self, edge: usize, ty: TypeId) -> Place {
        let func = self.parts.nodes[self.parts.edges[edge].from.index()].func;
        let display = format!("$spec{}", self.parts.vars.len());
        let name = format!("{}::{display}", self.function_name(func));
        self.add_var(name, display, ty, VarKind::Temp, Some(func))
    }

    fn add_var(&mut self, name: String, display: String, ty: TypeId, kind: VarKind, func: Option<FuncId>) -> Place {
        let id = VarId::new(self.parts.vars.len());
        self.parts.vars.push(Variable {
            name,
            display,
            ty,
            kind,
            func,
            in_memory: false,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc: Loc::NONE,
        });
        Place::var(id, ty)
    }

    /// A new node in the function of another one.
    pub fn node(&mut self, like: NodeId) -> NodeId {
        let RawNode { func, loc, .. } = self.parts.nodes[like.index()];
        self.parts.nodes.push(RawNode {
            func,
            loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(self.parts.nodes.len() - 1)
    }

    /// A new edge.
    pub fn edge(&mut self, from: NodeId, to: NodeId, op: Op, loc: Loc) {
        self.parts.edges.push(Edge { from, to, op, loc });
    }

    /// A gap at the very beginning of the program.
    pub fn gap_at_start(&mut self) -> Gap {
        let to = self.parts.functions[0].entry;
        let from = self.node(to);
        self.parts.functions[0].entry = from;
        Gap { from, to }
    }

    /// A gap before an edge that is no assumption.
    pub fn gap_before(&mut self, edge: usize) -> Gap {
        let from = self.parts.edges[edge].from;
        assert!(
            !matches!(self.parts.edges[edge].op, Op::Assume { .. }),
            "a branch stays one"
        );
        let to = self.node(from);
        self.parts.edges[edge].from = to;
        Gap { from, to }
    }

    /// A gap behind an edge.
    pub fn gap_after(&mut self, edge: usize) -> Gap {
        let to = self.parts.edges[edge].to;
        let from = self.node(to);
        self.parts.edges[edge].to = from;
        Gap { from, to }
    }

    /// The value of a call, right behind it; `None` if it has none. A call whose result the program drops gets a place for it.
    pub fn call_result(&mut self, edge: usize) -> Option<Expr> {
        let (func, ret) = match &self.parts.edges[edge].op {
            Op::Call { func, ret, .. } | Op::External { func, ret, .. } => (*func, ret.clone()),
            _ => return None,
        };
        if let Some(place) = ret {
            return Some(Expr::load(place));
        }
        let function = &self.parts.functions[func.index()];
        let ty = match (function.ret, self.parts.types.get(function.ty)) {
            (Some(ret), _) => self.parts.vars[ret.index()].ty,
            (None, &Type::Function { ret, .. }) if !function.defined => ret,
            _ => return None,
        };
        if !self.parts.types.is_scalar(ty) {
            return None;
        }
        let place = self.new_temp(edge, ty);
        if let Op::Call { ret, .. } | Op::External { ret, .. } = &mut self.parts.edges[edge].op {
            *ret = Some(place.clone());
        }
        Some(Expr::load(place))
    }

    /// Where the value of a call goes, if the program uses it.
    pub fn result_place(&self, edge: usize) -> Option<Place> {
        match &self.parts.edges[edge].op {
            Op::Call { ret, .. } | Op::External { ret, .. } => ret.clone(),
            _ => None,
        }
    }

    /// The pointer variables of automatic storage that are read before the program has given them a value, with the edge at which they begin.
    pub fn uninitialised_pointers(&self) -> Vec<(usize, Place)> {
        let pointer = |op: &Op| match op {
            Op::Havoc {
                place,
                source: Input::Uninitialised,
            } if self.parts.types.is_pointer(place.ty) && place.as_whole_var().is_some() => Some(place.clone()),
            _ => None,
        };
        let edges = &self.parts.edges[..self.program_edges];
        (0..)
            .zip(edges)
            .filter_map(|(i, edge)| Some((i, pointer(&edge.op)?)))
            .collect()
    }

    /// The function in which an edge lies.
    pub fn function_of(&self, edge: usize) -> FuncId {
        self.parts.nodes[self.parts.edges[edge].from.index()].func
    }

    /// Records what is taken on trust.
    pub fn assume(&mut self, kind: AssumptionKind, detail: String, loc: Loc, sound: bool) {
        self.parts.assumptions.push(Assumption {
            kind,
            detail,
            loc,
            sound,
        });
    }
}

/// Which edges can be reached from a node without leaving its function. The functions that nodes of initialisers carry say nothing before the graph is finished.
fn edges_from(parts: &Parts, node: NodeId) -> Vec<bool> {
    let mut outgoing: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
    for (i, edge) in parts.edges.iter().enumerate() {
        outgoing.entry(edge.from).or_default().push(i);
    }
    let mut found = vec![false; parts.edges.len()];
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        for &edge in outgoing.get(&node).into_iter().flatten() {
            if !std::mem::replace(&mut found[edge], true) {
                open.push(parts.edges[edge].to);
            }
        }
    }
    found
}
