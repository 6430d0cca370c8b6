//! Random formulas as plain trees, with a naive evaluation that shares nothing with the crate's terms.

use proptest::prelude::*;
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};

/// The number of integer and of propositional variables.
pub const VARIABLES: usize = 3;

/// An integer expression.
#[derive(Clone, Debug)]
pub enum Num {
    Const(i64),
    Var(usize),
    App(Box<Num>),
    Add(Box<Num>, Box<Num>),
    Sub(Box<Num>, Box<Num>),
    Scale(i64, Box<Num>),
    Div(Box<Num>, i64),
    Mod(Box<Num>, i64),
    Ite(Box<Fml>, Box<Num>, Box<Num>),
}

/// A formula.
#[derive(Clone, Debug)]
pub enum Fml {
    Const(bool),
    Var(usize),
    Le(Num, Num),
    Lt(Num, Num),
    Eq(Num, Num),
    Not(Box<Fml>),
    And(Vec<Fml>),
    Or(Vec<Fml>),
    Iff(Box<Fml>, Box<Fml>),
    Implies(Box<Fml>, Box<Fml>),
    Ite(Box<Fml>, Box<Fml>, Box<Fml>),
}

/// Integer expressions over linear arithmetic; `rich` adds the function, division and `ite`.
pub fn number(rich: bool) -> BoxedStrategy<Num> {
    let leaf = prop_oneof![(-4_i64..=4).prop_map(Num::Const), (0..VARIABLES).prop_map(Num::Var)];
    leaf.prop_recursive(3, 12, 2, move |inner| {
        let b = inner.clone().prop_map(Box::new);
        let plain = prop_oneof![
            (b.clone(), b.clone()).prop_map(|(x, y)| Num::Add(x, y)),
            (b.clone(), b.clone()).prop_map(|(x, y)| Num::Sub(x, y)),
            (-3_i64..=3, b.clone()).prop_map(|(c, x)| Num::Scale(c, x)),
        ];
        if !rich {
            return plain.boxed();
        }
        let divisor = prop_oneof![-5_i64..=-1, 1_i64..=5];
        let condition = (inner.clone(), inner).prop_map(|(x, y)| Box::new(Fml::Le(x, y)));
        prop_oneof![
            3 => plain,
            1 => b.clone().prop_map(Num::App),
            1 => (b.clone(), divisor.clone()).prop_map(|(x, c)| Num::Div(x, c)),
            1 => (b.clone(), divisor).prop_map(|(x, c)| Num::Mod(x, c)),
            1 => (condition, b.clone(), b).prop_map(|(c, x, y)| Num::Ite(c, x, y)),
        ]
        .boxed()
    })
    .boxed()
}

/// Formulas over [`number`].
pub fn formula(rich: bool) -> BoxedStrategy<Fml> {
    let n = || number(rich);
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Fml::Const),
        3 => (0..VARIABLES).prop_map(Fml::Var),
        4 => (n(), n()).prop_map(|(x, y)| Fml::Le(x, y)),
        2 => (n(), n()).prop_map(|(x, y)| Fml::Lt(x, y)),
        4 => (n(), n()).prop_map(|(x, y)| Fml::Eq(x, y)),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let b = inner.clone().prop_map(Box::new);
        prop_oneof![
            2 => b.clone().prop_map(Fml::Not),
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Fml::And),
            2 => prop::collection::vec(inner, 0..4).prop_map(Fml::Or),
            1 => (b.clone(), b.clone()).prop_map(|(x, y)| Fml::Iff(x, y)),
            1 => (b.clone(), b.clone()).prop_map(|(x, y)| Fml::Implies(x, y)),
            1 => (b.clone(), b.clone(), b).prop_map(|(x, y, z)| Fml::Ite(x, y, z)),
        ]
    })
    .boxed()
}

/// Values for everything that a random formula can mention: `f` is a table for -3..=3 and a default.
#[derive(Clone, Debug)]
pub struct World {
    pub ints: Vec<i64>,
    pub bools: Vec<bool>,
    pub table: Vec<i64>,
    pub default: i64,
}

pub fn world() -> impl Strategy<Value = World> {
    let values = || prop::collection::vec(-4_i64..=4, VARIABLES);
    (
        values(),
        prop::collection::vec(any::<bool>(), VARIABLES),
        prop::collection::vec(-4_i64..=4, 7),
        -4_i64..=4,
    )
        .prop_map(|(ints, bools, table, default)| World {
            ints,
            bools,
            table,
            default,
        })
}

impl World {
    pub fn function(&self, x: i64) -> i64 {
        usize::try_from(x + 3)
            .ok()
            .and_then(|i| self.table.get(i))
            .copied()
            .unwrap_or(self.default)
    }

    pub fn num(&self, e: &Num) -> i64 {
        match e {
            Num::Const(v) => *v,
            Num::Var(i) => self.ints[*i],
            Num::App(a) => self.function(self.num(a)),
            Num::Add(a, b) => self.num(a) + self.num(b),
            Num::Sub(a, b) => self.num(a) - self.num(b),
            Num::Scale(c, a) => c * self.num(a),
            Num::Div(a, c) => floor_div(self.num(a), *c),
            Num::Mod(a, c) => self.num(a) - c * floor_div(self.num(a), *c),
            Num::Ite(c, a, b) => self.num(if self.fml(c) { a } else { b }),
        }
    }

    pub fn fml(&self, e: &Fml) -> bool {
        match e {
            Fml::Const(v) => *v,
            Fml::Var(i) => self.bools[*i],
            Fml::Le(a, b) => self.num(a) <= self.num(b),
            Fml::Lt(a, b) => self.num(a) < self.num(b),
            Fml::Eq(a, b) => self.num(a) == self.num(b),
            Fml::Not(a) => !self.fml(a),
            Fml::And(list) => list.iter().all(|a| self.fml(a)),
            Fml::Or(list) => list.iter().any(|a| self.fml(a)),
            Fml::Iff(a, b) => self.fml(a) == self.fml(b),
            Fml::Implies(a, b) => !self.fml(a) || self.fml(b),
            Fml::Ite(c, a, b) => self.fml(if self.fml(c) { a } else { b }),
        }
    }

    /// The same world as a model of the symbols `x0..`, `b0..` and `f` in version `index`.
    pub fn model(&self, pool: &mut TermPool, index: u32) -> Model {
        let mut model = Model::new();
        for (i, value) in self.ints.iter().enumerate() {
            model.set_int(
                Symbol {
                    name: pool.symbol(&format!("x{i}")),
                    index,
                },
                Int::from(*value),
            );
        }
        for (i, value) in self.bools.iter().enumerate() {
            model.set_bool(
                Symbol {
                    name: pool.symbol(&format!("b{i}")),
                    index,
                },
                *value,
            );
        }
        let f = Symbol {
            name: pool.symbol("f"),
            index,
        };
        for (x, value) in (-3_i64..).zip(&self.table) {
            model.set_point(f, vec![Int::from(x)], Int::from(*value));
        }
        model.set_default(f, Int::from(self.default));
        model
    }
}

fn floor_div(a: i64, b: i64) -> i64 {
    let q = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
}

impl Num {
    pub fn build(&self, pool: &mut TermPool) -> TermId {
        match self {
            Num::Const(v) => pool.int(*v),
            Num::Var(i) => {
                let name = pool.symbol(&format!("x{i}"));
                pool.int_var(name, NO_INDEX)
            }
            Num::App(a) => {
                let (name, a) = (pool.symbol("f"), a.build(pool));
                pool.app(name, NO_INDEX, &[a])
            }
            Num::Add(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.add(a, b)
            }
            Num::Sub(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.sub(a, b)
            }
            Num::Scale(c, a) => {
                let a = a.build(pool);
                pool.scale(&Int::from(*c), a)
            }
            Num::Div(a, c) => {
                let a = a.build(pool);
                pool.div_floor(a, &Int::from(*c))
            }
            Num::Mod(a, c) => {
                let a = a.build(pool);
                pool.mod_floor(a, &Int::from(*c))
            }
            Num::Ite(c, a, b) => {
                let (c, a, b) = (c.build(pool), a.build(pool), b.build(pool));
                pool.ite(c, a, b)
            }
        }
    }
}

impl Fml {
    pub fn build(&self, pool: &mut TermPool) -> TermId {
        match self {
            Fml::Const(v) => pool.mk_bool(*v),
            Fml::Var(i) => {
                let name = pool.symbol(&format!("b{i}"));
                pool.bool_var(name, NO_INDEX)
            }
            Fml::Le(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.le(a, b)
            }
            Fml::Lt(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.lt(a, b)
            }
            Fml::Eq(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.eq(a, b)
            }
            Fml::Not(a) => {
                let a = a.build(pool);
                pool.not(a)
            }
            Fml::And(list) => {
                let list: Vec<_> = list.iter().map(|a| a.build(pool)).collect();
                pool.and(&list)
            }
            Fml::Or(list) => {
                let list: Vec<_> = list.iter().map(|a| a.build(pool)).collect();
                pool.or(&list)
            }
            Fml::Iff(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.iff(a, b)
            }
            Fml::Implies(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.implies(a, b)
            }
            Fml::Ite(c, a, b) => {
                let (c, a, b) = (c.build(pool), a.build(pool), b.build(pool));
                pool.ite(c, a, b)
            }
        }
    }
}
