/* Floating-point numbers in texts (ISO C11, 7.22.1.3): the nearest value in the mode of rounding, as glibc gives it.

   The digits of a decimal number with few of them are an integer, which one multiplication or division by a power of ten that the format holds exactly makes the value (Clinger,
   *How to read floating point numbers accurately*, PLDI 1990). All others are fractions of whole numbers of any size: digits * 5^n, divided bit by bit, give the first
   64 bits and what is left. Digits beyond those that any format needs count as one that is not zero. */

int __provident_rounding_mode(void);
int __provident_rounds_up(int mode, int negative, int odd, int half, int rest);

/* A whole number: limbs of 32 bits, the least first, the last of them not 0. */
struct __provident_whole {
    int size;
    unsigned limb[1240];
};

/* n * factor + more. */
static void __provident_multiply(struct __provident_whole *n, unsigned factor, unsigned more) {
    unsigned long long carry = more;
    int i;
    for (i = 0; i < n->size; i++) {
        carry += (unsigned long long)n->limb[i] * factor;
        n->limb[i] = (unsigned)carry;
        carry >>= 32;
    }
    if (carry != 0)
        n->limb[n->size++] = (unsigned)carry;
}

static void __provident_multiply_by_fives(struct __provident_whole *n, int power) {
    for (; power >= 13; power -= 13)
        __provident_multiply(n, 1220703125, 0);
    for (; power > 0; power--)
        __provident_multiply(n, 5, 0);
}

static int __provident_bits(const struct __provident_whole *n) {
    int bits = 32 * n->size;
    unsigned top = n->limb[n->size - 1];
    for (; !(top >> 31); top <<= 1)
        bits--;
    return bits;
}

static void __provident_shift_left(struct __provident_whole *n, int count) {
    int limbs = count / 32, bits = count % 32, i;
    unsigned carry = 0, limb;
    for (i = n->size - 1; limbs && i >= 0; i--)
        n->limb[i + limbs] = n->limb[i];
    for (i = 0; i < limbs; i++)
        n->limb[i] = 0;
    n->size += limbs;
    if (bits == 0)
        return;
    for (i = limbs; i < n->size; i++) {
        limb = n->limb[i];
        n->limb[i] = limb << bits | carry;
        carry = limb >> (32 - bits);
    }
    if (carry != 0)
        n->limb[n->size++] = carry;
}

/* Takes b from a if it is not larger; whether it is not. */
static int __provident_take(struct __provident_whole *a, const struct __provident_whole *b) {
    long long difference = 0;
    int i;
    if (a->size < b->size)
        return 0;
    if (a->size == b->size) {
        for (i = a->size - 1; i >= 0 && a->limb[i] == b->limb[i]; i--)
            ;
        if (i >= 0 && a->limb[i] < b->limb[i])
            return 0;
    }
    for (i = 0; i < a->size; i++) {
        difference += (long long)a->limb[i] - (i < b->size ? b->limb[i] : 0);
        a->limb[i] = (unsigned)difference;
        difference >>= 32;
    }
    while (a->size > 0 && a->limb[a->size - 1] == 0)
        a->size--;
    return 1;
}

/* A positive number: mantissa * 2^exponent, the first bit of the mantissa set, and what it is larger by: `half` units of the last bit, or more where `rest` says so. */
struct __provident_binary {
    unsigned long long mantissa;
    int exponent, half, rest;
};

/* The first bits of a number times 2^exponent. */
static void __provident_first_bits(const struct __provident_whole *n, int exponent, struct __provident_binary *to) {
    int bits = __provident_bits(n), i;
    to->mantissa = 0;
    to->rest = 0;
    for (i = bits - 1; i > bits - 65; i--)
        to->mantissa = to->mantissa << 1 | (i >= 0 ? n->limb[i / 32] >> i % 32 & 1 : 0);
    to->half = i >= 0 ? n->limb[i / 32] >> i % 32 & 1 : 0;
    if (i > 0 && (n->limb[i / 32] & ((1u << i % 32) - 1)) != 0)
        to->rest = 1;
    for (i = i / 32 - 1; i >= 0; i--)
        if (n->limb[i] != 0)
            to->rest = 1;
    to->exponent = exponent + bits - 64;
}

/* The first bits of a quotient times 2^exponent. */
static void __provident_divide(struct __provident_whole *n, struct __provident_whole *by, int exponent, struct __provident_binary *to) {
    int shift = __provident_bits(by) - __provident_bits(n), i;
    if (shift > 0)
        __provident_shift_left(n, shift);
    else
        __provident_shift_left(by, -shift);
    exponent -= shift;
    if (!__provident_take(n, by)) {
        __provident_shift_left(n, 1);
        exponent--;
        __provident_take(n, by);
    }
    to->mantissa = 1;
    for (i = 1; i < 65; i++) {
        __provident_shift_left(n, 1);
        to->half = __provident_take(n, by);
        if (i < 64)
            to->mantissa = to->mantissa << 1 | (unsigned)to->half;
    }
    to->rest = n->size != 0;
    to->exponent = exponent - 63;
}

/* What a text says. */
struct __provident_parsed {
    /* 0 nothing, 1 a decimal number, 2 a hexadecimal one, 3 infinity, 4 NaN. */
    int kind;
    int negative;
    /* From the first digit that is not 0 on, with a point anywhere: how many digits, and which power of ten (two) the last one is worth. */
    const char *digits;
    long count, exponent;
    unsigned long long payload;
};

static int __provident_same_letter(char c, char letter) {
    return c == letter || c == letter - 32;
}

/* Whether a text that ends at `bound`, if that is not null, begins with a word. */
static int __provident_word_at(const char *s, const char *bound, const char *word) {
    for (; *word; s++, word++)
        if (s == bound || !__provident_same_letter(*s, *word))
            return 0;
    return 1;
}

/* Behind `nan`: characters in parentheses, of which a whole number is the payload. */
static const char *__provident_nan_payload(const char *s, const char *bound, unsigned long long *payload) {
    const char *p = s + 1;
    char *end;
    if (s == bound || *s != '(')
        return s;
    while (p != bound && (*p == '_' || *p >= '0' && *p <= '9' || *p >= 'a' && *p <= 'z' || *p >= 'A' && *p <= 'Z'))
        p++;
    if (p == bound || *p != ')')
        return s;
    if (s[1] != ')' && s[1] != '_') {
        *payload = strtoull(s + 1, &end, 0);
        if (end != p)
            *payload = 0;
    }
    return p + 1;
}

static int __provident_is_digit_of(char c, int hexadecimal) {
    return c >= '0' && c <= '9' || hexadecimal && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F');
}

/* Reads what is there; where it ends, or the null pointer where nothing is. */
const char *__provident_parse(const char *s, const char *bound, struct __provident_parsed *to) {
    int hexadecimal = 0, any = 0, point = 0, negative;
    long exponent = 0, behind = 0, zeros = 0;
    const char *p;
    to->kind = 0;
    to->negative = 0;
    to->count = 0;
    to->digits = 0;
    to->payload = 0;
    if (s != bound && (*s == '-' || *s == '+'))
        to->negative = *s++ == '-';
    if (__provident_word_at(s, bound, "inf")) {
        to->kind = 3;
        return __provident_word_at(s, bound, "infinity") ? s + 8 : s + 3;
    }
    if (__provident_word_at(s, bound, "nan")) {
        to->kind = 4;
        return __provident_nan_payload(s + 3, bound, &to->payload);
    }
    if (__provident_word_at(s, bound, "0x")) {
        p = s + 2;
        if (p != bound && *p == '.')
            p++;
        if (p != bound && __provident_is_digit_of(*p, 1)) {
            hexadecimal = 1;
            s += 2;
        }
    }
    for (; s != bound; s++) {
        if (*s == '.' && !point) {
            point = 1;
            continue;
        }
        if (!__provident_is_digit_of(*s, hexadecimal))
            break;
        any = 1;
        behind += point;
        if (to->digits == 0 && *s != '0')
            to->digits = s;
        if (to->digits != 0) {
            to->count++;
            zeros = *s == '0' ? zeros + 1 : 0;
        }
    }
    if (!any)
        return 0;
    to->kind = hexadecimal ? 2 : 1;
    if (s != bound && __provident_same_letter(*s, hexadecimal ? 'p' : 'e')) {
        p = s + 1;
        negative = 0;
        if (p != bound && (*p == '-' || *p == '+'))
            negative = *p++ == '-';
        if (p != bound && *p >= '0' && *p <= '9') {
            for (; p != bound && *p >= '0' && *p <= '9'; p++)
                if (exponent < 100000000)
                    exponent = 10 * exponent + (*p - '0');
            if (negative)
                exponent = -exponent;
            s = p;
        }
    }
    /* Zeros at the end say nothing. */
    to->count -= zeros;
    to->exponent = hexadecimal ? exponent - 4 * behind + 4 * zeros : exponent - behind + zeros;
    return s;
}

static int __provident_hexadecimal_digit(char c) {
    return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

static void __provident_of_hexadecimal(const struct __provident_parsed *of, struct __provident_binary *to) {
    const char *p = of->digits;
    long left = of->count, exponent = of->exponent;
    int bit, digit;
    to->mantissa = 0;
    to->half = 0;
    to->rest = 0;
    for (; left > 0; p++) {
        if (*p == '.')
            continue;
        left--;
        digit = __provident_hexadecimal_digit(*p);
        if (to->mantissa >> 60 == 0) {
            to->mantissa = to->mantissa << 4 | (unsigned)digit;
            continue;
        }
        for (bit = 3; bit >= 0; bit--) {
            int set = digit >> bit & 1;
            if (!(to->mantissa >> 63)) {
                to->mantissa = to->mantissa << 1 | (unsigned)set;
                exponent--;
            } else if (to->rest & 2)
                to->rest |= set;
            else {
                to->half = set;
                to->rest |= 2;
            }
        }
        exponent += 4;
    }
    to->rest &= 1;
    for (; !(to->mantissa >> 63); to->mantissa <<= 1)
        exponent--;
    to->exponent = exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent;
}

/* The digits as a whole number, at most so many of them; returns how many were left out. */
static long __provident_all_digits(const struct __provident_parsed *of, long most, struct __provident_whole *to) {
    const char *p = of->digits;
    long left = of->count < most ? of->count : most;
    unsigned group = 0, power = 1;
    to->size = 0;
    for (; left > 0; p++) {
        if (*p == '.')
            continue;
        group = group * 10 + (unsigned)(*p - '0');
        power *= 10;
        if (--left == 0 || power == 1000000000) {
            __provident_multiply(to, power, group);
            group = 0;
            power = 1;
        }
    }
    if (of->count <= most)
        return 0;
    __provident_multiply(to, 10, 1);
    return of->count - most - 1;
}

/* A decimal number; no format has one of 10^`range` or one that many digits below the point. `most` digits decide. */
static void __provident_of_decimal(const struct __provident_parsed *of, int range, long most, struct __provident_binary *to) {
    struct __provident_whole digits, power;
    long exponent;
    if (of->exponent + of->count > range || of->exponent + of->count < -range) {
        to->mantissa = 1ull << 63;
        to->half = 0;
        to->rest = 1;
        to->exponent = of->exponent + of->count > 0 ? 100000 : -100000;
        return;
    }
    exponent = of->exponent + __provident_all_digits(of, most, &digits);
    if (exponent >= 0) {
        __provident_multiply_by_fives(&digits, (int)exponent);
        __provident_first_bits(&digits, (int)exponent, to);
        return;
    }
    power.size = 1;
    power.limb[0] = 1;
    __provident_multiply_by_fives(&power, (int)-exponent);
    __provident_divide(&digits, &power, (int)exponent, to);
}

/* The mantissa of so many bits in the format whose least normal number is 2^least. Sets `to->exponent` to that of its last bit; errno if a small number is not exact. */
static unsigned long long __provident_rounded(struct __provident_binary *to, int precision, int least, int negative) {
    int drop = 64 - precision, mode = __provident_rounding_mode(), half, rest, tiny = 0, up;
    int first = to->exponent + 63;
    unsigned long long kept, below;
    if (first < least) {
        tiny = 1;
        if (first == least - 1) {
            /* With a larger range it could be rounded up to a normal number. */
            kept = drop ? to->mantissa >> drop : to->mantissa;
            below = drop ? to->mantissa << (64 - drop) : 0;
            half = drop ? (int)(below >> 63) : to->half;
            rest = (drop ? below << 1 != 0 || to->half : 0) || to->rest;
            up = __provident_rounds_up(mode, negative, (int)(kept & 1), half, rest);
            tiny = !(up && kept == ~0ull >> drop);
        }
        drop += least - first;
        if (drop > 66)
            drop = 66;
    }
    if (drop == 0) {
        kept = to->mantissa;
        half = to->half;
        rest = to->rest;
    } else if (drop < 64) {
        kept = to->mantissa >> drop;
        below = to->mantissa << (64 - drop);
        half = (int)(below >> 63);
        rest = below << 1 != 0 || to->half || to->rest;
    } else {
        kept = 0;
        half = drop == 64;
        rest = drop > 64 || to->mantissa << 1 != 0 || to->half || to->rest;
    }
    to->exponent = first < least ? least - precision + 1 : to->exponent + drop;
    if (half || rest) {
        if (tiny)
            *__errno_location() = ERANGE;
        if (__provident_rounds_up(mode, negative, (int)(kept & 1), half, rest) && ++kept == 0) {
            kept = 1ull << 63;
            to->exponent++;
        }
    }
    return kept;
}

/* Whether a number beyond the range becomes infinite, and not the largest finite one. */
static int __provident_overflows(int negative) {
    int mode = __provident_rounding_mode();
    *__errno_location() = ERANGE;
    return mode == 0 || mode == (negative ? 0x400 : 0x800);
}

/* The digits as one integer, if they are so few. */
static int __provident_few_digits(const struct __provident_parsed *of, int most, unsigned long long *value) {
    const char *p = of->digits;
    long left = of->count;
    if (of->kind != 1 || left > most)
        return 0;
    for (*value = 0; left > 0; p++)
        if (*p != '.') {
            *value = *value * 10 + (unsigned)(*p - '0');
            left--;
        }
    return 1;
}

static const char *__provident_after_space(const char *s) {
    while (*s == ' ' || *s >= '\t' && *s <= '\r')
        s++;
    return s;
}

static double __provident_double_of(const struct __provident_parsed *of) {
    static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    union {
        unsigned long long bits;
        double value;
    } parts;
    struct __provident_binary binary;
    unsigned long long few;
    if (of->kind >= 3)
        parts.bits = of->kind == 3 ? 0x7ffull << 52 : 0x7ff8ull << 48 | (of->payload & 0x7ffffffffffff);
    else if (of->count == 0)
        parts.bits = 0;
    else if (of->exponent >= -22 && of->exponent <= 22 && __provident_few_digits(of, 15, &few)) {
        double value = of->negative ? -(double)few : (double)few;
        return of->exponent < 0 ? value / powers[-of->exponent] : value * powers[of->exponent];
    } else {
        if (of->kind == 2)
            __provident_of_hexadecimal(of, &binary);
        else
            __provident_of_decimal(of, 400, 800, &binary);
        parts.bits = __provident_rounded(&binary, 53, -1022, of->negative);
        if (binary.exponent > 971)
            parts.bits = 0x7ffull << 52;
        else
            parts.bits += (unsigned long long)(binary.exponent + 1074) << 52;
        if (parts.bits >= 0x7ffull << 52)
            parts.bits = (0x7ffull << 52) - !__provident_overflows(of->negative);
    }
    parts.bits |= (unsigned long long)of->negative << 63;
    return parts.value;
}

static float __provident_float_of(const struct __provident_parsed *of) {
    static const float powers[11] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    union {
        unsigned bits;
        float value;
    } parts;
    struct __provident_binary binary;
    unsigned long long few;
    if (of->kind >= 3)
        parts.bits = of->kind == 3 ? 0xffu << 23 : 0x1ffu << 22 | ((unsigned)of->payload & 0x3fffff);
    else if (of->count == 0)
        parts.bits = 0;
    else if (of->exponent >= -10 && of->exponent <= 10 && __provident_few_digits(of, 7, &few)) {
        float value = of->negative ? -(float)few : (float)few;
        return of->exponent < 0 ? value / powers[-of->exponent] : value * powers[of->exponent];
    } else {
        if (of->kind == 2)
            __provident_of_hexadecimal(of, &binary);
        else
            __provident_of_decimal(of, 400, 800, &binary);
        parts.bits = (unsigned)__provident_rounded(&binary, 24, -126, of->negative);
        if (binary.exponent > 104)
            parts.bits = 0xffu << 23;
        else
            parts.bits += (unsigned)(binary.exponent + 149) << 23;
        if (parts.bits >= 0xffu << 23)
            parts.bits = (0xffu << 23) - !__provident_overflows(of->negative);
    }
    parts.bits |= (unsigned)of->negative << 31;
    return parts.value;
}

static long double __provident_long_double_of(const struct __provident_parsed *of) {
    union {
        struct {
            unsigned long long mantissa;
            unsigned short exponent;
        } bits;
        long double value;
    } parts;
    struct __provident_binary binary;
    unsigned long long mantissa = 0;
    unsigned exponent = 0;
    if (of->kind >= 3) {
        mantissa = of->kind == 3 ? 1ull << 63 : 3ull << 62 | (of->payload & ~0ull >> 2);
        exponent = 0x7fff;
    } else if (of->count != 0) {
        if (of->kind == 2)
            __provident_of_hexadecimal(of, &binary);
        else
            __provident_of_decimal(of, 5100, 11600, &binary);
        mantissa = __provident_rounded(&binary, 64, -16382, of->negative);
        if (binary.exponent > 16320) {
            int infinite = __provident_overflows(of->negative);
            mantissa = infinite ? 1ull << 63 : ~0ull;
            exponent = 0x7fff - !infinite;
        } else
            exponent = (unsigned)(binary.exponent + 16445) + (unsigned)(mantissa >> 63);
    }
    parts.bits.mantissa = mantissa;
    parts.bits.exponent = (unsigned short)(exponent | (unsigned)of->negative << 15);
    return parts.value;
}

/* Reads a number; infinity, or one near zero, with ERANGE if none fits. Where there is none: 0, and the end is the beginning. */
double strtod(const char *s, char **end) {
    struct __provident_parsed parsed;
    const char *stop = __provident_parse(__provident_after_space(s), 0, &parsed);
    if (end != 0)
        *end = (char *)(stop != 0 ? stop : s);
    return stop != 0 ? __provident_double_of(&parsed) : 0;
}

float strtof(const char *s, char **end) {
    struct __provident_parsed parsed;
    const char *stop = __provident_parse(__provident_after_space(s), 0, &parsed);
    if (end != 0)
        *end = (char *)(stop != 0 ? stop : s);
    return stop != 0 ? __provident_float_of(&parsed) : 0;
}

long double strtold(const char *s, char **end) {
    struct __provident_parsed parsed;
    const char *stop = __provident_parse(__provident_after_space(s), 0, &parsed);
    if (end != 0)
        *end = (char *)(stop != 0 ? stop : s);
    return stop != 0 ? __provident_long_double_of(&parsed) : 0;
}

double atof(const char *s) {
    return strtod(s, 0);
}

/* As glibc's headers call them from inline functions. */
double __strtod_internal(const char *s, char **end, int group) {
    return strtod(s, end);
}

float __strtof_internal(const char *s, char **end, int group) {
    return strtof(s, end);
}

long double __strtold_internal(const char *s, char **end, int group) {
    return strtold(s, end);
}

/* The number in a field of formatted input that ends at `bound`, stored as the length modifier says; whether there is one. */
int __provident_scan_float_value(const char *s, const char *bound, int kept, int size, __builtin_va_list *arguments) {
    struct __provident_parsed parsed;
    if (__provident_parse(s, bound, &parsed) == 0)
        return 0;
    if (!kept)
        return 1;
    if (size == 'L' || size == 'q')
        *__builtin_va_arg(*arguments, long double *) = __provident_long_double_of(&parsed);
    else if (size == 'l')
        *__builtin_va_arg(*arguments, double *) = __provident_double_of(&parsed);
    else
        *__builtin_va_arg(*arguments, float *) = __provident_float_of(&parsed);
    return 1;
}
