//! Calls: arguments, frames that are put aside, and results.
//!
//! A frame has its own registers, so arguments are moved to them directly. If a function calls itself, they may be registers of the caller, too: then the arguments are read to registers outside of all frames
//! before the first of them is moved. Results have separate registers, or an object for records in memory.

use super::Stop;
use super::code::{Ins, Reg};
use super::compile::{Code, MAX_RESULTS};
use super::layout::Class;
use crate::cfa::{EdgeId, Expr, ExprKind, FuncId, Place, VarId};

/// The value that is passed to a parameter.
pub(super) enum Argument {
    Scalar(Reg),
    /// An unknown value.
    Unknown,
    /// A record in registers.
    Registers(Reg),
    /// A record behind a pointer, with a place of its type.
    Memory(Reg, Place),
}

impl Code<'_> {
    pub(super) fn call(&mut self, edge: EdgeId, func: FuncId, args: &[Expr], ret: Option<&Place>) -> Result<(), Stop> {
        let program = self.program;
        let callee = program.function(func);
        self.has_begun = true;
        if args.len() < callee.params.len() {
            return Err(Stop("a call with too few arguments"));
        }
        // All arguments have their values before the first of them is passed. In a function that calls itself they may be where it is passed to.
        let is_own = func == self.here;
        let mut passed = Vec::new();
        for (arg, &param) in args.iter().zip(&callee.params) {
            let var = program.var(param);
            let place = Place::var(param, var.ty);
            if self.here == program.start && self.may_be_unknown(arg)? {
                passed.push((place, Argument::Unknown));
                continue;
            }
            if self.is_composite(&place) {
                let ExprKind::Load(source) = &arg.kind else {
                    return Err(Stop("a composite value that is no load"));
                };
                let argument = self.argument(source)?;
                passed.push((
                    place,
                    if is_own {
                        self.aside(argument, source)?
                    } else {
                        argument
                    },
                ));
                continue;
            }
            let class = Class::of(&program.types, arg.ty);
            if class == Class::Other {
                return Err(Stop("a value of an unusual type"));
            }
            let mut value = self.expression(arg, None)?;
            let frame = self.unit(func);
            if is_own && (frame.base..frame.base + frame.size).contains(&value) {
                let d = self.temporary(class.registers());
                self.emit(match class.registers() {
                    1 => Ins::Move { d, a: value },
                    _ => Ins::MovePair { d, a: value },
                });
                value = d;
            }
            passed.push((place, Argument::Scalar(value)));
        }
        let n = std::mem::take(&mut self.pending);
        let enter = self.ins.len();
        self.emit(Ins::Enter { func: func.0, back: 0 });
        let caller = std::mem::replace(&mut self.here, func);
        let moved = passed
            .into_iter()
            .try_for_each(|(place, argument)| self.pass(&place, argument));
        self.here = caller;
        moved?;
        self.emit(Ins::Go { func: func.0, n });
        let back = self.position();
        if let Ins::Enter { back: at, .. } = &mut self.ins[enter] {
            *at = back;
        }
        self.step(edge, 2);
        self.used = [0; 2];
        match (ret, callee.ret) {
            (Some(place), Some(var)) => self.result(place, func, var),
            (Some(place), None) => self.forget(place),
            (None, _) => Ok(()),
        }
    }

    /// Whether an argument is a variable that may have no value.
    pub(super) fn may_be_unknown(&mut self, arg: &Expr) -> Result<bool, Stop> {
        let ExprKind::Load(place) = &arg.kind else {
            return Ok(false);
        };
        let registers = self.registers(place)?;
        Ok(registers
            .is_some_and(|(first, count, _)| (first..).take(count).any(|register| self.flag(register).is_some())))
    }

    /// A record that is passed. It is read where it is, before the callee could change it.
    pub(super) fn argument(&mut self, source: &Place) -> Result<Argument, Stop> {
        match self.readable(source)? {
            Some(register) => Ok(Argument::Registers(register)),
            None => {
                let at = self.place(source)?;
                Ok(Argument::Memory(self.lea(at), source.clone()))
            }
        }
    }

    /// The same record, where no frame is.
    pub(super) fn aside(&mut self, argument: Argument, source: &Place) -> Result<Argument, Stop> {
        match argument {
            Argument::Registers(a) => {
                let count = self.registers(source)?.map_or(0, |(_, count, _)| count);
                let d = self.reserve(count);
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                }
                Ok(Argument::Registers(d))
            }
            Argument::Memory(a, source) => {
                let d = self.temporary(2);
                self.emit(Ins::MovePair { d, a });
                Ok(Argument::Memory(d, source))
            }
            other @ (Argument::Scalar(_) | Argument::Unknown) => Ok(other),
        }
    }

    /// Moves an argument to its parameter; the current frame is the callee's.
    pub(super) fn pass(&mut self, place: &Place, argument: Argument) -> Result<(), Stop> {
        match argument {
            Argument::Scalar(a) => self.write(place, a),
            // An object in memory is unknown when it is made.
            Argument::Unknown => {
                if let Some((d, count, _)) = self.registers(place)? {
                    self.set_flags(d, count, false);
                }
                Ok(())
            }
            Argument::Registers(a) => match self.registers(place)? {
                Some((d, count, _)) => {
                    for i in (0..).take(count) {
                        self.emit(Ins::Move { d: d + i, a: a + i });
                    }
                    self.set_flags(d, count, true);
                    Ok(())
                }
                None => {
                    let (p, _) = self.range(place)?;
                    self.store_leaves(a, p, place)
                }
            },
            Argument::Memory(q, source) => match self.registers(place)? {
                Some((d, count, _)) => {
                    self.load_leaves(d, q, &source)?;
                    self.set_flags(d, count, true);
                    Ok(())
                }
                None => {
                    let (p, count) = self.range(place)?;
                    self.emit(Ins::Copy { p, q, count });
                    Ok(())
                }
            },
        }
    }

    /// Leaves the function: its result goes to where results are passed.
    pub(super) fn leave(&mut self) {
        let program = self.program;
        self.used = [0; 2];
        let ret = program.function(self.here).ret;
        let here = self.here;
        if let Some(var) = ret {
            let place = Place::var(var, program.var(var).ty);
            let moved = self.registers(&place).and_then(|registers| match registers {
                Some((a, count, _)) if count <= MAX_RESULTS => {
                    for i in (0..).take(count) {
                        let d = self.results + i;
                        self.emit(Ins::Move { d, a: a + i });
                    }
                    let flags: Vec<Reg> = (a..).take(count).filter_map(|register| self.flag(register)).collect();
                    let d = self.has_result;
                    if !flags.is_empty() {
                        let one = self.one;
                        self.emit(Ins::Move { d, a: one });
                    }
                    for b in flags {
                        self.emit(Ins::And { d, a: d, b });
                    }
                    Ok(())
                }
                Some(_) => Err(Stop("a big result")),
                None => {
                    let (q, count) = self.range(&place)?;
                    let p = self.result_objects[&here];
                    self.emit(Ins::Copy { p, q, count });
                    Ok(())
                }
            });
            if let Err(why) = moved {
                self.stop(why);
                return;
            }
        }
        let n = std::mem::take(&mut self.pending);
        self.emit(Ins::Leave { n });
    }

    /// Takes a result from where it was passed.
    pub(super) fn result(&mut self, place: &Place, func: FuncId, var: VarId) -> Result<(), Stop> {
        if let Some(&q) = self.result_objects.get(&func) {
            let source = Place::var(var, self.program.var(var).ty);
            if !self.is_composite(place) {
                return Err(Stop("a scalar result in memory"));
            }
            return self.pass(place, Argument::Memory(q, source));
        }
        let (a, flag) = (self.results, self.has_result);
        let needs_flag = {
            let home = self.layout.home(var);
            let count = self
                .layout
                .registers_of(self.program, &Place::var(var, self.program.var(var).ty));
            let count = count.map_or(0, |(_, count)| count);
            self.unit(func).flag_of[home..home + count].iter().any(Option::is_some)
        };
        if needs_flag {
            self.emit(Ins::Known { a: flag });
        }
        if !self.is_composite(place) {
            return self.write(place, a);
        }
        match self.registers(place)? {
            Some((d, count, _)) => {
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                }
                self.set_flags(d, count, true);
                Ok(())
            }
            None => {
                let (p, count) = self.range(place)?;
                self.emit(Ins::Forget { p, count });
                self.store_leaves(a, p, place)
            }
        }
    }
}
