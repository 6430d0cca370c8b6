// Words that are read as bytes and sums that wrap around: the formula of the way to the violation is hard, its execution is not.
//# call reach_error: FALSE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static union {
    unsigned whole;
    unsigned char bytes[4];
} table[4];

static unsigned sum(void) {
    unsigned s = 0;
    s = s * 31u + table[0].bytes[0];
    s = s * 31u + table[0].bytes[3];
    s = s * 31u + table[1].bytes[1];
    s = s * 31u + table[1].bytes[2];
    s = s * 31u + table[2].bytes[0];
    s = s * 31u + table[2].bytes[3];
    s = s * 31u + table[3].bytes[1];
    s = s * 31u + table[3].bytes[2];
    return s;
}

int main(void) {
    table[0].whole = __VERIFIER_nondet_uint();
    table[1].whole = __VERIFIER_nondet_uint();
    table[2].whole = table[0].whole * 2654435761u;
    table[3].whole = table[1].whole + table[2].whole;
    table[1].whole = sum() * 2246822519u;
    unsigned rest = sum() % 1000u;
    if (rest > 300u && rest < 900u)
        reach_error();
    return 0;
}
