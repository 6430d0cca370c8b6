//! The law of the transfer: on random straight-line programs over tracked and other variables, what the analysis knows is what a plain interpreter computes.

use super::*;
use crate::cfa::{LowerOptions, lower};
use crate::frontend::text::source::Source;
use crate::frontend::types::{DataModel, Types};
use crate::frontend::{FrontendOptions, parse};
use proptest::prelude::*;

/// A program with two tracked variables and one that is not.
fn program() -> (Program, [VarId; 3]) {
    let text = "int a, b, c; int main(void) { a = b; c = 0; return a + c; }";
    let options = FrontendOptions {
        data_model: DataModel::Ilp32,
    };
    let unit = parse(Source::new("p.c", text), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let mut program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let var = |name: &str| VarId::new(program.vars.iter().position(|v| v.name == name).expect("a variable"));
    let vars = [var("a"), var("b"), var("c")];
    program.tracked = [(vars[0], None), (vars[1], Some(3))]
        .map(|(var, most)| ExplicitVar { var, most })
        .to_vec();
    (program, vars)
}

/// `target = x op k`, or an assumption `x op k` with a truth value.
#[derive(Debug, Clone)]
struct Instruction {
    target: Option<usize>,
    op: BinOp,
    operand: usize,
    constant: i8,
    truth: bool,
}

fn instruction() -> impl Strategy<Value = Instruction> {
    use BinOp::*;
    let op = prop::sample::select(vec![Add, Sub, Mul, And, Or, Eq, Ne, Lt, Ge]);
    (prop::option::of(0usize..3), op, 0usize..3, -4i8..5, any::<bool>()).prop_map(
        |(target, op, operand, constant, truth)| Instruction {
            target,
            op,
            operand,
            constant,
            truth,
        },
    )
}

/// The machine's own answer on small numbers.
fn compute(op: BinOp, a: i32, b: i32) -> i32 {
    use BinOp::*;
    match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        And => a & b,
        Or => a | b,
        Eq => i32::from(a == b),
        Ne => i32::from(a != b),
        Lt => i32::from(a < b),
        _ => i32::from(a >= b),
    }
}

proptest! {
    #[test]
    fn what_is_known_is_true(start in prop::array::uniform3(-4i32..5), code in prop::collection::vec(instruction(), 0..12)) {
        let (program, vars) = program();
        let mut automata = Automata::new(&program);
        let mut concrete = start;
        let mut id = ValuesId::UNKNOWN;
        // The tracked variables begin with known values, as those of automata do.
        for i in 0..2 {
            let op = Op::Assign { lhs: Place::var(vars[i], Types::INT), rhs: Expr::int(i64::from(start[i]), Types::INT) };
            id = automata.after(&program, id, &op).expect("an assignment goes on");
        }
        for one in code {
            let operand = Expr::load(Place::var(vars[one.operand], Types::INT));
            let constant = Expr::int(i64::from(one.constant), Types::INT);
            let value = expr::binary(&program.types, one.op, operand, constant, Types::INT);
            let result = compute(one.op, concrete[one.operand], i32::from(one.constant));
            let op = match one.target {
                Some(target) => {
                    concrete[target] = result;
                    Op::Assign { lhs: Place::var(vars[target], Types::INT), rhs: value }
                }
                None => Op::Assume { cond: value, truth: one.truth },
            };
            let holds = one.target.is_some() || (result != 0) == one.truth;
            match automata.after(&program, id, &op) {
                Some(next) => id = next,
                None => {
                    prop_assert!(!holds, "{one:?} is excluded although it holds");
                    break;
                }
            }
            if !holds {
                break;
            }
            for (position, known) in automata.values[id.0 as usize].iter().enumerate() {
                if let Some(known) = known {
                    prop_assert_eq!(known, &Int::from(i64::from(concrete[position])));
                }
            }
        }
    }
}

#[test]
fn equal_values_have_one_id() {
    let (program, vars) = program();
    let mut automata = Automata::new(&program);
    let assign = |var: VarId, value: i64| Op::Assign {
        lhs: Place::var(var, Types::INT),
        rhs: Expr::int(value, Types::INT),
    };
    let one = automata
        .after(&program, ValuesId::UNKNOWN, &assign(vars[0], 1))
        .unwrap();
    let both = automata.after(&program, one, &assign(vars[1], 2)).unwrap();
    let other = automata.after(&program, both, &assign(vars[0], 3)).unwrap();
    assert_ne!(both, other);
    assert_eq!(automata.after(&program, other, &assign(vars[0], 1)), Some(both));
    let unknown = Op::Havoc {
        place: Place::var(vars[1], Types::INT),
        source: crate::cfa::Input::Uninitialised,
    };
    assert_eq!(automata.after(&program, both, &unknown), Some(one));
}
