//! Which objects pointers may point to: an inclusion-based analysis (Andersen, *Program analysis and specialization for the C programming
//! language*, 1994, chapter 4), field-sensitive and not sensitive to the order of operations or to contexts.
//!
//! An object is a variable in memory (one for all frames of a function), what one allocation makes, or a function. A value is a set of objects:
//! where in an object a pointer points is not tracked, since the content of an object is told apart by the
//! [kinds of cells](super::memory_types) that accesses go to. So no arithmetic on addresses matters, `container_of` included, as long as it stays in
//! one object, which C demands; and what kinds do not tell apart (an array's elements, two members of one record type) is one.
//!
//! *Every scalar is a value*, whatever its type: addresses go through integers, bytes and unions as through pointers. There is one more object,
//! the unknown one, which stands for everything: inputs, results of functions without body, indeterminate values, constants that are cast
//! to pointers. A pointer that nothing is known to point to may have any value, too.
//!
//! Not followed are addresses that are computed from conditions bit by bit, and from numbers that do not depend on an address.
//! The division into kinds has its own assumptions, which the ledger has.
//!
//! | module | does |
//! |---|---|
//! | `constraints` | from operations to inclusions |
//! | `solve` | the least solution, by wave propagation |
//! | `set` | sets of objects |

mod constraints;
mod set;
mod solve;

use super::memory_types::{Division, in_memory};
use super::program::*;
use constraints::Generator;
use provident_smt::hash::FxHashMap;
use set::Set;
use solve::{NodeIndex, Solver};

/// An object that a pointer may point to; the position among the objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The position among the objects.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The origin of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A variable.
    Variable(VarId),
    /// The objects of an allocation, over all of its executions: the position of its edge.
    Allocated(EdgeId),
    /// A function.
    Function(FuncId),
}

/// A call that is taken only if a pointer has the value of a function.
#[derive(Debug, Clone)]
pub struct ConditionalCall {
    /// The pointer.
    pub pointer: Expr,
    /// The function that is called then.
    pub function: FuncId,
}

/// The objects to which a pointer may point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    /// Whether it may be anything that escapes.
    pub unknown: bool,
    /// The objects otherwise, in order.
    pub objects: Vec<ObjectId>,
}

/// The least solution for one program.
#[derive(Debug)]
pub struct PointsTo {
    objects: Vec<Object>,
    ids: FxHashMap<Object, u32>,
    solver: Solver,
    /// The nodes of the scalars of plain variables.
    vars: FxHashMap<(VarId, u32), NodeIndex>,
}

impl PointsTo {
    /// Analyses a program. Edges need not be attached to nodes yet; `function_of` says whose a node is, and `conditional` which calls depend on a pointer.
    ///
    /// Sound for executions without undefined behaviour, under the assumptions of the division. Roughly linear for what occurs, cubic at worst.
    pub fn new(
        program: &Program,
        division: &Division,
        function_of: &dyn Fn(NodeId) -> FuncId,
        conditional: &FxHashMap<usize, ConditionalCall>,
    ) -> PointsTo {
        Generator::new(program, division, conditional).run(function_of)
    }

    /// Analyses a finished program.
    pub fn of_program(program: &Program, division: &Division) -> PointsTo {
        PointsTo::new(
            program,
            division,
            &|node| program.node(node).func,
            &FxHashMap::default(),
        )
    }

    /// The number of objects.
    pub fn count(&self) -> usize {
        self.objects.len()
    }

    /// The origin of an object.
    pub fn object(&self, id: ObjectId) -> Object {
        self.objects[id.index()]
    }

    /// The id of an object, if the program makes a pointer to it.
    pub fn id(&self, object: Object) -> Option<ObjectId> {
        self.ids.get(&object).copied().map(ObjectId)
    }

    /// The objects to which an expression of the program may point. An unknown pointer may point to all objects.
    pub fn targets(&self, program: &Program, division: &Division, pointer: &Expr) -> Targets {
        let set = self.value(program, division, pointer);
        Targets {
            unknown: set.has_unknown() || set.is_empty(),
            objects: set.iter().map(ObjectId).collect(),
        }
    }

    fn value(&self, program: &Program, division: &Division, e: &Expr) -> Set {
        let mut set = Set::default();
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) => {
                if constraints::is_fixed_address(program, e) {
                    set.add_unknown();
                }
            }
            ExprKind::FuncAddr(f) => {
                self.add(&mut set, Object::Function(*f));
            }
            ExprKind::Load(place) => self.content(program, division, place, &mut set),
            ExprKind::AddrOf(place) => match &place.base {
                PlaceBase::Var(v) => {
                    self.add(&mut set, Object::Variable(*v));
                }
                PlaceBase::Deref(pointer) => set = self.value(program, division, pointer),
            },
            ExprKind::Cast(x) => set = self.value(program, division, x),
            ExprKind::Unary(op, x) if *op != UnOp::LogNot => set = self.value(program, division, x),
            ExprKind::Unary(..) => {}
            ExprKind::Binary(op, x, y) => {
                for operand in constraints::carriers(&program.types, e.ty, *op, x, y) {
                    set.union(&self.value(program, division, operand));
                }
            }
            ExprKind::Math(_, operands) => {
                for operand in operands {
                    set.union(&self.value(program, division, operand));
                }
            }
        }
        set
    }

    fn add(&self, set: &mut Set, object: Object) {
        match self.ids.get(&object) {
            Some(&id) => {
                set.add(id);
            }
            None => {
                set.add_unknown();
            }
        }
    }

    /// Adds the values that the scalar of a place may hold.
    fn content(&self, program: &Program, division: &Division, place: &Place, set: &mut Set) {
        if !in_memory(program, place) {
            let PlaceBase::Var(var) = place.base else { return };
            let leaf = constraints::first_leaf(&program.types, place);
            if let Some(&node) = self.vars.get(&(var, leaf)) {
                set.union(self.solver.set(node));
            }
            return;
        }
        let Some(kind) = division.of_place(program, place) else {
            set.add_unknown();
            return;
        };
        let cell = |object: u32, set: &mut Set| match self.solver.known_cell(object, kind) {
            Some(cell) => set.union(self.solver.set(cell)),
            None => set.add_unknown(),
        };
        match &place.base {
            PlaceBase::Var(v) => {
                match self.ids.get(&Object::Variable(*v)) {
                    Some(&object) => cell(object, set),
                    None => set.add_unknown(),
                };
            }
            PlaceBase::Deref(pointer) => {
                let base = self.value(program, division, pointer);
                if base.has_unknown() {
                    set.add_unknown();
                }
                for object in base.iter() {
                    if !matches!(self.objects[object as usize], Object::Function(_)) {
                        cell(object, set);
                    }
                }
            }
        }
    }
}
