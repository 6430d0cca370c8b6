/* stdlib.h: pseudo-random numbers. Any sequence of results within the documented range may come; they are inputs of the program. */

int __provident_input_rand(void);

/* A number from 0 to RAND_MAX, which is the largest int. */
int rand(void) {
    int number = __provident_input_rand();
    __VERIFIER_assume(number >= 0);
    return number;
}

/* Changes which numbers come, and any may come. */
void srand(unsigned seed) {
    (void)seed;
}
