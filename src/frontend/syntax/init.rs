//! Initialisers, normalised while they are read.
//!
//! C lets the braces of inner aggregates be left out and lets designators jump about. The reader therefore walks with a
//! cursor: a stack of aggregates between the braced object and the current part, each with the position reached. A value that
//! fits the part as a whole is taken; otherwise the cursor descends into the part. The result is a flat list of (path, value).

use super::ast::*;
use super::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

/// One aggregate on the way to the current part.
struct Level {
    ty: TypeId,
    /// The field or element to be initialised next.
    pos: u64,
    /// The last element of a `[lo ... hi]` designator, otherwise `pos`.
    last: u64,
}

struct List {
    /// The type of the object.
    ty: TypeId,
    init: Init,
    /// A path such that all entries precede whatever it precedes.
    last: Box<[InitStep]>,
    /// Elements needed by an outermost array of unknown length.
    length: u64,
}

impl List {
    fn push(&mut self, path: Box<[InitStep]>, value: ExprId) {
        if self.init.entries.is_empty() || InitStep::precede(&self.last, &path) {
            self.last.clone_from(&path);
        } else if !InitStep::precede(&path, &self.last) {
            // They overlap: what comes behind the outermost parts comes behind both.
            let ends = [&path, &self.last].map(|path| path.first().map(|step| step.bounds().1));
            self.last = ends
                .iter()
                .flatten()
                .max()
                .map(|&end| InitStep::Index(end))
                .into_iter()
                .collect();
        }
        self.init.entries.push(InitEntry { path, value });
    }
}

impl Parser<'_> {
    /// Reads the initialiser of an object behind `=`. Returns the type, with the length if it was unknown.
    pub fn initialiser(&mut self, ty: TypeId, is_static: bool) -> Parsed<(TypeId, Init)> {
        let loc = self.loc();
        if matches!(
            self.types.get(ty),
            Type::Array {
                len: ArrayLen::Variable(_),
                ..
            }
        ) {
            return self.fail(loc, "variable-sized object may not be initialized");
        }
        let complete_enough = match *self.types.get(ty) {
            Type::Array { elem, .. } => !self.is_incomplete(elem),
            _ => !self.is_incomplete(ty),
        };
        if !complete_enough {
            return self.fail(loc, format!("initializer for incomplete type '{}'", self.show(ty)));
        }
        let mut list = List {
            ty,
            init: Init::default(),
            last: Box::new([]),
            length: 0,
        };
        if self.tok() == Tok::LBrace {
            list.init.zero_fill = true;
            self.braced(ty, &[], &mut list)?;
        } else {
            let value = self.assignment_expression()?;
            self.whole_value(ty, value, &mut list)?;
        }
        if is_static {
            self.check_constant_initialiser(&list.init)?;
        }
        let ty = match *self.types.get(ty) {
            Type::Array {
                elem,
                len: ArrayLen::Incomplete,
            } => self.types.array_of(elem, ArrayLen::Fixed(list.length)),
            _ => ty,
        };
        list.init.flexible = self.flexible_elements(ty, &list.init);
        Ok((ty, list.init))
    }

    /// How many elements an initialiser gives to the flexible array member of a struct.
    fn flexible_elements(&self, ty: TypeId, init: &Init) -> u64 {
        let Some((last, _)) = self.types.flexible_member(ty) else {
            return 0;
        };
        let elements = |entry: &InitEntry| match *entry.path {
            [InitStep::Field(n)] if n == last => self.string_length(entry.value) + 1,
            [InitStep::Field(n), step, ..] if n == last => step.bounds().1.saturating_add(1),
            _ => 0,
        };
        init.entries.iter().map(elements).max().unwrap_or(0)
    }

    /// `object = value` without braces.
    fn whole_value(&mut self, ty: TypeId, value: ExprId, list: &mut List) -> Parsed<()> {
        let loc = self.expr_loc(value);
        if let Type::Array { .. } = self.types.get(ty) {
            if self.string_for(ty, value)? {
                list.length = self.string_length(value) + 1;
                list.init.zero_fill = true;
                list.push(Box::new([]), value);
                return Ok(());
            }
            // GNU: an array may be initialised by a compound literal of its type.
            let literal = match self.kind(value) {
                ExprKind::CompoundLiteral { .. } => true,
                ExprKind::Global(g) => self.globals[g.index()].name.is_empty(),
                _ => false,
            };
            if !(literal && self.compatible(self.types.unqualified(ty), self.types.unqualified(self.ty(value)))) {
                return self.fail(loc, "invalid initializer: an array needs a brace-enclosed list");
            }
            if let Type::Array {
                len: ArrayLen::Fixed(n),
                ..
            } = *self.types.get(self.ty(value))
            {
                list.length = n;
            }
            let value = self.load(value);
            list.push(Box::new([]), value);
            return Ok(());
        }
        let value = self.rvalue(value)?;
        let value = self.convert_for_assignment(value, ty, loc, "initialization")?;
        list.push(Box::new([]), value);
        Ok(())
    }

    /// Whether the value is a string literal that initialises this character array.
    fn string_for(&mut self, ty: TypeId, value: ExprId) -> Parsed<bool> {
        let (Some(elem), ExprKind::String(id)) = (self.types.element(ty), self.kind(value)) else {
            return Ok(false);
        };
        if !matches!(self.types.get(ty), Type::Array { .. }) || !self.types.is_integral(elem) {
            return Ok(false);
        }
        let unit = self.strings[id.index()].unit_bytes;
        if self.types.size_of(elem) == Some(u64::from(unit)) {
            return Ok(true);
        }
        let loc = self.expr_loc(value);
        self.fail(loc, "array initialized from a string of another character width")
    }

    fn string_length(&self, value: ExprId) -> u64 {
        match self.kind(value) {
            ExprKind::String(id) => self.strings[id.index()].units.len() as u64,
            _ => 0,
        }
    }

    /// `{ ... }` for an object of this type at this path.
    fn braced(&mut self, ty: TypeId, path: &[InitStep], list: &mut List) -> Parsed<()> {
        self.nested(|p| p.braced_inner(ty, path, list))
    }

    fn braced_inner(&mut self, ty: TypeId, path: &[InitStep], list: &mut List) -> Parsed<()> {
        let open = self.expect(Tok::LBrace, "'{'")?.loc;
        let aggregate = matches!(
            self.types.get(ty),
            Type::Array { .. } | Type::Record(_) | Type::Vector { .. }
        );
        if !aggregate {
            return self.braced_scalar(ty, path, list, open);
        }
        if self.tok() == Tok::String && self.types.element(ty).is_some() {
            // `{ "text" }` for a character array.
            let end = (1..).find(|&n| self.tok_at(n) != Tok::String).unwrap_or(1);
            let elem = self.types.element(ty).expect("checked above");
            if self.types.is_integral(elem) && matches!(self.tok_at(end), Tok::RBrace | Tok::Comma) {
                let value = self.assignment_expression()?;
                if self.string_for(ty, value)? {
                    if path.is_empty() {
                        list.length = self.string_length(value) + 1;
                    }
                    list.push(path.into(), value);
                    self.eat(Tok::Comma);
                    while self.tok() != Tok::RBrace {
                        self.discard_initialiser()?;
                    }
                    return self.expect(Tok::RBrace, "'}'").map(drop);
                }
            }
        }
        self.forget(path, true, open, list);
        let mut levels = vec![Level { ty, pos: 0, last: 0 }];
        while self.tok() != Tok::RBrace {
            self.item(&mut levels, path, list)?;
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "',' or '}'").map(drop)
    }

    /// A part with a new initialiser begins with zeros if it was initialised before, as a whole or in parts (ISO C11, 6.7.9, paragraph 19): with braces the
    /// part itself, and otherwise the union of which another member had a value.
    fn forget(&mut self, path: &[InitStep], braces: bool, loc: Loc, list: &mut List) {
        if list.init.entries.is_empty() || InitStep::precede(&list.last, path) {
            return;
        }
        let mut zeroed = braces.then_some(path.len()).filter(|&depth| depth > 0);
        let mut before = false;
        for entry in &list.init.entries {
            let mut ty = Some(list.ty);
            let mut meets = true;
            for (depth, (&new, &old)) in path.iter().zip(&entry.path).enumerate() {
                let record = ty.and_then(|ty| self.types.as_record(ty));
                let is_union = record.is_some_and(|r| self.types.record(r).kind == RecordKind::Union);
                let ((from, to), (first, last)) = (new.bounds(), old.bounds());
                if from > last || first > to {
                    meets = is_union;
                    if is_union {
                        zeroed = Some(zeroed.map_or(depth, |other| other.min(depth)));
                    }
                    break;
                }
                ty = match (new, record) {
                    (InitStep::Field(n), Some(r)) => self.types.record(r).fields.get(n as usize).map(|f| f.ty),
                    _ => ty.and_then(|ty| self.types.element(ty)),
                };
            }
            before |= meets;
        }
        if let (true, Some(depth)) = (before, zeroed) {
            let value = self.int_expr(Types::INT, loc, 0);
            let path = path[..depth].into();
            list.push(path, value);
        }
    }

    fn braced_scalar(&mut self, ty: TypeId, path: &[InitStep], list: &mut List, open: Loc) -> Parsed<()> {
        if self.tok() == Tok::RBrace {
            // C23: zero.
            self.bump();
            let zero = self.int_expr(Types::INT, open, 0);
            return self.scalar_entry(ty, zero, path.into(), list);
        }
        if self.tok() == Tok::LBrace {
            self.braced(ty, path, list)?;
        } else {
            if matches!(self.tok(), Tok::Dot | Tok::LBracket) {
                return self.unexpected("a value for a scalar");
            }
            let value = self.assignment_expression()?;
            self.scalar_entry(ty, value, path.into(), list)?;
        }
        while self.eat(Tok::Comma) && self.tok() != Tok::RBrace {
            self.discard_initialiser()?;
        }
        self.expect(Tok::RBrace, "'}'").map(drop)
    }

    /// Excess elements are read and dropped, as gcc does with a warning.
    fn discard_initialiser(&mut self) -> Parsed<()> {
        if self.tok() == Tok::LBrace {
            self.bump();
            while self.tok() != Tok::RBrace {
                self.discard_initialiser()?;
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            return self.expect(Tok::RBrace, "'}'").map(drop);
        }
        let value = self.assignment_expression()?;
        self.rvalue(value)?;
        self.eat(Tok::Comma);
        Ok(())
    }

    fn scalar_entry(&mut self, ty: TypeId, value: ExprId, path: Box<[InitStep]>, list: &mut List) -> Parsed<()> {
        let loc = self.expr_loc(value);
        let value = self.rvalue(value)?;
        let value = self.convert_for_assignment(value, ty, loc, "initialization")?;
        self.forget(&path, false, loc, list);
        list.push(path, value);
        Ok(())
    }

    /// How many parts an aggregate has, if that is known.
    fn part_count(&self, ty: TypeId) -> Option<u64> {
        match *self.types.get(ty) {
            Type::Array {
                len: ArrayLen::Fixed(n),
                ..
            } => Some(n),
            Type::Array { .. } => None,
            Type::Vector { elem, bytes } => Some(bytes / self.types.size_of(elem).unwrap_or(1).max(1)),
            Type::Record(r) => {
                let record = self.types.record(r);
                Some(if record.kind == RecordKind::Union {
                    record.fields.len().min(1)
                } else {
                    record.fields.len()
                } as u64)
            }
            _ => Some(1),
        }
    }

    /// The type of the part that a level stands at; a designated union member may be any.
    fn part_type(&self, level: &Level) -> Option<TypeId> {
        match *self.types.get(level.ty) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(elem),
            Type::Record(r) => {
                let quals = self.types.quals(level.ty);
                let _ = quals;
                self.types
                    .record(r)
                    .fields
                    .get(usize::try_from(level.pos).ok()?)
                    .map(|f| f.ty)
            }
            _ => None,
        }
    }

    fn step(&self, level: &Level) -> InitStep {
        match self.types.get(level.ty) {
            Type::Record(_) => InitStep::Field(u32::try_from(level.pos).unwrap_or(u32::MAX)),
            _ if level.last > level.pos => InitStep::Range(level.pos, level.last),
            _ => InitStep::Index(level.pos),
        }
    }

    fn full_path(&self, prefix: &[InitStep], levels: &[Level]) -> Box<[InitStep]> {
        prefix
            .iter()
            .copied()
            .chain(levels.iter().flat_map(|l| {
                // The plain type of a vector is a record with the array of its elements.
                let vector = matches!(self.types.get(l.ty), Type::Vector { .. });
                vector.then_some(InitStep::Field(0)).into_iter().chain([self.step(l)])
            }))
            .collect()
    }

    /// Moves behind the current part of the innermost level. A union has one part only.
    fn advance(&self, level: &mut Level) {
        let is_union = self
            .types
            .as_record(level.ty)
            .is_some_and(|r| self.types.record(r).kind == RecordKind::Union);
        level.pos = if is_union {
            u64::MAX - 1
        } else {
            level.last.max(level.pos).saturating_add(1)
        };
        level.last = level.pos;
    }

    fn exhausted(&self, level: &Level) -> bool {
        self.part_count(level.ty).is_some_and(|count| level.pos >= count)
    }

    fn item(&mut self, levels: &mut Vec<Level>, prefix: &[InitStep], list: &mut List) -> Parsed<()> {
        let old_style = self.tok() == Tok::Ident && self.tok_at(1) == Tok::Colon;
        let designated = old_style || matches!(self.tok(), Tok::Dot | Tok::LBracket);
        if designated {
            self.designators(levels)?;
        } else {
            // Behind ranges, the list goes on in the last element of each.
            levels.iter_mut().for_each(|level| level.pos = level.last);
            while levels.len() > 1 && self.exhausted(&levels[levels.len() - 1]) {
                levels.pop();
                let top = levels.len() - 1;
                let mut level = Level { ..levels.remove(top) };
                self.advance(&mut level);
                levels.push(level);
            }
            if self.exhausted(&levels[levels.len() - 1]) {
                return self.discard_one();
            }
        }
        self.item_value(levels, prefix, list)?;
        // `length` matters for the outermost object only, which has the empty prefix.
        if prefix.is_empty() {
            list.length = list.length.max(levels[0].last.max(levels[0].pos).saturating_add(1));
        }
        let top = levels.last_mut().expect("the outermost level stays");
        let mut level = Level {
            ty: top.ty,
            pos: top.pos,
            last: top.last,
        };
        self.advance(&mut level);
        *top = level;
        Ok(())
    }

    fn discard_one(&mut self) -> Parsed<()> {
        if self.tok() == Tok::LBrace {
            self.discard_initialiser()
        } else {
            let value = self.assignment_expression()?;
            self.rvalue(value).map(drop)
        }
    }

    /// Reads a value for the part at the cursor, descending where it does not fit as a whole.
    fn item_value(&mut self, levels: &mut Vec<Level>, prefix: &[InitStep], list: &mut List) -> Parsed<()> {
        let loc = self.loc();
        let Some(ty) = self.part_type(&levels[levels.len() - 1]) else {
            return self.discard_one();
        };
        if self.tok() == Tok::LBrace {
            let path = self.full_path(prefix, levels);
            return self.braced(ty, &path, list);
        }
        let value = self.assignment_expression()?;
        let mut ty = ty;
        loop {
            let is_array = matches!(self.types.get(ty), Type::Array { .. });
            let is_record = self.types.as_record(ty).is_some();
            let is_vector = matches!(self.types.get(ty), Type::Vector { .. });
            let same = self.compatible(self.types.unqualified(ty), self.types.unqualified(self.ty(value)));
            if is_array && self.string_for_elided(ty, value) {
                let path = self.full_path(prefix, levels);
                list.push(path, value);
                return Ok(());
            }
            if !is_array && (!(is_record || is_vector) || same) {
                let path = self.full_path(prefix, levels);
                return self.scalar_entry(ty, value, path, list);
            }
            if levels.len() > 1000 {
                return self.fail(loc, "initializer nested too deeply");
            }
            levels.push(Level { ty, pos: 0, last: 0 });
            let top = levels.last().expect("pushed above");
            match self.part_type(top) {
                Some(part) if !self.exhausted(top) => ty = part,
                // An aggregate without parts takes no value.
                _ => {
                    self.rvalue(value)?;
                    return Ok(());
                }
            }
        }
    }

    fn string_for_elided(&mut self, ty: TypeId, value: ExprId) -> bool {
        let (Some(elem), ExprKind::String(id)) = (self.types.element(ty), self.kind(value)) else {
            return false;
        };
        self.types.is_integral(elem) && self.types.size_of(elem) == Some(u64::from(self.strings[id.index()].unit_bytes))
    }

    /// `.a.b[2] =` and the older `a:` and `[2]`.
    fn designators(&mut self, levels: &mut Vec<Level>) -> Parsed<()> {
        levels.truncate(1);
        let mut first = true;
        let mut count = 0;
        loop {
            let loc = self.loc();
            match self.tok() {
                Tok::Dot => {
                    self.bump();
                    let (name, loc) = self.expect_ident("a member name")?;
                    self.designate_field(levels, first, name, loc)?;
                }
                Tok::Ident if first && self.tok_at(1) == Tok::Colon => {
                    let (name, loc) = self.expect_ident("a member name")?;
                    self.bump();
                    return self.designate_field(levels, first, name, loc);
                }
                Tok::LBracket => {
                    self.bump();
                    let low = self.constant_expression()?;
                    let high = if self.eat(Tok::Ellipsis) {
                        self.constant_expression()?
                    } else {
                        low
                    };
                    self.expect(Tok::RBracket, "']'")?;
                    self.designate_index(levels, first, low, high, loc)?;
                }
                _ => break,
            }
            first = false;
            count += 1;
            if count > 1000 {
                return self.fail(loc, "too many designators");
            }
        }
        // The `=` may be missing behind an array designator (GNU).
        self.eat(Tok::Assign);
        Ok(())
    }

    /// Puts a new level for the current part, unless the designator is the first, which is for the braced object itself.
    fn enter(&mut self, levels: &mut Vec<Level>, first: bool, loc: Loc) -> Parsed<()> {
        if first {
            return Ok(());
        }
        match self.part_type(&levels[levels.len() - 1]) {
            Some(ty) => {
                levels.push(Level { ty, pos: 0, last: 0 });
                Ok(())
            }
            None => self.fail(loc, "designator for something without parts"),
        }
    }

    fn designate_field(&mut self, levels: &mut Vec<Level>, first: bool, name: Symbol, loc: Loc) -> Parsed<()> {
        self.enter(levels, first, loc)?;
        let ty = levels[levels.len() - 1].ty;
        let Some(record) = self.types.as_record(ty) else {
            return self.fail(loc, "field name not in record initializer");
        };
        let text = self.name(name);
        let Some(fields) = self.find_field(record, &text) else {
            return self.fail(loc, format!("'{}' has no member named '{text}'", self.show(ty)));
        };
        for (i, &field) in fields.iter().enumerate() {
            if i > 0 {
                self.enter(levels, false, loc)?;
            }
            let level = levels.last_mut().expect("never empty");
            (level.pos, level.last) = (u64::from(field), u64::from(field));
        }
        Ok(())
    }

    fn designate_index(&mut self, levels: &mut Vec<Level>, first: bool, low: i128, high: i128, loc: Loc) -> Parsed<()> {
        self.enter(levels, first, loc)?;
        let ty = levels[levels.len() - 1].ty;
        if !matches!(self.types.get(ty), Type::Array { .. } | Type::Vector { .. }) {
            return self.fail(loc, "array index in non-array initializer");
        }
        let (Ok(low), Ok(high)) = (u64::try_from(low), u64::try_from(high)) else {
            return self.fail(loc, "negative array index in initializer");
        };
        let count = self.part_count(ty).unwrap_or(u64::MAX / 2);
        if low > high {
            return self.fail(loc, "empty index range in initializer");
        }
        if high >= count {
            return self.fail(loc, "array index in initializer exceeds array bounds");
        }
        let level = levels.last_mut().expect("never empty");
        (level.pos, level.last) = (low, high);
        Ok(())
    }

    /// The initialiser of a static object must be constant.
    pub fn check_constant_initialiser(&mut self, init: &Init) -> Parsed<()> {
        for entry in &init.entries {
            if !self.is_static_value(entry.value) {
                let loc = self.expr_loc(entry.value);
                return self.fail(loc, "initializer element is not constant");
            }
        }
        Ok(())
    }
}
