//! Calls of the `printf` family whose format is a literal.
//!
//! Problem: the library's `vsnprintf` reads its format byte by byte and its arguments from a list. For the explicit values of a run that is cheap; a formula has to
//! unwind the loop, and an analysis of pointers that does not distinguish the elements of the list confuses them. Idea: nearly all formats are literals, and then the loop can
//! be run here: each conversion becomes a call of the function of `library/format_fields.c` that measures or writes such a field, with the argument itself. The compiler
//! of the program does the same to some of these calls. A call that only prints, and whose result is unused, only evaluates its arguments, so slices and explorations do not see it.
//!
//! Other calls are left to the library: formats that are no literals, that have a conversion which is not covered, or that do not fit the arguments.

use super::Lowerer;
use super::library::Modelled;
use super::texts::{Copy, LONGEST};
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{self, CastKind, ExprId, ExprKind as Ast};
use crate::frontend::text::source::Loc;
use crate::frontend::types::float::Format;
use crate::frontend::types::{IntKind, TypeId, Types};

/// Where the characters go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sink {
    /// To a stream, where the program does not see them.
    Stream,
    /// To the object of the first argument.
    Text,
    /// The same, as far as the size in the second argument allows.
    Bounded,
}

/// The functions, with the position of the format.
const FAMILY: [(&str, usize, Sink); 9] = [
    ("printf", 0, Sink::Stream),
    ("fprintf", 1, Sink::Stream),
    ("dprintf", 1, Sink::Stream),
    ("__printf_chk", 1, Sink::Stream),
    ("__fprintf_chk", 2, Sink::Stream),
    ("sprintf", 1, Sink::Text),
    ("snprintf", 2, Sink::Bounded),
    ("__sprintf_chk", 3, Sink::Text),
    ("__snprintf_chk", 4, Sink::Bounded),
];

/// A part of a format.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    /// A number of characters from this position on, as they are.
    Text { from: usize, length: usize },
    /// The text of an argument.
    Field(Field),
}

#[derive(Debug, PartialEq, Eq)]
struct Field {
    /// Bits, as in `format_fields.c`.
    flags: i64,
    width: Amount,
    /// Negative: none.
    precision: Amount,
    /// `H` for `hh`, `q` for `ll`, `j` and `q`, `z` for `z` and `t`, 0 for none.
    size: u8,
    conversion: u8,
}

/// A width or precision.
#[derive(Debug, PartialEq, Eq)]
enum Amount {
    Fixed(i64),
    /// The value of the next argument.
    Argument,
}

/// The parts of a format; `None` if C does not define what one of them means, or if it has positions of arguments.
fn parse(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            let length = format[at..].iter().take_while(|&&c| c != b'%').count();
            pieces.push(Piece::Text { from: at, length });
            at += length;
        } else if format.get(at + 1) == Some(&b'%') {
            pieces.push(Piece::Text { from: at, length: 1 });
            at += 2;
        } else {
            let (field, behind) = parse_field(format, at + 1)?;
            pieces.push(Piece::Field(field));
            at = behind;
        }
    }
    Some(pieces)
}

/// The conversion behind a `%`, and where it ends.
fn parse_field(format: &[u8], mut at: usize) -> Option<(Field, usize)> {
    let mut flags = 0;
    while let Some(flag) = format.get(at).and_then(|&c| b"-+ #0'".iter().position(|&f| f == c)) {
        flags |= [1, 2, 4, 8, 16, 0][flag];
        at += 1;
    }
    let width = parse_amount(format, &mut at)?;
    let mut precision = Amount::Fixed(-1);
    if format.get(at) == Some(&b'.') {
        at += 1;
        precision = parse_amount(format, &mut at)?;
    }
    let rest = &format[at..];
    let (size, length) = match *rest.first()? {
        b'h' if rest.get(1) == Some(&b'h') => (b'H', 2),
        b'l' if rest.get(1) == Some(&b'l') => (b'q', 2),
        b'j' | b'q' => (b'q', 1),
        b'z' | b't' | b'Z' => (b'z', 1),
        size @ (b'h' | b'l' | b'L') => (size, 1),
        _ => (0, 0),
    };
    at += length;
    let conversion = *format.get(at)?;
    let field = Field {
        flags,
        width,
        precision,
        size,
        conversion,
    };
    b"diouxXbBcspnaAeEfFgGCSm"
        .contains(&conversion)
        .then_some((field, at + 1))
}

fn parse_amount(format: &[u8], at: &mut usize) -> Option<Amount> {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(Amount::Argument);
    }
    let mut value = 0i64;
    while let Some(digit) = format.get(*at).filter(|c| c.is_ascii_digit()) {
        value = (value * 10 + i64::from(digit - b'0')).min(1 << 31);
        *at += 1;
    }
    // More than an `int`: an error.
    (value < 1 << 31).then_some(Amount::Fixed(value))
}

/// A call that is being lowered.
struct Formatted {
    sink: Sink,
    /// The argument values, the position of the format, and of the next one.
    values: Vec<Expr>,
    format: usize,
    next: usize,
    /// The place behind the last kept character, and the whole room.
    keep: Expr,
    room: Expr,
    /// How many characters there are so far.
    count: Expr,
}

impl Lowerer<'_> {
    /// Lowers a call of `target`, a function of the library, if it is one of the family and its format is in plain sight.
    pub(super) fn formatted_call(
        &mut self,
        target: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        let unit = self.unit;
        let name = &*unit.function(target).name;
        let &(_, position, sink) = FAMILY.iter().find(|f| f.0 == name)?;
        let format = self.literal(*args.get(position)?)?;
        let pieces = parse(&format)?;
        let stores = |p: &Piece| matches!(p, Piece::Field(f) if f.conversion == b'n');
        if sink == Sink::Stream && !wanted && !pieces.iter().any(stores) {
            args.iter().for_each(|&a| self.effect(a));
            return Some(None);
        }
        if !self.is_covered(&pieces, args.get(position + 1..)?) {
            return None;
        }
        self.helper("__provident_finish")?;
        let mut values = self.arguments(args, loc);
        for value in &mut values {
            if !self.is_stable(value) {
                *value = self.save(value.clone(), loc);
            }
        }
        let mut call = self.begin_format(sink, values, position, loc);
        for piece in &pieces {
            match piece {
                Piece::Text { from, length } => self.put_text(&mut call, &format, *from, *length, loc),
                Piece::Field(field) => self.put_field(&mut call, field, loc),
            }
        }
        let result = match sink {
            Sink::Stream => self.call_helper("__provident_printed", vec![call.count], loc),
            _ => {
                let to = call.values[0].clone();
                self.call_helper("__provident_finish", vec![to, call.room, call.count], loc)
            }
        };
        Some(wanted.then(|| expr::cast(&self.types, result, ty)))
    }

    /// The bytes of a string literal that an argument plainly is.
    pub(super) fn literal(&self, mut e: ExprId) -> Option<Vec<u8>> {
        loop {
            match self.unit.expr(e).kind {
                Ast::Cast(CastKind::ArrayToPointer | CastKind::Pointer, inner) => e = inner,
                Ast::String(id) => {
                    let literal = self.unit.string(id);
                    let bytes: Option<Vec<u8>> = literal.units.iter().map(|&u| u8::try_from(u).ok()).collect();
                    let bytes = bytes.filter(|_| literal.unit_bytes == 1)?;
                    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
                    return Some(bytes[..end].to_vec());
                }
                _ => return None,
            }
        }
    }

    /// Whether all fields are covered and have arguments of fitting types.
    fn is_covered(&self, pieces: &[Piece], args: &[ExprId]) -> bool {
        let mut args = args.iter().map(|&a| self.unit.expr(a).ty);
        let integer = |ty: Option<TypeId>, least: u64| {
            ty.is_some_and(|ty| self.int_info(ty).is_some() && self.types.size_of(ty).is_some_and(|s| s >= least))
        };
        let fields = pieces.iter().all(|piece| {
            let Piece::Field(field) = piece else { return true };
            let amounts = [&field.width, &field.precision];
            let stars = amounts.iter().filter(|a| ***a == Amount::Argument).count();
            if !(0..stars).all(|_| integer(args.next(), 4)) {
                return false;
            }
            match field.conversion {
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'b' | b'B' => {
                    let size = self.types.size_of(self.number_type(field.size, true)).unwrap_or(8);
                    integer(args.next(), size)
                }
                b'c' => field.size == 0 && integer(args.next(), 4),
                b'n' => args.next().is_some_and(|ty| self.types.is_pointer(ty)),
                b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => args.next().is_some_and(|ty| {
                    let format = self.types.format(ty);
                    match field.size {
                        0 | b'l' => format == Some(Format::Double),
                        b'L' => format == Some(Format::Extended),
                        _ => false,
                    }
                }),
                b's' | b'p' => field.size == 0 && args.next().is_some_and(|ty| self.types.is_pointer(ty)),
                _ => false,
            }
        });
        // Values of types that are not modelled have no place in the list of values.
        fields && args.all(|ty| !self.is_opaque(ty) && !self.types.is_void(ty))
    }

    /// The type that a length modifier stands for.
    fn number_type(&self, size: u8, signed: bool) -> TypeId {
        let kind = match (size, signed) {
            (b'H', true) => IntKind::SChar,
            (b'H', false) => IntKind::UChar,
            (b'h', true) => IntKind::Short,
            (b'h', false) => IntKind::UShort,
            (b'l', true) => IntKind::Long,
            (b'l', false) => IntKind::ULong,
            (b'q' | b'L', true) => IntKind::LongLong,
            (b'q' | b'L', false) => IntKind::ULongLong,
            (b'z', true) => return self.intptr,
            (b'z', false) => return self.size_t,
            (_, true) => IntKind::Int,
            (_, false) => IntKind::UInt,
        };
        Types::int(kind)
    }

    fn begin_format(&mut self, sink: Sink, values: Vec<Expr>, format: usize, loc: Loc) -> Formatted {
        let size = |n: i128| self.int_const(n, self.size_t);
        let (count, room) = match sink {
            Sink::Stream => (size(0), size(0)),
            Sink::Text => (size(0), size(-1)),
            Sink::Bounded => (size(0), expr::cast(&self.types, values[1].clone(), self.size_t)),
        };
        let keep = match sink {
            Sink::Text => size(-2),
            _ => match room.as_const().and_then(|r| r.to_i64()) {
                Some(r) => size(i128::from((r - 1).max(0))),
                None => self.call_helper("__provident_keep", vec![room.clone()], loc),
            },
        };
        Formatted {
            sink,
            values,
            format,
            next: format + 1,
            keep,
            room,
            count,
        }
    }

    /// Text between conversions: the bytes `from..from + length` of the format.
    fn put_text(&mut self, call: &mut Formatted, format: &[u8], from: usize, length: usize, loc: Loc) {
        let behind = self.int_const(length as i128, self.size_t);
        let behind = expr::binary(&self.types, BinOp::Add, call.count.clone(), behind, self.size_t);
        if call.sink == Sink::Stream {
            call.count = behind;
        } else if length <= LONGEST {
            let copy = Copy {
                to: &call.values[0],
                count: &call.count,
                keep: (call.sink == Sink::Bounded).then_some(&call.keep),
                ends: false,
            };
            self.copy_text(&copy, &format[from..from + length], loc);
            call.count = match behind.as_const() {
                Some(_) => behind,
                None => self.save(behind, loc),
            };
        } else {
            let start = self.int_const(from as i128, self.intptr);
            let text = call.values[call.format].clone();
            let text = expr::binary(&self.types, BinOp::Add, text, start, call.values[call.format].ty);
            let length = self.int_const(length as i128, self.size_t);
            call.count = self.call_put("__provident_text_put", call, vec![text, length], loc);
        }
    }

    fn put_field(&mut self, call: &mut Formatted, field: &Field, loc: Loc) {
        let width = self.amount(call, &field.width);
        let precision = self.amount(call, &field.precision);
        let value = call.values[call.next].clone();
        call.next += 1;
        let number = |this: &Self, n: i64| this.int_const(i128::from(n), Types::INT);
        let flags = number(self, field.flags);
        let (name, list) = match field.conversion {
            b'n' => {
                let ty = self.number_type(field.size, true);
                let lhs = self.pointed(value, ty);
                let rhs = expr::cast(&self.types, call.count.clone(), ty);
                self.emit(Op::Assign { lhs, rhs }, loc);
                return;
            }
            b'd' | b'i' => {
                let value = expr::cast(&self.types, value, self.number_type(field.size, true));
                let value = expr::cast(&self.types, value, Types::int(IntKind::LongLong));
                ("signed", vec![value, flags, width, precision])
            }
            b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => {
                let name = if field.size == b'L' { "long_double" } else { "double" };
                let upper = if field.conversion.is_ascii_uppercase() { 32 } else { 0 };
                let conversion = number(self, i64::from(field.conversion.to_ascii_lowercase()));
                let flags = number(self, field.flags | upper);
                (name, vec![value, conversion, flags, width, precision])
            }
            b'c' => ("char", vec![expr::cast(&self.types, value, Types::INT), flags, width]),
            b's' => ("string", vec![value, flags, width, precision]),
            // A number that the program made a pointer of is no address of an object.
            b'p' if is_number(&value) && field.flags & 6 == 0 => {
                let value = expr::cast(&self.types, value, self.size_t);
                let flags = number(self, field.flags | 8);
                ("unsigned", vec![value, number(self, 16), flags, width, precision])
            }
            b'p' => ("pointer", vec![value, flags, width, precision]),
            conversion => {
                let value = expr::cast(&self.types, value, self.number_type(field.size, false));
                let value = expr::cast(&self.types, value, Types::int(IntKind::ULongLong));
                let base = match conversion {
                    b'u' => 10,
                    b'o' => 8,
                    b'x' | b'X' => 16,
                    _ => 2,
                };
                let upper = if matches!(conversion, b'X' | b'B') { 32 } else { 0 };
                let flags = number(self, field.flags | upper);
                ("unsigned", vec![value, number(self, base), flags, width, precision])
            }
        };
        if call.sink == Sink::Stream {
            let length = self.call_helper(&format!("__provident_{name}_length"), list, loc);
            let sum = expr::binary(&self.types, BinOp::Add, call.count.clone(), length, self.size_t);
            call.count = self.save(sum, loc);
        } else {
            call.count = self.call_put(&format!("__provident_{name}_put"), call, list, loc);
        }
    }

    fn amount(&mut self, call: &mut Formatted, amount: &Amount) -> Expr {
        match amount {
            Amount::Fixed(value) => self.int_const(i128::from(*value), Types::INT),
            Amount::Argument => {
                call.next += 1;
                expr::cast(&self.types, call.values[call.next - 1].clone(), Types::INT)
            }
        }
    }

    /// Calls a function that writes a field; the new count.
    fn call_put(&mut self, name: &str, call: &Formatted, list: Vec<Expr>, loc: Loc) -> Expr {
        let mut values = vec![call.values[0].clone(), call.keep.clone(), call.count.clone()];
        values.extend(list);
        self.call_helper(name, values, loc)
    }

    /// A function of the library that programs do not know.
    pub(super) fn helper(&self, name: &str) -> Option<ast::FuncId> {
        let functions = &self.unit.functions;
        let at = functions.iter().rposition(|f| f.body.is_some() && *f.name == *name)?;
        Some(ast::FuncId::from_index(at))
    }

    pub(super) fn call_helper(&mut self, name: &str, values: Vec<Expr>, loc: Loc) -> Expr {
        let helper = self.helper(name).expect("the library's files define what they use");
        let func = self.function(helper);
        let args = self.fit_arguments(func, values, false, loc);
        let ret = self.functions[func.index()].ret.expect("it returns a value");
        let ty = self.vars[ret.index()].ty;
        let place = Place::var(self.temp(ty, loc), ty);
        let ret = Some(place.clone());
        self.emit(Op::Call { func, args, ret }, loc);
        Expr::load(place)
    }
}

/// Whether a pointer is a constant other than the null pointer.
fn is_number(pointer: &Expr) -> bool {
    pointer.as_const().is_some_and(|value| !value.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_as_the_standard_says() {
        let pieces = parse(b"a%%b%-+05.*hhdz").unwrap();
        let field = Field {
            flags: 1 | 2 | 16,
            width: Amount::Fixed(5),
            precision: Amount::Argument,
            size: b'H',
            conversion: b'd',
        };
        let text = |from, length| Piece::Text { from, length };
        assert_eq!(
            pieces,
            [text(0, 1), text(1, 1), text(3, 1), Piece::Field(field), text(14, 1)]
        );
        assert_eq!(parse(b""), Some(vec![]));
    }

    #[test]
    fn what_c_does_not_define_is_left_alone() {
        for format in ["%", "%y", "%1$d", "100%", "%99999999999d", "%l"] {
            assert_eq!(parse(format.as_bytes()), None, "{format}");
        }
    }
}
