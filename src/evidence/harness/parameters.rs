//! The arguments of the entry function: values, and objects of their own behind pointers (`--entry-pointers valid`).
//!
//! Such an object is an extern variable for the harness, which provides its contents. The pointers are found here: those that are passed, and those in the objects.

use super::{Builder, edge_is_initial};
use crate::cfa::{Expr, ExprKind, Input, Op, Place, PlaceBase, Proj, Step, VarId, VarKind};
use std::collections::BTreeSet;

impl Builder<'_> {
    /// Notes the arguments of the entry function in their order, and the pointers in the objects behind them.
    pub(super) fn pass_objects(&mut self, entry: &str) {
        let program = self.program;
        let mut passed: BTreeSet<VarId> = BTreeSet::new();
        for edge in &program.edges {
            if let Op::Call { func, args, .. } = &edge.op
                && program.node(edge.from).func == program.start
                && program.function(*func).source_name() == entry
            {
                passed.extend(args.iter().filter_map(loaded));
            }
        }
        let mut objects: BTreeSet<VarId> = BTreeSet::new();
        for (i, step) in self.steps.iter().enumerate() {
            let Step::Edge(id) = *step else { continue };
            if !edge_is_initial(program, id) {
                continue;
            }
            match &program.edge(id).op {
                Op::Havoc {
                    source: Input::EntryParam,
                    place,
                } => match self.value(place, i) {
                    Some(value) => self.parameters.push(value),
                    None => {
                        self.doubts
                            .insert("a parameter of the entry function is no scalar".to_string());
                    }
                },
                Op::Havoc {
                    source: Input::ExternVariable { .. },
                    place,
                } => objects.extend(place.as_whole_var()),
                Op::Assign { lhs, rhs } => self.pass(lhs, rhs, (&passed, &objects)),
                _ => {}
            }
        }
    }

    /// An assignment of the start function, if it passes a pointer or writes one into an object.
    fn pass(&mut self, lhs: &Place, rhs: &Expr, (passed, objects): (&BTreeSet<VarId>, &BTreeSet<VarId>)) {
        let PlaceBase::Var(var) = lhs.base else { return };
        let pointer = match &rhs.kind {
            ExprKind::AddrOf(place) => place.as_whole_var().map(|var| self.program.var(var).display.as_str()),
            ExprKind::Const(value) if value.is_zero() => Some("0"),
            _ => None,
        };
        let Some(pointer) = pointer else { return };
        if lhs.as_whole_var().is_some() && passed.contains(&var) && self.program.var(var).kind == VarKind::Temp {
            self.parameters.push(format!("(unsigned long){pointer}"));
        } else if objects.contains(&var) {
            let name = &self.program.var(var).display;
            match self.offset(lhs) {
                Some(offset) => self
                    .pointers
                    .push(format!("*(void **)({name} + {offset}) = (void *){pointer};")),
                None => {
                    self.doubts.insert(format!("a pointer in `{name}` is not set"));
                }
            }
        }
    }

    /// The offset of a member in its variable.
    fn offset(&self, place: &Place) -> Option<u64> {
        let parts = place.proj.iter().map(|step| match step {
            Proj::Field { record, field } => {
                let fields = &self.program.types.record(*record).fields;
                fields.get(usize::try_from(*field).ok()?).map(|field| field.offset)
            }
            Proj::Index(_) => None,
        });
        parts.sum()
    }
}

/// The variable that an argument is the value of.
fn loaded(arg: &Expr) -> Option<VarId> {
    match &arg.kind {
        ExprKind::Load(place) => place.as_whole_var(),
        _ => None,
    }
}
