// Pointers are written into a table at remainders of inputs: two keys may have one place.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct entry {
    unsigned key, value;
};
static struct entry entries[2];
static struct entry *table[11];
static struct entry **place(unsigned key) {
    return table + key % 11;
}
int main(void) {
    unsigned key[2];
    for (unsigned i = 0; i < 2; i++) {
        key[i] = __VERIFIER_nondet_uint();
        entries[i].key = key[i];
        entries[i].value = i;
        *place(key[i]) = &entries[i];
    }
    struct entry *last = *place(key[1]);
    if (last->key != key[1] || last->value != 1)
        reach_error();
    if ((*place(key[0]))->value != 0)
        reach_error();
    return 0;
}
