//! Harnesses: executables that run into the violation.
//!
//! A harness is a C file beside the program: it defines the functions that the program only declares, and these return the values of the replayed execution. Compiled with gcc, the
//! program takes the same path, and at the violation the process prints a message and ends with status 66. So a user can see the violation in a debugger, and need not trust
//! Provident.
//!
//! The harness takes the place of the environment:
//!
//! * *Results of functions without body*: one list per function, in the order of its calls. Functions of the library are the real ones, unless the execution rests on what they draw from
//!   streams, descriptors or the environment.
//! * *Allocations*: each returns the address that the replay gave, or null where it failed. The memory lies at that address from the start.
//! * *Memory from outside*, content of new objects: written before the program begins, at the addresses that the replay has.
//! * *What functions write through their arguments* (`scanf`): stored at the call.
//! * *Parameters of the entry function*: the harness has a `main` of its own then.
//!
//! A violation of a check is seen by the compiler's own: gcc inserts calls where an operation has no meaning, and the harness defines the functions that are called.
//!
//! C has no way to observe a label, to choose the value of an uninitialised variable, or to see the call of a function that the program defines. If one of these matters, there is a second file, a
//! *marked copy* of the program as the compiler sees it, with calls into the harness inserted at these places and nothing else changed.
//!
//! # What does not work
//!
//! The harness does not follow an execution that rests on the addresses of variables, on the bytes behind them, on inline assembly, on structures that functions without body return, or on a pointer from outside to an
//! object of the program. [`Harness::doubts`] says which of these the execution has.
//!
//! | module | does |
//! |---|---|
//! | `render` | the text of a harness |
//! | `library` | functions of the library that draw inputs |
//! | `parameters` | objects behind the parameters of the entry function |
//! | `sanitizer` | the compiler's checks |
//! | `run` | compiling and running it |

mod library;
mod parameters;
mod render;
pub mod run;
mod sanitizer;

pub use sanitizer::Sanitizer;

use super::replay::{Asked, Replay, Request};
use super::witness::text::Text;
use super::witness::violation::uninitialised_reads;
use crate::cfa::library::standard::is_standard;
use crate::cfa::program::invention::{Invention, Inventions};
use crate::cfa::program::outside::area_at;
use crate::cfa::{AssumptionKind, EdgeId, Expr, HEAP_BASE, Input, Op, Place, Program, Step, VarId, VarKind};
use crate::frontend::types::{Type, TypeId};
use crate::spec::Forbidden;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

/// The part that is the same for all.
const RUNTIME: &str = include_str!("runtime.c");
/// Memory that the program may use around a pointer from outside with a value of its own.
const AROUND: u64 = 0x8000;
const PAGE: u64 = 0x1000;

/// A harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The C file.
    pub code: String,
    /// The copies of the program's files, marked where that is needed, if the files themselves do not do.
    pub copies: Vec<String>,
    /// Whether the harness has a `main`, so that the one of the program has to get another name.
    pub renames_entry: bool,
    /// The compiler's checks that see the violation, if it is one of a check.
    pub sanitizer: Option<Sanitizer>,
    /// Conditions of the execution that a harness cannot provide.
    pub doubts: Vec<String>,
}

/// A scalar in memory: where (an address, or bytes from the start of an object), its size, its bits.
type Stored = (u64, u64, u64);

/// The effects of one function without body, call by call.
#[derive(Default)]
struct Behaviour {
    /// The C type of the result.
    result: String,
    /// Results, as C expressions.
    values: Vec<String>,
    /// Values stored through arguments: call, argument, offset, size, bits.
    stores: Vec<(usize, usize, u64, u64, u64)>,
    calls: usize,
}

struct Builder<'a> {
    program: &'a Program,
    text: &'a Text<'a>,
    steps: &'a [Step],
    replay: &'a Replay,
    by_step: BTreeMap<usize, Vec<&'a Asked>>,
    functions: BTreeMap<String, Behaviour>,
    allocators: BTreeMap<String, Vec<u64>>,
    /// The initial contents of a variable, once for each of its lifetimes: offset, size, bits.
    locals: BTreeMap<VarId, Vec<Vec<Stored>>>,
    parameters: Vec<String>,
    /// Pointers in the objects behind parameters, as statements.
    pointers: Vec<String>,
    doubts: BTreeSet<String>,
    /// The calls of the library that are given back.
    replaced: library::Replaced,
    /// The sorts of invented values that count as inputs.
    inputs: Inventions,
    /// Whether the compiler has to see the text that was verified, also where nothing is marked in it.
    copied: bool,
}

/// The harness of a confirmed execution; `entry` is the function in which the program starts. Functions of the library are linked, not provided, unless
/// their sort is among the `inputs`. With `copied`, there are copies of the program's files in any case: what the front end has read, where a compiler that is given
/// the files alone would read something else.
pub fn harness(
    program: &Program,
    text: &Text<'_>,
    steps: &[Step],
    replay: &Replay,
    forbidden: &Forbidden,
    entry: &str,
    (inputs, copied): (Inventions, bool),
) -> Harness {
    let mut by_step: BTreeMap<usize, Vec<&Asked>> = BTreeMap::new();
    for asked in &replay.asked {
        by_step.entry(asked.step).or_default().push(asked);
    }
    let mut builder = Builder {
        program,
        text,
        steps,
        replay,
        by_step,
        functions: BTreeMap::new(),
        allocators: BTreeMap::new(),
        locals: BTreeMap::new(),
        parameters: Vec::new(),
        pointers: Vec::new(),
        doubts: BTreeSet::new(),
        replaced: library::Replaced::default(),
        inputs,
        copied,
    };
    builder.replace_library();
    builder.collect();
    builder.pass_objects(entry);
    builder.render(forbidden, entry)
}

impl<'a> Builder<'a> {
    fn collect(&mut self) {
        let read = uninitialised_reads(self.program, self.steps);
        let mut needed: BTreeSet<VarId> = BTreeSet::new();
        let last = self.steps.len().saturating_sub(1);
        let mut stores: Vec<(&Place, Vec<Stored>)> = Vec::new();
        for (i, step) in self.steps.iter().enumerate() {
            if self.replaced.has_step(i) {
                continue;
            }
            let program = self.program;
            let edge = program.edge(step.edge());
            match &edge.op {
                Op::Havoc {
                    source: Input::Nondet { function },
                    place,
                } => self.returned(function, Some(place), i),
                Op::External { func, ret, args } if i != last => {
                    let name = program.function(*func).name.clone();
                    let invented = Invention::of_function(&name);
                    if invented.is_some_and(|kind| !self.inputs.contains(kind)) {
                        continue;
                    }
                    self.stored_by(&name, args, &mut stores);
                    self.returned(&name, ret.as_ref(), i);
                }
                Op::Havoc {
                    source: Input::External { .. },
                    place,
                } if !edge_is_initial(program, step.edge()) => {
                    let scalars = self.scalars(i);
                    stores.push((place, scalars));
                }
                Op::Allocate { .. } => {
                    let name = self
                        .text
                        .token_at(edge.loc)
                        .map_or("", |token| self.text.word(token))
                        .to_string();
                    let address = self
                        .replay
                        .allocations
                        .iter()
                        .find(|a| a.step == i)
                        .map_or(0, |a| a.address);
                    self.allocators.entry(name).or_default().push(address);
                }
                Op::Havoc {
                    source: Input::Uninitialised,
                    place,
                } => {
                    let Some(var) = place.as_whole_var().filter(|&v| program.var(v).kind == VarKind::Local) else {
                        continue;
                    };
                    if read[i] {
                        needed.insert(var);
                    }
                    let scalars = self.scalars(i);
                    self.locals.entry(var).or_default().push(scalars);
                }
                Op::Asm { outputs, .. } if !outputs.is_empty() => {
                    self.doubts
                        .insert("the outputs of inline assembly are those of the real instructions".to_string());
                }
                _ => {}
            }
        }
        self.locals.retain(|var, _| needed.contains(var));
        let mut assumed = self.replay.assumptions.iter();
        if assumed.any(|assumption| assumption.kind == AssumptionKind::Memory && !assumption.sound) {
            self.doubts.insert("bytes behind an object are read".to_string());
        }
    }

    /// Notes what a function without body writes through its arguments.
    fn stored_by(&mut self, name: &str, args: &[Expr], stores: &mut Vec<(&Place, Vec<Stored>)>) {
        for (place, scalars) in stores.drain(..) {
            let argument = args.iter().position(|arg| points_to(arg, place));
            let behaviour = self.functions.entry(name.to_string()).or_default();
            match argument {
                Some(argument) => {
                    let call = behaviour.calls;
                    behaviour
                        .stores
                        .extend(scalars.into_iter().map(|(o, s, b)| (call, argument, o, s, b)));
                }
                None => {
                    self.doubts
                        .insert(format!("`{name}` writes to an object that is none of its arguments"));
                }
            }
        }
    }

    /// The scalars that a step asked for: offset, size, bits.
    fn scalars(&self, step: usize) -> Vec<Stored> {
        let asked = self.by_step.get(&step).map(Vec::as_slice).unwrap_or_default();
        let mut scalars = Vec::new();
        for one in asked {
            if let Request::Written { offset, .. } | Request::Variable { offset, .. } = one.request {
                scalars.extend(stored(offset, one));
            }
        }
        scalars
    }

    /// One call of a function without body.
    fn returned(&mut self, function: &str, place: Option<&Place>, step: usize) {
        let value = place.map(|place| (self.c_type(place.ty), self.value(place, step)));
        let behaviour = self.functions.entry(function.to_string()).or_default();
        behaviour.calls += 1;
        match value {
            Some((Some(ty), Some(value))) => {
                behaviour.result = ty;
                // Calls whose result nobody took came before.
                behaviour.values.resize(behaviour.calls - 1, "0".to_string());
                behaviour.values.push(value);
            }
            Some(_) => {
                self.doubts
                    .insert(format!("`{function}` returns something that is no scalar"));
            }
            None => {}
        }
    }

    /// The value that a step gave to a scalar place, as a C expression.
    fn value(&self, place: &Place, step: usize) -> Option<String> {
        self.c_type(place.ty)?;
        let asked = self.by_step.get(&step).map(Vec::as_slice).unwrap_or_default();
        let asked = asked
            .iter()
            .find(|a| matches!(a.request, Request::Written { offset: 0, .. }));
        let floating = self.program.types.is_float(place.ty);
        let Some(asked) = asked else {
            return Some(if floating { "{0}" } else { "0" }.to_string());
        };
        let (low, high) = halves(asked.pattern);
        Some(match floating {
            true => format!("{{{low:#x}ull, {high:#x}ull}}"),
            false => format!("{low:#x}ull"),
        })
    }

    /// The C type that a result of a type is passed as.
    fn c_type(&self, ty: TypeId) -> Option<String> {
        let types = &self.program.types;
        let name = match types.get(ty) {
            Type::Bool => "_Bool",
            Type::Pointer(_) => "void *",
            Type::Float(kind) => kind.name(),
            _ => {
                let info = types.integer(ty)?;
                match (info.width, info.signed) {
                    (8, true) => "signed char",
                    (8, false) => "unsigned char",
                    (16, true) => "short",
                    (16, false) => "unsigned short",
                    (32, true) => "int",
                    (32, false) => "unsigned",
                    (64, true) => "long long",
                    (64, false) => "unsigned long long",
                    _ => return None,
                }
            }
        };
        Some(name.to_string())
    }

    /// Memory that has to be there before the program begins: ranges of pages with their contents.
    /// Where objects are watched, those of the heap have other addresses.
    fn memory(&mut self, is_watched: bool) -> (Vec<(u64, u64)>, Vec<Stored>) {
        let own = |address: u64| address < HEAP_BASE && self.is_own(address);
        let mut pages: BTreeSet<u64> = BTreeSet::new();
        let mut content = Vec::new();
        let mut cover = |from: u64, to: u64| {
            let mut page = from / PAGE;
            while page <= to / PAGE {
                pages.insert(page);
                page += 1;
            }
        };
        let heap_end = self.replay.allocations.iter().map(|a| a.address + a.size).max();
        let heap = heap_end.map_or(HEAP_BASE..HEAP_BASE, |end| HEAP_BASE..end.max(HEAP_BASE));
        if !is_watched && !heap.is_empty() {
            cover(heap.start, heap.end);
        }
        let mut lost = false;
        let mut foreign = false;
        for asked in &self.replay.asked {
            match asked.request {
                Request::Memory { address, .. }
                | Request::Written {
                    address: Some(address), ..
                } if own(address) => {}
                Request::Memory { address, .. } if is_watched && heap.contains(&address) => lost = true,
                Request::Memory { address, size, .. } => {
                    cover(address, address + size);
                    content.extend(stored(address, asked));
                }
                _ => {}
            }
            if asked.trusted {
                let (from, to) = match area_at(asked.bits) {
                    Some(area) => (area.start, area.end - 1),
                    None => (
                        asked.bits.saturating_sub(AROUND).max(0x1_0000),
                        asked.bits.saturating_add(AROUND),
                    ),
                };
                cover(from, to);
                foreign |= own(asked.bits);
            }
        }
        if lost {
            self.doubts
                .insert("contents of allocated memory that the program has not written".to_string());
        }
        if foreign {
            self.doubts
                .insert("a pointer from outside points to an object of the program".to_string());
        }
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for page in pages {
            match ranges.last_mut() {
                Some((_, end)) if *end == page => *end += 1,
                _ => ranges.push((page, page + 1)),
            }
        }
        (
            ranges
                .into_iter()
                .map(|(from, to)| (from * PAGE, (to - from) * PAGE))
                .collect(),
            content,
        )
    }

    /// Whether an address lies in an object of the program.
    fn is_own(&self, address: u64) -> bool {
        address < self.program.frame_base
            || self.program.var_ids().any(|var| {
                let variable = self.program.var(var);
                let size = variable.size(&self.program.types).unwrap_or(0);
                (0..64).any(|depth| {
                    let at = variable.address.and_then(|_| self.program.address_at(var, depth));
                    at.is_some_and(|at| (at..at + size.max(1)).contains(&address))
                })
            })
    }

    /// The scalars that the execution asked for in some bytes of memory: offset, size, bits.
    fn contents(&self, range: Range<u64>) -> Vec<Stored> {
        let mut scalars = Vec::new();
        for one in &self.replay.asked {
            if let Request::Memory { address, .. } = one.request
                && range.contains(&address)
            {
                scalars.extend(stored(address - range.start, one));
            }
        }
        scalars
    }

    /// Objects that the program declares `extern` and does not define: name, size, content.
    fn extern_objects(&self) -> Vec<(String, u64, Vec<Stored>)> {
        let mut objects = Vec::new();
        for (i, step) in self.steps.iter().enumerate() {
            let edge = self.program.edge(step.edge());
            if let Op::Havoc { place, .. } = &edge.op
                && edge_is_initial(self.program, step.edge())
                && let Some(var) = place.as_whole_var()
                && self.program.var(var).kind == VarKind::Global
            {
                let variable = self.program.var(var);
                let size = self.program.types.size_of(variable.ty).unwrap_or(8).max(8);
                let mut scalars = self.scalars(i);
                // The content of a union was asked for where it was read or copied first.
                if let Some(first) = self.program.address_at(var, 0) {
                    scalars.extend(self.contents(first..first.saturating_add(size)));
                }
                objects.push((variable.display.clone(), size, scalars));
            }
        }
        objects
    }
}

/// Whether an edge initialises a static object.
fn edge_is_initial(program: &Program, edge: EdgeId) -> bool {
    program.node(program.edge(edge).from).func == program.start
}

/// Whether an argument is the address of a place, or of its first element.
fn points_to(arg: &crate::cfa::Expr, place: &Place) -> bool {
    use crate::cfa::{ExprKind, Proj};
    match &arg.kind {
        ExprKind::Cast(inner) => points_to(inner, place),
        ExprKind::AddrOf(other) => {
            let mut whole = other.clone();
            if let Some(Proj::Index(_)) = whole.proj.last()
                && whole.proj.len() > place.proj.len()
            {
                whole.proj.pop();
            }
            whole.base == place.base && whole.proj == place.proj
        }
        _ => false,
    }
}

/// The definition of a function without body.
fn function(name: &str, behaviour: &Behaviour) -> String {
    let ty = if behaviour.result.is_empty() {
        "int"
    } else {
        &behaviour.result
    };
    let mut code = String::new();
    let parameters = if behaviour.stores.is_empty() {
        String::new()
    } else {
        "char *a0, char *a1, char *a2, char *a3, char *a4, char *a5".to_string()
    };
    write!(code, "{ty} {name}({parameters})\n{{\n    static unsigned call;\n").expect("writing to a string");
    if !behaviour.stores.is_empty() {
        code.push_str("    static const struct provident_store stores[] = {\n");
        for (call, argument, offset, size, bits) in &behaviour.stores {
            writeln!(code, "        {{{call}, {argument}, {offset}, {size}, {bits:#x}ull}},")
                .expect("writing to a string");
        }
        code.push_str("        {-1u, 0, 0, 0, 0}\n    };\n    static unsigned next;\n    char *arguments[] = {a0, a1, a2, a3, a4, a5};\n");
        code.push_str("    for (; stores[next].call == call; next++)\n");
        code.push_str("        provident_put((unsigned long)arguments[stores[next].argument] + stores[next].offset, stores[next].size, stores[next].bits);\n");
    }
    if behaviour.values.is_empty() {
        code.push_str("    call++;\n    return 0;\n}");
        return code;
    }
    let (array, cast) = match ty {
        _ if behaviour.values.iter().any(|value| value.starts_with('{')) => {
            return code + &floating(ty, &behaviour.values);
        }
        "void *" => ("unsigned long long", "void *)(unsigned long".to_string()),
        _ => ("unsigned long long", ty.to_string()),
    };
    writeln!(
        code,
        "    static const {array} values[] = {{{}}};",
        behaviour.values.join(", ")
    )
    .expect("writing to a string");
    let count = behaviour.values.len();
    let result = format!("({cast})values[call - 1]");
    write!(code, "    call++;\n    return call <= {count} ? {result} : 0;\n}}").expect("writing to a string");
    code
}

/// The end of a function that returns floating-point values: they are given by their bytes, so that each arrives as it is, also NaN.
fn floating(ty: &str, values: &[String]) -> String {
    let count = values.len();
    // The bytes behind the value, where the type has padding, do not count.
    format!(
        "    static const unsigned long long values[][2] = {{{}}};
    {ty} result = 0;
    call++;
    if (call <= {count})
        __builtin_memcpy(&result, values[call - 1], sizeof result);
    return result;
}}",
        values.join(", ")
    )
}

/// A bit pattern in two words, the low one first.
fn halves(pattern: u128) -> (u64, u64) {
    let word = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).expect("cut to 64 bits");
    (word(pattern), word(pattern >> 64))
}

/// The values that an input writes at an offset, word by word.
fn stored(offset: u64, asked: &Asked) -> Vec<Stored> {
    let (low, high) = halves(asked.pattern);
    let mut words = vec![(offset, asked.size.min(8), low)];
    if asked.size > 8 {
        words.push((offset + 8, asked.size - 8, high));
    }
    words
}

/// The definition of an allocator that is none of the C library, where objects are watched.
fn watched_allocator(name: &str) -> String {
    format!(
        "extern void *calloc(unsigned long, unsigned long);\nvoid *{name}(unsigned long size) {{ return calloc(1, size); }}"
    )
}

/// The definition of an allocator that returns these addresses, then null pointers. One of the C library says that there is no memory (`ENOMEM`) where it fails.
fn allocator(name: &str, addresses: &[u64]) -> String {
    let list: Vec<String> = addresses.iter().map(|a| format!("{a:#x}")).collect();
    let (list, count) = (list.join(", "), addresses.len());
    let (declaration, failure) = match is_standard(name) {
        true => (
            "extern int *__provident_errno(void) __asm__(\"__errno_location\");\n",
            "if (!result) *__provident_errno() = 12; ",
        ),
        false => ("", ""),
    };
    format!(
        "{declaration}void *{name}() {{ static const unsigned long at[] = {{{list}}}; static unsigned call; \
         void *result = (void *)(call < {count} ? at[call++] : 0); {failure}return result; }}"
    )
}
