// No remainder is as large as the divisor, however hard it is to say which one it is.
//# call reach_error: TRUE
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
    if (rest > 999u)
        reach_error();
    return 0;
}
