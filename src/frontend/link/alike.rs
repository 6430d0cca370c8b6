//! Which types of different translation units are one (C11 6.2.7).
//!
//! Each unit declares its own `struct s`. Two of them are compatible if their members are, one by one, and a program may write an object by one declaration and
//! read it by the other. Everything behind the front end divides memory by record types, so compatible declarations must become *one* type, also where
//! no name links them: an object may come through `void *`.
//!
//! Records refer to each other in circles, so they are compared as graphs: two records count as one while their members are compared, and if
//! these turn out different, everything that was joined on the way is taken back. (Necula, McPeak, Rahul, Weimer: *CIL: Intermediate language and tools for analysis and
//! transformation of C programs*, CC 2002, merges files in this way.) Joining more than the standard says makes fewer kinds of memory, which is sound: two
//! records without tag of *one* unit become one type if another unit has a third like them.
//!
//! Members have to be the same but for declarations that are joined. Where they are merely compatible (`int (*)()` and `int (*)(int)`), the program is refused:
//! such records are one type for C, and two layouts for us.

use crate::frontend::syntax::ast::grow;
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

/// How much alike two types are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Likeness {
    /// They are one type.
    Same,
    /// They are compatible, and one of them says more.
    Compatible,
}

/// Why two types are not compatible.
#[derive(Clone, Debug, Default)]
pub(super) struct Difference {
    /// The inner difference, as a sentence part, if it lies within a record or enumeration; of two parts, the first.
    pub why: Option<String>,
    /// The second part.
    pub other: String,
    /// Where the two parts are declared.
    pub places: Option<(Loc, Loc)>,
    /// Whether C takes them for compatible, and this front end cannot.
    pub unsupported: bool,
}

/// A joined declaration: of records or of enumerations.
#[derive(Clone, Copy)]
enum Joined {
    Record(RecordId),
    Enum(EnumId),
}

/// Records and enumerations that are one, as a forest: each knows the one that stands for it.
pub(super) struct Alike<'a> {
    pub types: &'a Types,
    records: Vec<RecordId>,
    enums: Vec<EnumId>,
    trail: Vec<Joined>,
    /// Whether qualifiers count.
    pub qualifiers: bool,
}

impl<'a> Alike<'a> {
    pub fn new(types: &'a Types) -> Alike<'a> {
        Alike {
            types,
            records: types.records().map(|(id, _)| id).collect(),
            enums: types.enums().map(|(id, _)| id).collect(),
            trail: Vec::new(),
            qualifiers: true,
        }
    }

    /// The record that stands for another one.
    pub fn record(&self, mut id: RecordId) -> RecordId {
        while self.records[id.0 as usize] != id {
            id = self.records[id.0 as usize];
        }
        id
    }

    /// Whether the members of a record are known, by its own declaration or by the one that stands for it.
    pub fn is_complete(&self, id: RecordId) -> bool {
        self.types.record(self.record(id)).complete
    }

    /// The enumeration that stands for another one.
    pub fn enumeration(&self, mut id: EnumId) -> EnumId {
        while self.enums[id.0 as usize] != id {
            id = self.enums[id.0 as usize];
        }
        id
    }

    /// Compares two types, and joins what has to be one. If they are not compatible, nothing is joined.
    pub fn compare(&mut self, a: TypeId, b: TypeId) -> Result<Likeness, Difference> {
        let mark = self.trail.len();
        let result = self.types_alike(a, b);
        if result.is_err() {
            self.take_back(mark);
        }
        result
    }

    /// As [`Self::compare`], for two records.
    pub fn compare_records(&mut self, a: RecordId, b: RecordId) -> Result<(), Difference> {
        let mark = self.trail.len();
        let result = self.records_alike(a, b);
        if result.is_err() {
            self.take_back(mark);
        }
        result
    }

    /// As [`Self::compare`], for two enumerations.
    pub fn compare_enums(&mut self, a: EnumId, b: EnumId) -> Result<(), Difference> {
        self.enums_alike(a, b)
    }

    fn take_back(&mut self, mark: usize) {
        for joined in self.trail.drain(mark..).rev() {
            match joined {
                Joined::Record(id) => self.records[id.0 as usize] = id,
                Joined::Enum(id) => self.enums[id.0 as usize] = id,
            }
        }
    }

    fn types_alike(&mut self, a: TypeId, b: TypeId) -> Result<Likeness, Difference> {
        grow(|| self.level(a, b))
    }

    fn level(&mut self, a: TypeId, b: TypeId) -> Result<Likeness, Difference> {
        let types = self.types;
        if a == b {
            return Ok(Likeness::Same);
        }
        let quals = |ty| types.quals(ty).0 & !Quals::RESTRICT.0;
        if self.qualifiers && quals(a) != quals(b) {
            return Err(Difference::default());
        }
        match (types.get(a), types.get(b)) {
            (&Type::Pointer(x), &Type::Pointer(y)) | (&Type::Complex(x), &Type::Complex(y)) => self.types_alike(x, y),
            (&Type::Vector { elem: x, bytes: m }, &Type::Vector { elem: y, bytes: n }) if m == n => {
                self.types_alike(x, y)
            }
            (&Type::Array { elem: x, len: m }, &Type::Array { elem: y, len: n }) => {
                let lengths = match (m, n) {
                    (ArrayLen::Fixed(m), ArrayLen::Fixed(n)) if m != n => return Err(Difference::default()),
                    (m, n) if m == n => Likeness::Same,
                    _ => Likeness::Compatible,
                };
                Ok(lengths.max(self.types_alike(x, y)?))
            }
            (Type::Function { .. }, Type::Function { .. }) => self.functions_alike(a, b),
            (&Type::Enum(e), &Type::Int(kind)) | (&Type::Int(kind), &Type::Enum(e))
                if types.enumeration(e).int == kind =>
            {
                Ok(Likeness::Compatible)
            }
            (&Type::Enum(x), &Type::Enum(y)) => self.enums_alike(x, y).map(|()| Likeness::Same),
            (&Type::Record(x), &Type::Record(y)) => self.records_alike(x, y).map(|()| Likeness::Same),
            // Alignments and, where they do not count, qualifiers may differ.
            (x, y) if x == y => Ok(Likeness::Same),
            _ => Err(Difference::default()),
        }
    }

    fn functions_alike(&mut self, a: TypeId, b: TypeId) -> Result<Likeness, Difference> {
        let (
            Type::Function {
                ret: ra,
                params: pa,
                variadic: va,
                prototyped: ta,
            },
            Type::Function {
                ret: rb,
                params: pb,
                variadic: vb,
                prototyped: tb,
            },
        ) = (self.types.get(a), self.types.get(b))
        else {
            return Err(Difference::default());
        };
        let mut likeness = self.types_alike(*ra, *rb)?;
        match (ta, tb) {
            (true, true) if va != vb || pa.len() != pb.len() => return Err(Difference::default()),
            (true, true) => {
                for (&x, &y) in pa.iter().zip(pb) {
                    likeness = likeness.max(self.parameters_alike(x, y)?);
                }
            }
            (true, false) if self.types.fits_no_prototype(pa, *va) => likeness = Likeness::Compatible,
            (false, true) if self.types.fits_no_prototype(pb, *vb) => likeness = Likeness::Compatible,
            (false, false) => {}
            _ => return Err(Difference::default()),
        }
        Ok(likeness)
    }

    fn parameters_alike(&mut self, a: TypeId, b: TypeId) -> Result<Likeness, Difference> {
        let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
        let plain = self.compare(a, b);
        if plain.is_ok() {
            return plain;
        }
        // A transparent union stands for any of its members.
        for (union, other) in [(a, b), (b, a)] {
            let Some(record) = self.types.as_record(union).map(|r| self.types.record(r)) else {
                continue;
            };
            if record.transparent && record.fields.iter().any(|f| self.compare(f.ty, other).is_ok()) {
                return Ok(Likeness::Compatible);
            }
        }
        plain
    }

    fn enums_alike(&mut self, a: EnumId, b: EnumId) -> Result<(), Difference> {
        let (a, b) = (self.enumeration(a), self.enumeration(b));
        if a == b {
            return Ok(());
        }
        let (x, y) = (self.types.enumeration(a), self.types.enumeration(b));
        let both = x.complete && y.complete;
        let sorted = |e: &Enum| {
            let mut list = e.constants.clone();
            list.sort_unstable();
            list
        };
        if x.name != y.name || both && (x.int != y.int || sorted(x) != sorted(y)) {
            let tag = x.name.as_deref().unwrap_or("<anonymous>");
            return Err(Difference {
                why: (x.name == y.name).then(|| format!("the constants of 'enum {tag}' differ")),
                ..Difference::default()
            });
        }
        let (root, other) = if !x.complete && y.complete { (b, a) } else { (a, b) };
        self.enums[other.0 as usize] = root;
        self.trail.push(Joined::Enum(other));
        Ok(())
    }

    fn records_alike(&mut self, a: RecordId, b: RecordId) -> Result<(), Difference> {
        let (a, b) = (self.record(a), self.record(b));
        if a == b {
            return Ok(());
        }
        let (x, y) = (self.types.record(a), self.types.record(b));
        if x.kind != y.kind || x.name != y.name || x.made != Made::Declared || y.made != Made::Declared {
            return Err(Difference::default());
        }
        let (root, other) = if !x.complete && y.complete { (b, a) } else { (a, b) };
        self.records[other.0 as usize] = root;
        self.trail.push(Joined::Record(other));
        if x.complete && y.complete {
            self.members_alike(a, b)?;
        }
        Ok(())
    }

    fn members_alike(&mut self, a: RecordId, b: RecordId) -> Result<(), Difference> {
        let types = self.types;
        let (x, y) = (types.record(a), types.record(b));
        let tag = show(x);
        let different = |why: String, places: (Loc, Loc), unsupported: bool| {
            Err(Difference {
                why: Some(why),
                places: Some(places),
                unsupported,
                ..Difference::default()
            })
        };
        if x.variable || y.variable {
            let why = format!("{tag} has a size that is known at run time only");
            return different(why, (x.loc, y.loc), x.variable && y.variable);
        }
        for (f, g) in x.fields.iter().zip(&y.fields) {
            let places = (f.loc, g.loc);
            if f.name != g.name {
                // Members of a union may be in any order; their numbers would differ.
                let reordered = x.kind == RecordKind::Union && same_names(x, y);
                let shown = |f: &Field| f.name.as_deref().unwrap_or("<anonymous>").to_owned();
                return Err(Difference {
                    why: Some(format!("{tag} has the member '{}'", shown(f))),
                    other: format!("'{}'", shown(g)),
                    places: Some(places),
                    unsupported: reordered,
                });
            }
            let name = f.name.as_deref().unwrap_or("<anonymous>");
            match self.types_alike(f.ty, g.ty) {
                Ok(Likeness::Same) if f.offset == g.offset && f.bits == g.bits => {}
                Ok(Likeness::Same) => {
                    return different(format!("the member '{name}' of {tag} has another place"), places, false);
                }
                Ok(Likeness::Compatible) => {
                    let why = format!("the member '{name}' of {tag} has two compatible types, which is not supported");
                    return different(why, places, true);
                }
                Err(inner) if inner.why.is_some() => return Err(inner),
                Err(_) => {
                    return Err(Difference {
                        why: Some(format!("the member '{name}' of {tag} is '{}'", types.display(f.ty))),
                        other: format!("'{}'", types.display(g.ty)),
                        places: Some(places),
                        unsupported: false,
                    });
                }
            }
        }
        if x.fields.len() != y.fields.len() {
            return different(format!("{tag} has more members in one of them"), (x.loc, y.loc), false);
        }
        if (x.size, x.align) != (y.size, y.align) {
            return different(format!("{tag} has another size or alignment"), (x.loc, y.loc), false);
        }
        Ok(())
    }
}

fn same_names(x: &Record, y: &Record) -> bool {
    let names = |r: &Record| {
        let mut list: Vec<Option<Box<str>>> = r.fields.iter().map(|f| f.name.clone()).collect();
        list.sort_unstable();
        list
    };
    names(x) == names(y)
}

/// `'struct s'`
pub(super) fn show(record: &Record) -> String {
    let keyword = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    format!("'{keyword} {}'", record.name.as_deref().unwrap_or("<anonymous>"))
}
