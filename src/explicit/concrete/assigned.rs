//! Which variables certainly have a value where they are read.
//!
//! A plain variable of a function that may be read before it has a value gets a flag, which costs an instruction for each write and read. For all others the usual analysis of definite assignment
//! (a forward analysis that joins by intersection, as in Nielson, Nielson and Hankin, *Principles of program analysis*, 2.1) shows that there is no need to ask. Registers stand for variables.

use super::layout::Layout;
use crate::cfa::program::visit::visit_op;
use crate::cfa::{EdgeId, Expr, ExprKind, FuncId, Function, NodeId, Op, Place, PlaceBase, Program};
use crate::frontend::types::Type;
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;

/// Bits that the analysis may spend on a function. In a bigger one every variable gets a flag.
const MAX_BITS: usize = 1 << 27;

/// The effect of an operation on the plain variables of its function.
struct Effect {
    reads: Vec<(usize, usize)>,
    /// Ranges of registers with whether they have values then.
    writes: Vec<(usize, usize, bool)>,
    /// A record that is copied within the frame, known or not: to, from, registers.
    copies: Option<(usize, usize, usize)>,
}

/// The nodes of a function that its entry reaches, in the order of discovery, and the position of each.
fn reached(
    program: &Program,
    function: &Function,
    edges: &dyn Fn(NodeId) -> Vec<EdgeId>,
) -> (Vec<NodeId>, FxHashMap<NodeId, usize>) {
    let mut order = vec![function.entry];
    let mut position: FxHashMap<NodeId, usize> = FxHashMap::default();
    position.insert(function.entry, 0);
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        if node == function.exit {
            continue;
        }
        for edge in edges(node) {
            let to = program.edge(edge).to;
            position.entry(to).or_insert_with(|| {
                order.push(to);
                order.len() - 1
            });
        }
    }
    (order, position)
}

/// For each register of a function's plain variables, from the frame's first, whether it needs a flag. Long, as it is one fixed point over shared sets.
///
/// `edges` are those that can be taken from a node. The parameters of a function that is called `from_outside` may have no values.
pub fn flagged(
    program: &Program,
    layout: &Layout,
    func: FuncId,
    from_outside: bool,
    edges: &dyn Fn(NodeId) -> Vec<EdgeId>,
) -> BitVec {
    let function = program.function(func);
    let count = layout.plain_registers(func);
    let (order, position) = reached(program, function, edges);
    if count.saturating_mul(order.len()) > MAX_BITS {
        return BitVec::repeat(true, count);
    }
    let mut entry = BitVec::repeat(false, count);
    for &param in function.params.iter().filter(|_| !from_outside) {
        if let Some(range) = layout.plain_range(program, func, &Place::var(param, program.var(param).ty)) {
            entry[range.0..range.1].fill(true);
        }
    }
    let effects: Vec<Vec<(usize, Effect)>> = order
        .iter()
        .map(|&node| match node == function.exit {
            true => Vec::new(),
            false => edges(node)
                .into_iter()
                .map(|edge| (position[&program.edge(edge).to], effect(program, layout, func, edge)))
                .collect(),
        })
        .collect();
    let mut known: Vec<Option<BitVec>> = vec![None; order.len()];
    known[0] = Some(entry);
    let mut waiting = std::collections::BTreeSet::from([0]);
    while let Some(node) = waiting.pop_first() {
        let before = known[node].clone().expect("a node that waits was reached");
        for (to, effect) in &effects[node] {
            let mut after = before.clone();
            for &(first, end, has_value) in &effect.writes {
                after[first..end].fill(has_value);
            }
            if let Some((to, from, count)) = effect.copies {
                for i in 0..count {
                    after.set(to + i, before[from + i]);
                }
            }
            let joined = match &known[*to] {
                None => after,
                Some(other) => after & other,
            };
            if known[*to].as_ref() != Some(&joined) {
                known[*to] = Some(joined);
                waiting.insert(*to);
            }
        }
    }
    let mut flagged: BitVec = BitVec::repeat(false, count);
    let mut read = |known: &BitVec, (first, end): (usize, usize)| {
        for register in first..end {
            if !known[register] {
                flagged.set(register, true);
            }
        }
    };
    for (node, effects) in effects.iter().enumerate() {
        let Some(known) = &known[node] else { continue };
        for (_, effect) in effects {
            effect.reads.iter().for_each(|&range| read(known, range));
        }
    }
    if let (Some(ret), Some(Some(known))) = (function.ret, position.get(&function.exit).map(|&at| &known[at]))
        && let Some(range) = layout.plain_range(program, func, &Place::var(ret, program.var(ret).ty))
    {
        read(known, range);
    }
    // The flag of a copy needs the flag of the original.
    let mut grows = true;
    while grows {
        grows = false;
        for (node, effects) in effects.iter().enumerate() {
            let Some(known) = &known[node] else { continue };
            for (to, from, count) in effects.iter().filter_map(|(_, effect)| effect.copies) {
                for i in 0..count {
                    if flagged[to + i] && !known[from + i] && !flagged[from + i] {
                        flagged.set(from + i, true);
                        grows = true;
                    }
                }
            }
        }
    }
    flagged
}

fn effect(program: &Program, layout: &Layout, func: FuncId, edge: EdgeId) -> Effect {
    let op = &program.edge(edge).op;
    let mut effect = Effect {
        reads: Vec::new(),
        writes: Vec::new(),
        copies: None,
    };
    let plain = |place: &Place| match place.base {
        PlaceBase::Var(_) => layout.plain_range(program, func, place),
        PlaceBase::Deref(_) => None,
    };
    if let Op::Assign { lhs, rhs } = op
        && matches!(program.types.get(lhs.ty), Type::Record(_))
        && let ExprKind::Load(source) = &rhs.kind
        && let (Some((to, end)), Some((from, _))) = (plain(lhs), plain(source))
    {
        effect.copies = Some((to, from, end - to));
        return effect;
    }
    visit_op(op, &mut |expr: &Expr| {
        if let ExprKind::Load(place) = &expr.kind {
            effect.reads.extend(plain(place));
        }
    });
    let mut write = |place: &Place, has_value: bool| {
        if let Some((first, end)) = plain(place) {
            effect.writes.push((first, end, has_value));
        }
    };
    match op {
        Op::Assign { lhs: place, .. } | Op::Zero { place } | Op::Allocate { lhs: place, .. } => write(place, true),
        Op::Havoc { place, .. } => write(place, false),
        Op::External { ret: Some(place), .. } => write(place, false),
        Op::Call {
            func, ret: Some(place), ..
        } => write(place, program.function(*func).ret.is_some()),
        Op::Asm { outputs, .. } => outputs.iter().for_each(|place| write(place, false)),
        _ => {}
    }
    effect
}
