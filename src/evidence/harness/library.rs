//! Functions of the library whose results rest on inputs that the library's sources draw: `fgets`, `read`, `getenv`.
//!
//! If an execution draws such an input, the harness defines all functions of the library that it calls, so that the state that they share (streams, the environment) is that of the execution. Each
//! gives back what each call has done. A stream that the execution opens is a real one without contents, for functions that the harness does not define.

use super::Builder;
use crate::cfa::program::HIDDEN_PARAMETER;
use crate::cfa::{HEAP_BASE, Program, VarId};
use crate::evidence::replay::{Base, LibraryCall, library_calls};
use crate::frontend::types::{DataModel, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How many arguments a definition takes as words.
const WORDS: usize = 6;
/// The bases of addresses behind the arguments: nothing, the number of the last error, an empty stream.
const NOWHERE: usize = WORDS;
const ERRNO: usize = WORDS + 1;
const STREAM: usize = WORDS + 2;
const FIRST_OBJECT: usize = WORDS + 3;

/// The declarations of the real library that the definitions need.
const OUTSIDE: &str = "#ifdef PROVIDENT_FREESTANDING
__attribute__((weak)) int *__errno_location(void) { static int number; return &number; }
static int *provident_errno(void) { return __errno_location(); }
static void *provident_stream(void) { static char stream[512]; return stream; }
#else
extern int *provident_errno(void) __asm__(\"__errno_location\");
extern void *fmemopen(void *, unsigned long, const char *);
static void *provident_stream(void) { return fmemopen(0, 16, \"r+\"); }
#endif
";

/// The calls of library functions in an execution that a harness gives back.
#[derive(Default)]
pub(super) struct Replaced {
    functions: BTreeMap<String, Vec<LibraryCall>>,
    /// The static objects of the library to which results point.
    objects: Vec<VarId>,
}

impl Replaced {
    /// The names of the functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }

    /// Whether a step belongs to a call that is given back.
    pub fn has_step(&self, step: usize) -> bool {
        self.functions.values().any(|calls| {
            let behind = calls.partition_point(|call| call.steps.end <= step);
            calls.get(behind).is_some_and(|call| call.steps.contains(&step))
        })
    }
}

impl Builder<'_> {
    /// Finds the calls of the library that have to be given back.
    pub(super) fn replace_library(&mut self) {
        let program = self.program;
        let calls = library_calls(program, self.steps, self.replay);
        if !calls.iter().any(|call| call.draws) {
            return;
        }
        let mut real: BTreeSet<&str> = calls
            .iter()
            .filter(|call| call.calls_back)
            .map(|call| program.function(call.func).source_name())
            .collect();
        // The program finds the number of the last error where the real library has it.
        real.insert("__errno_location");
        let mut objects = BTreeSet::new();
        for call in calls {
            let name = program.function(call.func).source_name();
            if real.contains(name) {
                if call.draws {
                    self.doubts
                        .insert(format!("`{name}` draws inputs and calls functions of the program"));
                }
                continue;
            }
            if let Some((Base::Static(var), _)) = call.result {
                objects.insert(var);
            }
            self.replaced.functions.entry(name.to_owned()).or_default().push(call);
        }
        objects.retain(|&var| !is_errno(program, var));
        self.replaced.objects = objects.into_iter().collect();
    }

    /// The definitions of these functions. Where objects are watched, those of the heap have other addresses than in the execution.
    pub(super) fn library_functions(&mut self, is_watched: bool) -> String {
        let mut code = String::new();
        if self.replaced.functions.is_empty() {
            return code;
        }
        let program = self.program;
        code.push_str(OUTSIDE);
        for &var in &self.replaced.objects {
            let size = program.var(var).size(&program.types).unwrap_or(8).max(1);
            let aligned = "__attribute__((aligned(16)))";
            writeln!(code, "static char provident_object_{}[{size}] {aligned};", var.0).expect("writing to a string");
        }
        let functions = std::mem::take(&mut self.replaced.functions);
        for (name, calls) in &functions {
            code.push_str(&self.library_function(name, calls));
            let is_heap = |call: &LibraryCall| match call.result {
                Some((Base::Nowhere, at)) => at >= u128::from(HEAP_BASE),
                _ => false,
            };
            let ret = program.function(calls[0].func).ret.map(|var| program.var(var).ty);
            let returns_object = ret.is_some_and(|ty| program.types.is_pointer(ty) && !is_stream(program, ty));
            if is_watched && returns_object && calls.iter().any(is_heap) {
                self.doubts
                    .insert(format!("`{name}` returns an object that it has made"));
            }
        }
        self.replaced.functions = functions;
        code
    }

    fn library_function(&mut self, name: &str, calls: &[LibraryCall]) -> String {
        let program = self.program;
        let Some(words) = calls.first().and_then(|call| argument_words(program, call)) else {
            self.doubts.insert(format!(
                "`{name}` takes or returns what is passed in other ways than words"
            ));
            return String::new();
        };
        let function = program.function(calls[0].func);
        let ret = function.ret.map(|var| program.var(var).ty);
        let returned = match ret {
            None => "void".to_owned(),
            Some(ty) => match self.c_type(ty) {
                Some(text) if !program.types.is_float(ty) => text,
                _ => {
                    self.doubts
                        .insert(format!("`{name}` returns no number of an integer type"));
                    return String::new();
                }
            },
        };
        let opens = ret.is_some_and(|ty| is_stream(program, ty));
        let (mut stores, mut results) = (String::new(), String::new());
        for (number, call) in calls.iter().enumerate() {
            for &(base, offset, byte) in &call.bytes {
                let is_unread = matches!(base, Base::Static(var) if !self.is_known(var));
                if is_unread {
                    continue;
                }
                match self.base(base, &words) {
                    Some(base) => {
                        write!(stores, "{{{number}, {base}, {offset:#x}ul, 1, {byte}}}, ").expect("writing to a string")
                    }
                    None => drop(
                        self.doubts
                            .insert(format!("`{name}` writes to an object that is none of its arguments")),
                    ),
                }
            }
            let result = match call.result {
                Some((Base::Nowhere, at)) if opens && at != 0 => Some((STREAM, 0)),
                Some((base, bits)) => self.base(base, &words).map(|base| (base, bits)),
                None => Some((NOWHERE, 0)),
            };
            let (base, bits) = result.unwrap_or_else(|| {
                self.doubts.insert(format!(
                    "`{name}` returns a pointer to an object that is none of its arguments"
                ));
                (NOWHERE, 0)
            });
            let low = u64::try_from(bits & u128::from(u64::MAX)).expect("cut to 64 bits");
            write!(results, "{{{base}, {low:#x}ull}}, ").expect("writing to a string");
        }
        let mut bases: Vec<String> = (0..WORDS).map(|i| format!("a{i}")).collect();
        bases.push("0".to_owned());
        bases.push("(char *)provident_errno()".to_owned());
        let stream = "opened ? opened : (opened = provident_stream())";
        bases.push(if opens { stream } else { "0" }.to_owned());
        bases.extend(
            self.replaced
                .objects
                .iter()
                .map(|var| format!("provident_object_{}", var.0)),
        );
        let parameters: Vec<String> = (0..WORDS).map(|i| format!("char *a{i}")).collect();
        let value = match (&*returned, ret) {
            ("void", _) => "return;".to_owned(),
            (text, Some(ty)) if program.types.is_pointer(ty) => {
                format!("return ({text})(bases[results[now].base] + (unsigned long)results[now].value);")
            }
            (text, _) => format!("return ({text})results[now].value;"),
        };
        format!(
            "{returned} {name}({parameters})
{{
    static const struct provident_store stores[] = {{{stores}{{-1u, 0, 0, 0, 0}}}};
    static const struct {{ unsigned base; unsigned long long value; }} results[] = {{{results}}};
    static unsigned call, next;
    static char *opened;
    char *bases[] = {{{bases}}};
    unsigned now = call++;
    if (now >= {count})
        provident_stop(\"a function of the library is called more often than in the execution\", 68);
    for (; stores[next].call == now; next++)
        provident_put((unsigned long)bases[stores[next].argument] + stores[next].offset, stores[next].size, stores[next].bits);
    {value}
}}
",
            parameters = parameters.join(", "),
            bases = bases.join(", "),
            count = calls.len(),
        )
    }

    /// The position of a base in the list of a definition.
    fn base(&self, base: Base, words: &[Option<usize>]) -> Option<usize> {
        match base {
            Base::Nowhere => Some(NOWHERE),
            Base::Argument(number) => words.get(number).copied().flatten(),
            Base::Static(var) if is_errno(self.program, var) => Some(ERRNO),
            Base::Static(var) => {
                let position = self.replaced.objects.iter().position(|&object| object == var);
                position.map(|position| FIRST_OBJECT + position)
            }
            Base::Unknown => None,
        }
    }

    /// Whether the compiled program can see a static object of the library.
    fn is_known(&self, var: VarId) -> bool {
        is_errno(self.program, var) || self.replaced.objects.contains(&var)
    }
}

fn is_errno(program: &Program, var: VarId) -> bool {
    program.var(var).display == "library_errno"
}

/// Whether a pointer points to a stream.
fn is_stream(program: &Program, ty: TypeId) -> bool {
    let record = program.types.pointee(ty).and_then(|to| program.types.as_record(to));
    record.is_some_and(|record| program.types.record(record).name.as_deref() == Some("__provident_stream"))
}

/// For each argument the number of the word in which it arrives; `None` for those beyond. `None` for all if one of the parameters is no integer and no pointer. Variable arguments
/// are pointers, or nothing depends on where they are.
fn argument_words(program: &Program, call: &LibraryCall) -> Option<Vec<Option<usize>>> {
    let bytes = match program.types.data_model() {
        DataModel::Lp64 => 8,
        DataModel::Ilp32 => 4,
    };
    let mut next = 0;
    let mut words = Vec::new();
    for &var in &program.function(call.func).params {
        if program.var(var).display == HIDDEN_PARAMETER {
            words.extend((next..WORDS).map(Some));
            break;
        }
        let ty = program.var(var).ty;
        let is_word = program.types.is_pointer(ty) || program.types.integer(ty).is_some();
        let size = program.types.size_of(ty).filter(|_| is_word)?;
        words.push(Some(next).filter(|&word| word < WORDS));
        next += usize::try_from(size.div_ceil(bytes)).ok()?;
    }
    Some(words)
}
