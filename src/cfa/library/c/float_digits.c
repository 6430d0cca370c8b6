/* Decimal digits of floating-point numbers, exactly: a number with binary digits has finitely many decimal ones (ISO C11, 7.21.6.1 leaves no freedom for the
   first of them, and glibc writes all).

   The digits are groups of nine, the way musl's printf has them: the group at `units` is that of the integer's last digits, those before it are worth more. The number
   is m * 2^e; a positive exponent doubles the groups from the right, a negative one halves them from the left. */

static unsigned __provident_power_of_ten(int n) {
    static const unsigned powers[10] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    return powers[n];
}

/* The groups of mantissa * 2^exponent. */
void __provident_expand(struct __provident_digits *to, unsigned long long mantissa, int exponent) {
    const unsigned base = 1000000000;
    unsigned *group = to->group;
    int units = to->units, first = units, end = units + 1, i;
    to->least = -100000;
    while (exponent < 0 && mantissa != 0 && (mantissa & 1) == 0) {
        mantissa >>= 1;
        exponent++;
    }
    group[units] = (unsigned)(mantissa % base);
    for (mantissa /= base; mantissa != 0; mantissa /= base)
        group[--first] = (unsigned)(mantissa % base);
    if (group[first] == 0)
        exponent = 0;
    while (exponent > 0) {
        int shift = exponent < 29 ? exponent : 29;
        unsigned long long carry = 0;
        for (i = end - 1; i >= first; i--) {
            carry += (unsigned long long)group[i] << shift;
            group[i] = (unsigned)(carry % base);
            carry /= base;
        }
        if (carry != 0)
            group[--first] = (unsigned)carry;
        exponent -= shift;
    }
    while (exponent < 0) {
        int shift = -exponent < 9 ? -exponent : 9;
        unsigned mask = (1u << shift) - 1, factor = base >> shift, carry = 0, rest;
        for (i = first; i < end; i++) {
            rest = group[i] & mask;
            group[i] = (group[i] >> shift) + carry;
            carry = rest * factor;
        }
        if (carry != 0)
            group[end++] = carry;
        while (first < end - 1 && group[first] == 0)
            first++;
        exponent += shift;
    }
    to->first = first;
    to->end = end;
}

/* How many groups a power of ten is above the units. */
static int __provident_group_of(int power) {
    return power >= 0 ? power / 9 : -((8 - power) / 9);
}

/* The digit that is worth a power of ten. */
int __provident_digit_at(const struct __provident_digits *of, int power) {
    int above = __provident_group_of(power), i = of->units - above;
    if (power < of->least || i < of->first || i >= of->end)
        return 0;
    return (int)(of->group[i] / __provident_power_of_ten(power - 9 * above) % 10);
}

/* The power of ten of the first digit; 0 for zero. */
int __provident_leading(const struct __provident_digits *of) {
    int i = of->first, length = 1;
    while (i < of->end && of->group[i] == 0)
        i++;
    if (i == of->end)
        return 0;
    while (length < 9 && of->group[i] >= __provident_power_of_ten(length))
        length++;
    return 9 * (of->units - i) + length - 1;
}

/* Whether any digit worth less than a power of ten is there. */
static int __provident_rest_below(const struct __provident_digits *of, int power) {
    int above = __provident_group_of(power), i = of->units - above;
    if (i >= of->end)
        return 0;
    if (i >= of->first && of->group[i] % __provident_power_of_ten(power - 9 * above) != 0)
        return 1;
    for (i = i < of->first ? of->first : i + 1; i < of->end; i++)
        if (of->group[i] != 0)
            return 1;
    return 0;
}

/* Whether a magnitude whose last kept digit is odd or not is rounded up: `next` and `rest` say whether it lies beyond the kept digits by less than one half (0),
   one half (1), or more (2), and whether by anything more than that. The mode is one of `fegetround`. */
int __provident_rounds_up(int mode, int negative, int odd, int half, int rest) {
    if (half == 0 && !rest)
        return 0;
    if (mode == 0x400)
        return negative;
    if (mode == 0x800)
        return !negative;
    if (mode == 0xc00)
        return 0;
    return half == 2 || (half == 1 && (rest || odd));
}

/* Rounds to a multiple of a power of ten. */
void __provident_round_at(struct __provident_digits *to, int power, int negative, int mode) {
    int next = __provident_digit_at(to, power - 1);
    int rest = __provident_rest_below(to, power - 1);
    int half = next > 5 ? 2 : next == 5;
    int above, i;
    if (next != 0 && next < 5)
        rest = 1;
    to->least = power;
    if (!__provident_rounds_up(mode, negative, __provident_digit_at(to, power) & 1, half, rest))
        return;
    above = __provident_group_of(power);
    i = to->units - above;
    while (to->first > i)
        to->group[--to->first] = 0;
    while (to->end <= i)
        to->group[to->end++] = 0;
    to->group[i] += __provident_power_of_ten(power - 9 * above);
    while (to->group[i] >= 1000000000) {
        to->group[i--] -= 1000000000;
        if (i < to->first)
            to->group[to->first = i] = 0;
        to->group[i]++;
    }
}
