//! The kinds of tokens and the keyword table.

/// An interned identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The symbol as an index.
    pub fn index(self) -> usize {
        usize::try_from(self.0).expect("a u32 fits in usize on every supported host")
    }
}

/// Kinds of tokens; punctuators by meaning, keywords by meaning (`__const__` is `Const`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Tok {
    Eof,
    Ident,
    Number,
    String,
    Char,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semicolon,
    Comma,
    Colon,
    Question,
    Dot,
    Ellipsis,
    Arrow,
    Increment,
    Decrement,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    Tilde,
    Not,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    EqEq,
    NotEq,
    AndAnd,
    OrOr,
    Assign,
    AddAssign,
    SubAssign,
    MulAssign,
    DivAssign,
    RemAssign,
    AndAssign,
    OrAssign,
    XorAssign,
    ShlAssign,
    ShrAssign,
    // Storage classes and function specifiers.
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    Constexpr,
    // Qualifiers.
    Const,
    Volatile,
    Restrict,
    Atomic,
    // Type specifiers.
    Void,
    Bool,
    CharType,
    Short,
    Int,
    Long,
    Signed,
    Unsigned,
    Int128,
    Float,
    Double,
    Complex,
    Float16,
    Float32,
    Float64,
    Float80,
    Float128,
    Float32x,
    Float64x,
    Decimal32,
    Decimal64,
    Decimal128,
    BitInt,
    Struct,
    Union,
    Enum,
    Typeof,
    TypeofUnqual,
    AutoType,
    VaList,
    Int128Type,
    UInt128Type,
    Alignas,
    Attribute,
    Extension,
    StaticAssert,
    Label,
    Asm,
    // Statements.
    If,
    Else,
    While,
    Do,
    For,
    Switch,
    Case,
    Default,
    Break,
    Continue,
    Goto,
    Return,
    // Operators.
    Sizeof,
    Alignof,
    AlignofStd,
    Real,
    Imag,
    Generic,
    Offsetof,
    TypesCompatible,
    ChooseExpr,
    ConvertVector,
    VaArg,
    FunctionName,
    Pragma,
}

/// All keywords. A keyword's symbol is its index here.
pub const KEYWORDS: &[(&str, Tok)] = &[
    ("typedef", Tok::Typedef),
    ("extern", Tok::Extern),
    ("static", Tok::Static),
    ("auto", Tok::Auto),
    ("register", Tok::Register),
    ("_Thread_local", Tok::ThreadLocal),
    ("__thread", Tok::ThreadLocal),
    ("inline", Tok::Inline),
    ("__inline", Tok::Inline),
    ("__inline__", Tok::Inline),
    ("_Noreturn", Tok::Noreturn),
    ("const", Tok::Const),
    ("__const", Tok::Const),
    ("__const__", Tok::Const),
    ("volatile", Tok::Volatile),
    ("__volatile", Tok::Volatile),
    ("__volatile__", Tok::Volatile),
    ("restrict", Tok::Restrict),
    ("__restrict", Tok::Restrict),
    ("__restrict__", Tok::Restrict),
    ("_Atomic", Tok::Atomic),
    ("void", Tok::Void),
    ("_Bool", Tok::Bool),
    ("char", Tok::CharType),
    ("short", Tok::Short),
    ("int", Tok::Int),
    ("long", Tok::Long),
    ("signed", Tok::Signed),
    ("__signed", Tok::Signed),
    ("__signed__", Tok::Signed),
    ("unsigned", Tok::Unsigned),
    ("__int128", Tok::Int128),
    ("__int128_t", Tok::Int128Type),
    ("__uint128_t", Tok::UInt128Type),
    ("float", Tok::Float),
    ("double", Tok::Double),
    ("_Complex", Tok::Complex),
    ("__complex__", Tok::Complex),
    ("__complex", Tok::Complex),
    ("_Float16", Tok::Float16),
    ("_Float32", Tok::Float32),
    ("_Float64", Tok::Float64),
    ("_Float128", Tok::Float128),
    ("__float128", Tok::Float128),
    ("__float80", Tok::Float80),
    ("_Float32x", Tok::Float32x),
    ("_Float64x", Tok::Float64x),
    ("struct", Tok::Struct),
    ("union", Tok::Union),
    ("enum", Tok::Enum),
    ("typeof", Tok::Typeof),
    ("__typeof", Tok::Typeof),
    ("__typeof__", Tok::Typeof),
    ("__auto_type", Tok::AutoType),
    ("__builtin_va_list", Tok::VaList),
    ("_Alignas", Tok::Alignas),
    ("__attribute__", Tok::Attribute),
    ("__attribute", Tok::Attribute),
    ("__extension__", Tok::Extension),
    ("_Static_assert", Tok::StaticAssert),
    ("__label__", Tok::Label),
    ("asm", Tok::Asm),
    ("__asm", Tok::Asm),
    ("__asm__", Tok::Asm),
    ("if", Tok::If),
    ("else", Tok::Else),
    ("while", Tok::While),
    ("do", Tok::Do),
    ("for", Tok::For),
    ("switch", Tok::Switch),
    ("case", Tok::Case),
    ("default", Tok::Default),
    ("break", Tok::Break),
    ("continue", Tok::Continue),
    ("goto", Tok::Goto),
    ("return", Tok::Return),
    ("sizeof", Tok::Sizeof),
    ("__alignof", Tok::Alignof),
    ("__alignof__", Tok::Alignof),
    ("_Alignof", Tok::AlignofStd),
    ("__real__", Tok::Real),
    ("__real", Tok::Real),
    ("__imag__", Tok::Imag),
    ("__imag", Tok::Imag),
    ("_Generic", Tok::Generic),
    ("__builtin_offsetof", Tok::Offsetof),
    ("__builtin_types_compatible_p", Tok::TypesCompatible),
    ("__builtin_choose_expr", Tok::ChooseExpr),
    ("__builtin_convertvector", Tok::ConvertVector),
    ("__builtin_va_arg", Tok::VaArg),
    ("__func__", Tok::FunctionName),
    ("__FUNCTION__", Tok::FunctionName),
    ("__PRETTY_FUNCTION__", Tok::FunctionName),
    ("_Pragma", Tok::Pragma),
    ("_BitInt", Tok::BitInt),
    ("_ExtInt", Tok::BitInt),
    ("_Decimal32", Tok::Decimal32),
    ("_Decimal64", Tok::Decimal64),
    ("_Decimal128", Tok::Decimal128),
    // Keywords for some programs, names for others: see `soft`.
    ("bool", Tok::Ident),
    ("true", Tok::Ident),
    ("false", Tok::Ident),
    ("nullptr", Tok::Ident),
    ("static_assert", Tok::Ident),
    ("alignas", Tok::Ident),
    ("alignof", Tok::Ident),
    ("typeof_unqual", Tok::Ident),
    ("thread_local", Tok::Ident),
    ("constexpr", Tok::Ident),
];

impl Tok {
    /// Whether a declaration may begin with the keyword.
    pub fn is_specifier(self) -> bool {
        use Tok::*;
        matches!(
            self,
            Typedef
                | Extern
                | Static
                | Auto
                | Register
                | ThreadLocal
                | Inline
                | Constexpr
                | Const
                | Volatile
                | Restrict
                | Atomic
                | Void
                | Bool
                | CharType
                | Short
                | Int
                | Long
                | Signed
                | Unsigned
                | Int128
                | Float
                | Double
                | Complex
                | Float16
                | Float32
                | Float64
                | Float80
                | Float128
                | Float32x
                | Float64x
                | Decimal32
                | Decimal64
                | Decimal128
                | BitInt
                | Struct
                | Union
                | Enum
                | Typeof
                | TypeofUnqual
                | AutoType
                | VaList
                | Int128Type
                | UInt128Type
                | Alignas
                | Attribute
        )
    }
}
