//! Executions that never end.
//!
//! An execution without inputs that comes to a state for the second time goes on as it did after the first. From time to time, after twice as many steps each time, the machine remembers its
//! state, and an [anchor](super::code::Ins::Anchor) is put there in the code: whenever the execution comes by, the two states are compared. That is Brent's way to find cycles
//! (*An improved Monte Carlo factorization algorithm*, BIT 1980). Most comparisons end at the register that differed last, so that they cost next to nothing.

use super::code::Ins;
use super::memory::Memory;
use super::run::Frame;

/// Steps after which a state is remembered first.
pub const FIRST: u64 = 1 << 10;
/// More words are not remembered.
const HEAVIEST: usize = 1 << 22;

/// The part of the state on which the next steps depend, besides the position.
#[derive(Clone, PartialEq, Eq)]
pub struct Present {
    pub registers: Vec<u64>,
    pub frames: Vec<Frame>,
    pub aside: Vec<u64>,
    pub blocks: Vec<u32>,
    pub memory: Memory,
}

impl Present {
    fn weight(&self) -> usize {
        self.registers.len() + self.frames.len() + self.aside.len() + self.memory.weight()
    }
}

/// A state that was remembered.
pub struct Anchor {
    /// Where.
    at: usize,
    /// Where the instruction is that stands there otherwise; behind it the way back.
    pub beside: usize,
    state: Box<Present>,
    /// A register that differed when it was last compared.
    hint: usize,
}

impl Anchor {
    /// Puts an anchor where the execution is, unless the state is too big.
    pub fn drop_at(code: &mut Vec<Ins>, at: usize, state: &Present) -> Option<Anchor> {
        if state.weight() > HEAVIEST {
            return None;
        }
        let next = u32::try_from(at + 1).ok()?;
        let instead = std::mem::replace(code.get_mut(at)?, Ins::Anchor);
        let beside = code.len();
        code.push(instead);
        code.push(Ins::Jump { to: next, n: 0 });
        Some(Anchor {
            at,
            beside,
            state: Box::new(state.clone()),
            hint: 0,
        })
    }

    /// Takes the anchor out of the code.
    pub fn weigh(self, code: &mut [Ins]) {
        code[self.at] = code[self.beside];
    }

    /// Whether a state is the one that was remembered.
    #[inline]
    pub fn is_back(&mut self, state: &Present) -> bool {
        if self.state.registers.get(self.hint) != state.registers.get(self.hint) {
            return false;
        }
        let pairs = self.state.registers.iter().zip(&state.registers);
        if let Some(at) = pairs.into_iter().position(|(a, b)| a != b) {
            self.hint = at;
            return false;
        }
        *self.state == *state
    }
}
