//! Integer expressions without undefined behaviour, and the places that they read.
//!
//! Signed arithmetic is done on operands that are cut to a few bits, or in the unsigned type; shifts and divisions have operands in range.

use super::program::Builder;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub name: &'static str,
    pub width: u32,
    pub signed: bool,
}

const fn int(name: &'static str, width: u32, signed: bool) -> Int {
    Int { name, width, signed }
}

/// `int` is first.
pub const INTS: [Int; 14] = [
    int("int", 32, true),
    int("unsigned int", 32, false),
    int("char", 8, true),
    int("unsigned char", 8, false),
    int("signed char", 8, true),
    int("short", 16, true),
    int("unsigned short", 16, false),
    int("long", 64, true),
    int("unsigned long", 64, false),
    int("long long", 64, true),
    int("unsigned long long", 64, false),
    int("_Bool", 1, false),
    int("__int128", 128, true),
    int("unsigned __int128", 128, false),
];

const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "100",
    "-128",
    "255",
    "256",
    "40000",
    "65535",
    "2147483647",
    "(-2147483647-1)",
    "4294967295u",
    "123456789012345l",
    "0x8000000000000000ul",
    "'a'",
];

/// A place that holds an integer.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its text. Each `#` stands for an index: a side-effect-free expression of any value, which the text cuts to the range.
    pub text: String,
    pub ty: Int,
    /// Whether it is an object of its own type, so that a pointer to that type may point to it.
    pub addressable: bool,
}

/// A value with its type.
pub struct Value {
    pub text: String,
    pub ty: Int,
}

/// The type after the integer promotions.
fn promoted(ty: Int) -> Int {
    if ty.width < 32 { INTS[0] } else { ty }
}

/// The type of an operation on two promoted operands.
fn common(a: Int, b: Int) -> Int {
    let (a, b) = (promoted(a), promoted(b));
    match a.width.cmp(&b.width) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal if !a.signed => a,
        std::cmp::Ordering::Equal => b,
    }
}

fn unsigned(ty: Int) -> Int {
    let found = INTS.iter().find(|t| t.width == ty.width && !t.signed);
    *found.expect("every width has an unsigned type")
}

impl Builder<'_> {
    pub fn int_type(&mut self) -> Int {
        INTS[self.choices.below(INTS.len())]
    }

    /// A type for which `printf` and varargs have a plain form.
    pub fn plain_type(&mut self) -> Int {
        INTS[[0, 1, 7, 8, 9, 10][self.choices.below(6)]]
    }

    /// A place of those in scope, with its indices filled in.
    pub fn place(&mut self) -> Option<Place> {
        if self.places.is_empty() {
            return None;
        }
        let recent = self.places.len().min(12);
        let from = if self.choices.chance(70) {
            self.places.len() - recent
        } else {
            0
        };
        let at = from + self.choices.below(self.places.len() - from);
        let place = self.places[at].clone();
        Some(self.fill(place))
    }

    /// A place that a pointer may point to.
    pub fn target(&mut self) -> Option<Place> {
        let targets: Vec<Place> = self.places.iter().filter(|p| p.addressable).cloned().collect();
        if targets.is_empty() {
            return None;
        }
        let at = self.choices.below(targets.len());
        Some(self.fill(targets[at].clone()))
    }

    fn fill(&mut self, mut place: Place) -> Place {
        while place.text.contains('#') {
            let index = self.index();
            place.text = place.text.replacen('#', &index, 1);
        }
        place
    }

    /// A small expression.
    pub fn index(&mut self) -> String {
        let simple: Vec<String> = self
            .places
            .iter()
            .filter(|p| !p.text.contains('#') && p.ty.width <= 64)
            .map(|p| p.text.clone())
            .collect();
        if simple.is_empty() || self.choices.chance(50) {
            return self.choices.below(4).to_string();
        }
        simple[self.choices.below(simple.len())].clone()
    }

    pub fn number(&mut self) -> Value {
        let text = NUMBERS[self.choices.below(NUMBERS.len())];
        let ty = match text {
            _ if text.ends_with("ul") => INTS[8],
            _ if text.ends_with('l') => INTS[7],
            _ if text.ends_with('u') => INTS[1],
            _ => INTS[0],
        };
        Value {
            text: text.to_string(),
            ty,
        }
    }

    fn leaf(&mut self) -> Value {
        if self.choices.chance(70)
            && let Some(place) = self.place()
        {
            return Value {
                text: place.text,
                ty: place.ty,
            };
        }
        self.number()
    }

    /// An expression as text.
    pub fn expr(&mut self, depth: u32) -> String {
        self.value(depth).text
    }

    /// An expression with values from 0 up to `most`, which is a power of two minus one.
    pub fn small(&mut self, most: u32) -> String {
        let value = self.expr(1);
        format!("(int)(({value}) & {most})")
    }

    /// An expression of at most so many levels.
    pub fn value(&mut self, depth: u32) -> Value {
        if depth == 0 || self.choices.is_done() {
            return self.leaf();
        }
        let int = INTS[0];
        match self.choices.below(14) {
            0 => self.leaf(),
            1..=3 => self.arithmetic(depth),
            4 => {
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                let op = self.choices.pick(&["&", "|", "^"]);
                self.binary(op, a, b)
            }
            5 => {
                let (a, by) = (self.value(depth - 1), self.expr(depth - 1));
                let ty = promoted(a.ty);
                let text = if self.choices.chance(50) {
                    format!("({}) >> (({by}) & {})", a.text, ty.width - 1)
                } else if ty.signed {
                    format!("(({}) & 0xff) << (({by}) & 15)", a.text)
                } else {
                    format!("({}) << (({by}) & {})", a.text, ty.width - 1)
                };
                Value { text, ty }
            }
            6 => {
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                let op = self.choices.pick(&["/", "%"]);
                let ty = common(a.ty, b.ty);
                let text = if self.choices.chance(30) {
                    format!("({}) {op} -((({}) & 15) + 2)", a.text, b.text)
                } else {
                    format!("({}) {op} ((({}) & 31) + 1)", a.text, b.text)
                };
                Value { text, ty }
            }
            7 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                let op = self.choices.pick(&["==", "!=", "<", "<=", ">", ">="]);
                Value {
                    text: format!("(({a}) {op} ({b}))"),
                    ty: int,
                }
            }
            8 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                let op = self.choices.pick(&["&&", "||"]);
                Value {
                    text: format!("(({a}) {op} ({b}))"),
                    ty: int,
                }
            }
            9 => {
                let cond = self.expr(depth - 1);
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                Value {
                    ty: common(a.ty, b.ty),
                    text: format!("(({cond}) ? ({}) : ({}))", a.text, b.text),
                }
            }
            10 => {
                let a = self.value(depth - 1);
                match self.choices.below(4) {
                    0 => Value {
                        text: format!("!({})", a.text),
                        ty: int,
                    },
                    1 => Value {
                        text: format!("~({})", a.text),
                        ty: promoted(a.ty),
                    },
                    2 => Value {
                        text: format!("-(({}) & 0xfff)", a.text),
                        ty: common(a.ty, int),
                    },
                    _ => Value {
                        text: format!("({} ?: 5)", a.text),
                        ty: common(a.ty, int),
                    },
                }
            }
            11 | 12 => {
                let a = self.expr(depth - 1);
                let ty = self.int_type();
                Value {
                    text: format!("({})({a})", ty.name),
                    ty,
                }
            }
            _ => self.builtin(depth),
        }
    }

    fn binary(&mut self, op: &str, a: Value, b: Value) -> Value {
        Value {
            text: format!("(({}) {op} ({}))", a.text, b.text),
            ty: common(a.ty, b.ty),
        }
    }

    fn arithmetic(&mut self, depth: u32) -> Value {
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        let op = self.choices.pick(&["+", "-", "*"]);
        let ty = common(a.ty, b.ty);
        if !ty.signed {
            return self.binary(op, a, b);
        }
        if self.choices.chance(50) {
            let wide = unsigned(ty).name;
            return Value {
                text: format!("({})(({wide})({}) {op} ({wide})({}))", ty.name, a.text, b.text),
                ty,
            };
        }
        Value {
            text: format!("((({}) & 0x3ff) {op} (({}) & 0x3ff))", a.text, b.text),
            ty,
        }
    }

    fn builtin(&mut self, depth: u32) -> Value {
        let a = self.expr(depth - 1);
        let int = INTS[0];
        let text = match self.choices.below(9) {
            0 => format!("__builtin_popcount((unsigned)({a}))"),
            1 => format!("__builtin_clz((unsigned)({a}) | 1u)"),
            2 => format!("__builtin_ctzll((unsigned long long)({a}) | 0x100u)"),
            3 => format!("__builtin_ffs((int)({a}))"),
            4 => format!("__builtin_parityl((unsigned long)({a}))"),
            5 => format!("(int)__builtin_bswap16((unsigned short)({a}))"),
            6 => format!("__builtin_clrsbll((long long)({a}))"),
            7 => format!("(int)(__builtin_bswap32((unsigned)({a})) >> 8)"),
            _ => format!("(int)(__builtin_bswap64((unsigned long)({a})) >> 33)"),
        };
        Value { text, ty: int }
    }
}
