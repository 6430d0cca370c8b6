/* Fields of formatted output (ISO C11, 7.21.6.1): how long each is, and its characters.

   A field is what one conversion of `printf` makes. Flags are bits: 1 `-`, 2 `+`, 4 space, 8 `#`, 16 `0`, 32 upper case digits.
   A precision below 0 is none, a width below 0 stands for the flag `-`. The functions `..._length` read no more than the value and write nothing, so that printing, whose
   characters nobody in the program sees, costs no memory. The functions `..._put` write a field at position `count` of `to`,
   as much of it as lies before position `keep`, and return the position behind it.

   Digits are counted by comparison with powers of the base: for a value that is not known these are bounds, not divisions. */

static size_t __provident_digits(unsigned long long value, unsigned base, size_t most) {
    size_t digits = 1;
    unsigned long long limit = base;
    while (digits < most && value >= limit) {
        limit *= base;
        digits++;
    }
    return digits;
}

static size_t __provident_number_digits(unsigned long long value, unsigned base, int precision) {
    if (value == 0)
        return precision == 0 ? 0 : 1;
    if (base == 10)
        return __provident_digits(value, 10, 20);
    if (base == 16)
        return __provident_digits(value, 16, 16);
    return base == 8 ? __provident_digits(value, 8, 22) : __provident_digits(value, 2, 64);
}

/* Zeros between prefix and digits: from the precision, from `#o`, or from the flag `0`. */
static size_t __provident_number_zeros(unsigned long long value, unsigned base, size_t before, int flags, int precision) {
    size_t zeros = 0;
    if (precision >= 0 && (size_t)precision > before)
        zeros = (size_t)precision - before;
    if (base == 8 && (flags & 8) && zeros == 0 && (value != 0 || before == 0))
        zeros = 1;
    return zeros;
}

/* A number: `sign` is `+`, `-`, space or 0. */
size_t __provident_number_length(unsigned long long value, unsigned base, int sign, int flags, int width, int precision) {
    size_t length = __provident_number_digits(value, base, precision);
    length += __provident_number_zeros(value, base, length, flags, precision);
    if (sign)
        length++;
    if ((flags & 8) && value != 0 && (base == 16 || base == 2))
        length += 2;
    if (width < 0)
        width = -width;
    return width > 0 && (size_t)width > length ? (size_t)width : length;
}

size_t __provident_number_put(char *to, size_t keep, size_t count, unsigned long long value, unsigned base, int sign, int flags, int width, int precision) {
    size_t digits = __provident_number_digits(value, base, precision);
    size_t zeros = __provident_number_zeros(value, base, digits, flags, precision);
    int prefixed = (flags & 8) && value != 0 && (base == 16 || base == 2);
    size_t length = digits + zeros + (sign ? 1 : 0) + (prefixed ? 2 : 0);
    size_t pad, at;
    if (width < 0) {
        flags |= 1;
        width = -width;
    }
    pad = (size_t)width > length ? (size_t)width - length : 0;
    if (pad && (flags & 17) == 16 && precision < 0) {
        zeros += pad;
        pad = 0;
    }
    if (!(flags & 1))
        for (; pad; pad--) {
            if (count < keep)
                to[count] = ' ';
            count++;
        }
    if (sign) {
        if (count < keep)
            to[count] = (char)sign;
        count++;
    }
    if (prefixed) {
        if (count < keep)
            to[count] = '0';
        count++;
        if (count < keep)
            to[count] = (char)((base == 16 ? 'x' : 'b') - (flags & 32));
        count++;
    }
    for (; zeros; zeros--) {
        if (count < keep)
            to[count] = '0';
        count++;
    }
    count += digits;
    for (at = count; digits; digits--) {
        unsigned digit = (unsigned)(value % base);
        at--;
        if (at < keep)
            to[at] = (char)(base <= 10 || digit < 10 ? '0' + digit : ((flags & 32) ? 'A' : 'a') + (digit - 10));
        value /= base;
    }
    for (; pad; pad--) {
        if (count < keep)
            to[count] = ' ';
        count++;
    }
    return count;
}

/* The magnitude of a signed number, and its sign as a character. */
unsigned long long __provident_magnitude(long long value) {
    return value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
}

int __provident_sign(long long value, int flags) {
    if (value < 0)
        return '-';
    if (flags & 2)
        return '+';
    return (flags & 4) ? ' ' : 0;
}

size_t __provident_signed_length(long long value, int flags, int width, int precision) {
    return __provident_number_length(__provident_magnitude(value), 10, __provident_sign(value, flags), 0, width, precision);
}

size_t __provident_signed_put(char *to, size_t keep, size_t count, long long value, int flags, int width, int precision) {
    return __provident_number_put(to, keep, count, __provident_magnitude(value), 10, __provident_sign(value, flags), flags & ~8, width, precision);
}

size_t __provident_unsigned_length(unsigned long long value, unsigned base, int flags, int width, int precision) {
    return __provident_number_length(value, base, 0, flags, width, precision);
}

size_t __provident_unsigned_put(char *to, size_t keep, size_t count, unsigned long long value, unsigned base, int flags, int width, int precision) {
    return __provident_number_put(to, keep, count, value, base, 0, flags, width, precision);
}

/* Text between conversions. */
size_t __provident_text_put(char *to, size_t keep, size_t count, const char *text, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) {
        if (count < keep)
            to[count] = text[i];
        count++;
    }
    return count;
}

/* A string, or as much of it as the precision allows; the null pointer prints as glibc prints it. */
static const char *__provident_shown(const char *text, int precision) {
    if (text)
        return text;
    return precision >= 0 && precision < 6 ? "" : "(null)";
}

static size_t __provident_bounded_length(const char *text, int precision) {
    size_t length = 0;
    while ((precision < 0 || length < (size_t)precision) && text[length])
        length++;
    return length;
}

size_t __provident_string_length(const char *text, int flags, int width, int precision) {
    size_t length = __provident_bounded_length(__provident_shown(text, precision), precision);
    if (width < 0)
        width = -width;
    return width > 0 && (size_t)width > length ? (size_t)width : length;
}

size_t __provident_string_put(char *to, size_t keep, size_t count, const char *text, int flags, int width, int precision) {
    size_t length, pad, i;
    text = __provident_shown(text, precision);
    if (width == 0) {
        for (i = 0; (precision < 0 || i < (size_t)precision) && text[i]; i++) {
            if (count < keep)
                to[count] = text[i];
            count++;
        }
        return count;
    }
    if (width < 0) {
        flags |= 1;
        width = -width;
    }
    length = __provident_bounded_length(text, precision);
    pad = (size_t)width > length ? (size_t)width - length : 0;
    if (!(flags & 1))
        for (; pad; pad--) {
            if (count < keep)
                to[count] = ' ';
            count++;
        }
    for (i = 0; i < length; i++) {
        if (count < keep)
            to[count] = text[i];
        count++;
    }
    for (; pad; pad--) {
        if (count < keep)
            to[count] = ' ';
        count++;
    }
    return count;
}

/* One character. */
size_t __provident_char_length(int c, int flags, int width) {
    if (width < 0)
        width = -width;
    return width > 1 ? (size_t)width : 1;
}

size_t __provident_char_put(char *to, size_t keep, size_t count, int c, int flags, int width) {
    int pad;
    if (width < 0) {
        flags |= 1;
        width = -width;
    }
    if (!(flags & 1))
        for (pad = width; pad > 1; pad--) {
            if (count < keep)
                to[count] = ' ';
            count++;
        }
    if (count < keep)
        to[count] = (char)c;
    count++;
    if (flags & 1)
        for (pad = width; pad > 1; pad--) {
            if (count < keep)
                to[count] = ' ';
            count++;
        }
    return count;
}

/* A pointer, as glibc prints it. The address of an object is not known before the program runs: its digits decide nothing. */
size_t __provident_any_address(void);

static size_t __provident_address(void) {
    size_t address = __provident_any_address();
    __VERIFIER_assume(address != 0);
    return address;
}

size_t __provident_pointer_length(const void *value, int flags, int width, int precision) {
    if (!value)
        return __provident_string_length("(nil)", flags, width, -1);
    return __provident_number_length(__provident_address(), 16, __provident_sign(0, flags), flags | 8, width, precision);
}

size_t __provident_pointer_put(char *to, size_t keep, size_t count, const void *value, int flags, int width, int precision) {
    if (!value)
        return __provident_string_put(to, keep, count, "(nil)", flags, width, -1);
    return __provident_number_put(to, keep, count, __provident_address(), 16, __provident_sign(0, flags), flags | 8, width, precision);
}

/* How many characters are kept where there is so much room. */
size_t __provident_keep(size_t room) {
    return room ? room - 1 : 0;
}

/* The value that printing returns. */
int __provident_printed(size_t count) {
    return count > 0x7fffffff ? -1 : (int)count;
}

/* The end of a text in memory, and the value that the function returns. */
int __provident_finish(char *to, size_t room, size_t count) {
    if (room)
        to[count < room ? count : room - 1] = 0;
    return __provident_printed(count);
}
