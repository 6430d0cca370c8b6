/* Fields of formatted output for floating-point numbers: %e, %f, %g and %a (ISO C11, 7.21.6.1), character by character as glibc writes them. Flags are
   those of the other fields; 32 means capital letters. */

int __provident_rounding_mode(void);
void __provident_expand(struct __provident_digits *to, unsigned long long mantissa, int exponent);
int __provident_digit_at(const struct __provident_digits *of, int power);
int __provident_leading(const struct __provident_digits *of);
void __provident_round_at(struct __provident_digits *to, int power, int negative, int mode);
int __provident_rounds_up(int mode, int negative, int odd, int half, int rest);

/* Where characters go, as with other fields, and what pads them. */
struct __provident_field {
    char *to;
    size_t keep, count;
    int flags;
    size_t width;
};

static void __provident_emit(struct __provident_field *field, int c) {
    if (field->count < field->keep)
        field->to[field->count] = (char)c;
    field->count++;
}

static void __provident_emit_text(struct __provident_field *field, const char *text) {
    for (; *text; text++)
        __provident_emit(field, (field->flags & 32) && *text >= 'a' && *text <= 'z' ? *text - 32 : *text);
}

static void __provident_pad(struct __provident_field *field, size_t length, int c) {
    size_t pad;
    for (pad = field->width > length ? field->width - length : 0; pad; pad--)
        __provident_emit(field, c);
}

/* What stands before the digits of a field of so many characters: blanks, the sign, `0x`, zeros. */
static void __provident_begin_field(struct __provident_field *field, size_t length, int sign, const char *prefix, int zeros) {
    if (!(field->flags & 1) && !zeros)
        __provident_pad(field, length, ' ');
    if (sign)
        __provident_emit(field, sign);
    __provident_emit_text(field, prefix);
    if (!(field->flags & 1) && zeros)
        __provident_pad(field, length, '0');
}

static void __provident_end_field(struct __provident_field *field, size_t length) {
    if (field->flags & 1)
        __provident_pad(field, length, ' ');
}

/* Digits from a power of ten on, the last of them worth the power `to`, with a point behind that of the power `point`, if there is one. */
static void __provident_emit_digits(struct __provident_field *field, const struct __provident_digits *of, int from, int to, int point, int pointed) {
    for (; from >= to; from--) {
        __provident_emit(field, '0' + __provident_digit_at(of, from));
        if (pointed && from == point)
            __provident_emit(field, '.');
    }
}

/* An exponent: at least so many digits. */
static size_t __provident_exponent_length(int exponent, size_t digits) {
    size_t length = 1;
    unsigned value = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
    for (; value >= 10; value /= 10)
        length++;
    return 2 + (length < digits ? digits : length);
}

static void __provident_emit_exponent(struct __provident_field *field, int letter, int exponent, size_t digits) {
    size_t length = __provident_exponent_length(exponent, digits) - 2;
    unsigned value = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent, power = 1;
    for (; length > 1; length--)
        power *= 10;
    __provident_emit(field, (field->flags & 32) ? letter - 32 : letter);
    __provident_emit(field, exponent < 0 ? '-' : '+');
    for (; power; power /= 10)
        __provident_emit(field, '0' + (int)(value / power % 10));
}

/* %f and %e of digits that are rounded: `last` is the power of ten of the last digit. */
static void __provident_put_fixed(struct __provident_field *field, const struct __provident_digits *of, int last, int sign) {
    int first = __provident_leading(of), pointed = last < 0 || (field->flags & 8) != 0;
    size_t length;
    if (first < 0)
        first = 0;
    length = (size_t)(first - last) + 1 + (pointed ? 1 : 0) + (sign ? 1 : 0);
    __provident_begin_field(field, length, sign, "", (field->flags & 16) != 0);
    __provident_emit_digits(field, of, first, last, 0, pointed);
    __provident_end_field(field, length);
}

static void __provident_put_scientific(struct __provident_field *field, const struct __provident_digits *of, int precision, int sign) {
    int first = __provident_leading(of), pointed = precision > 0 || (field->flags & 8) != 0;
    size_t length = (size_t)precision + 1 + (pointed ? 1 : 0) + (sign ? 1 : 0) + __provident_exponent_length(first, 2);
    __provident_begin_field(field, length, sign, "", (field->flags & 16) != 0);
    __provident_emit_digits(field, of, first, first - precision, first, pointed);
    __provident_emit_exponent(field, 'e', first, 2);
    __provident_end_field(field, length);
}

/* %g: the shorter of the two, without zeros at the end. */
static void __provident_put_general(struct __provident_field *field, const struct __provident_digits *of, int precision, int sign) {
    int first = __provident_leading(of), fraction;
    if (first < -4 || first >= precision) {
        fraction = precision - 1;
        if (!(field->flags & 8))
            while (fraction > 0 && __provident_digit_at(of, first - fraction) == 0)
                fraction--;
        __provident_put_scientific(field, of, fraction, sign);
        return;
    }
    fraction = precision - 1 - first;
    if (!(field->flags & 8))
        while (fraction > 0 && __provident_digit_at(of, -fraction) == 0)
            fraction--;
    __provident_put_fixed(field, of, -fraction, sign);
}

/* A finite number in decimal digits. `groups` has room for all of them. */
static void __provident_put_decimal(struct __provident_field *field, unsigned *groups, int units, int negative, unsigned long long mantissa, int exponent, int conversion, int precision, int sign) {
    struct __provident_digits digits;
    digits.group = groups;
    digits.units = units;
    if (precision < 0)
        precision = 6;
    if (conversion == 'g' && precision == 0)
        precision = 1;
    __provident_expand(&digits, mantissa, exponent);
    if (conversion == 'f') {
        __provident_round_at(&digits, -precision, negative, __provident_rounding_mode());
        __provident_put_fixed(field, &digits, -precision, sign);
        return;
    }
    __provident_round_at(&digits, __provident_leading(&digits) - (conversion == 'e' ? precision : precision - 1), negative, __provident_rounding_mode());
    if (conversion == 'e')
        __provident_put_scientific(field, &digits, precision, sign);
    else
        __provident_put_general(field, &digits, precision, sign);
}

/* %a: `leading` is the digit before the point, `fraction` the sixteen behind it. */
static void __provident_put_hexadecimal(struct __provident_field *field, int negative, unsigned leading, unsigned long long fraction, int exponent, int precision, int sign) {
    int digits = 0, i, pointed;
    size_t length;
    if (precision < 0) {
        while (digits < 16 && fraction << 4 * digits != 0)
            digits++;
        precision = digits;
    } else if (precision < 16) {
        unsigned long long below = fraction << 4 * precision, kept = precision == 0 ? 0 : fraction >> (64 - 4 * precision);
        int odd = (int)((precision == 0 ? leading : kept) & 1);
        int half = below >> 63 ? ((below << 1) != 0 ? 2 : 1) : 0;
        if (__provident_rounds_up(__provident_rounding_mode(), negative, odd, half, below != 0 && half != 1)) {
            kept++;
            if (precision == 0 ? 1 : precision < 16 && kept >> 4 * precision != 0) {
                kept = 0;
                leading++;
            }
        }
        if (leading > 15) {
            leading = 1;
            exponent += 4;
        }
        fraction = precision == 0 ? 0 : kept << (64 - 4 * precision);
        digits = precision;
    } else
        digits = 16;
    pointed = precision > 0 || (field->flags & 8) != 0;
    length = 3 + (size_t)precision + (pointed ? 1 : 0) + (sign ? 1 : 0) + __provident_exponent_length(exponent, 1);
    __provident_begin_field(field, length, sign, "0x", (field->flags & 16) != 0);
    for (i = -1; i < precision; i++) {
        unsigned digit = leading;
        if (i >= 0)
            digit = i < 16 ? (unsigned)(fraction >> (60 - 4 * i)) & 15 : 0;
        __provident_emit(field, digit < 10 ? '0' + (int)digit : ((field->flags & 32) ? 'A' : 'a') + (int)digit - 10);
        if (i < 0 && pointed)
            __provident_emit(field, '.');
    }
    __provident_emit_exponent(field, 'p', exponent, 1);
    __provident_end_field(field, length);
}

static void __provident_put_special(struct __provident_field *field, const char *text, int sign) {
    size_t length = sign ? 4 : 3;
    __provident_begin_field(field, length, sign, text, 0);
    __provident_end_field(field, length);
}

static void __provident_open_field(struct __provident_field *field, char *to, size_t keep, size_t count, int flags, int width) {
    if (width < 0) {
        flags |= 1;
        width = -width;
    }
    field->to = to;
    field->keep = keep;
    field->count = count;
    field->flags = flags;
    field->width = (size_t)width;
}

static int __provident_float_sign(int negative, int flags) {
    if (negative)
        return '-';
    if (flags & 2)
        return '+';
    return (flags & 4) ? ' ' : 0;
}

/* A number of type double; `conversion` is one of e, f, g, a. */
size_t __provident_double_put(char *to, size_t keep, size_t count, double value, int conversion, int flags, int width, int precision) {
    union {
        double value;
        unsigned long long bits;
    } parts;
    struct __provident_field field;
    unsigned groups[164];
    parts.value = value;
    int negative = (int)(parts.bits >> 63), exponent = (int)(parts.bits >> 52) & 0x7ff;
    unsigned long long mantissa = parts.bits & 0xfffffffffffff;
    int sign = __provident_float_sign(negative, flags);
    __provident_open_field(&field, to, keep, count, flags, width);
    if (exponent == 0x7ff)
        __provident_put_special(&field, mantissa ? "nan" : "inf", sign);
    else if (conversion == 'a') {
        int power = mantissa == 0 && exponent == 0 ? 0 : exponent == 0 ? -1022 : exponent - 1023;
        __provident_put_hexadecimal(&field, negative, exponent != 0, mantissa << 12, power, precision, sign);
    } else {
        if (exponent)
            mantissa |= 1ull << 52;
        else
            exponent = 1;
        __provident_put_decimal(&field, groups, 40, negative, mantissa, exponent - 1075, conversion, precision, sign);
    }
    return field.count;
}

size_t __provident_double_length(double value, int conversion, int flags, int width, int precision) {
    return __provident_double_put(0, 0, 0, value, conversion, flags, width, precision);
}

/* A number of type long double. */
size_t __provident_long_double_put(char *to, size_t keep, size_t count, long double value, int conversion, int flags, int width, int precision) {
    union {
        long double value;
        struct {
            unsigned long long mantissa;
            unsigned short exponent;
        } bits;
    } parts;
    struct __provident_field field;
    unsigned groups[2400];
    parts.value = value;
    int negative = parts.bits.exponent >> 15, exponent = parts.bits.exponent & 0x7fff;
    unsigned long long mantissa = parts.bits.mantissa;
    int sign = __provident_float_sign(negative, flags);
    __provident_open_field(&field, to, keep, count, flags, width);
    if (exponent == 0x7fff)
        __provident_put_special(&field, mantissa << 1 ? "nan" : "inf", sign);
    else if (conversion == 'a') {
        int power = mantissa == 0 ? 0 : exponent == 0 ? -16385 : exponent - 16386;
        __provident_put_hexadecimal(&field, negative, (unsigned)(mantissa >> 60), mantissa << 4, power, precision, sign);
    } else
        __provident_put_decimal(&field, groups, 560, negative, mantissa, (exponent ? exponent : 1) - 16446, conversion, precision, sign);
    return field.count;
}

size_t __provident_long_double_length(long double value, int conversion, int flags, int width, int precision) {
    return __provident_long_double_put(0, 0, 0, value, conversion, flags, width, precision);
}
