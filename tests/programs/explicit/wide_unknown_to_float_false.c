// Nothing is known of the integer: its conversion to a shorter format has no bounds.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void) {
    unsigned __int128 x = __VERIFIER_nondet_uint128();
    float f = (float)x;
    if (f > 5.0f)
        reach_error();
    return 0;
}
