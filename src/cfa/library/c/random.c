/* stdlib.h: pseudo-random numbers. Any sequence of results within the documented range may come; they are inputs of the program. */

int __provident_input_rand(void);
int __provident_any_rand(void);
long __provident_input_random(void);
long __provident_any_random(void);
int __provident_input_rand_r(void);
unsigned __provident_any_rand_r(void);
long __provident_input_lrand48(void);
long __provident_input_mrand48(void);
unsigned __provident_input_arc4random(void);
unsigned __provident_input_arc4random_uniform(void);

/* Whether a number was drawn, and whether a seed came after one. The numbers behind that may be those that came before (ISO C11, 7.22.2.2), so that they are no
   inputs. */
static int random_drawn = 0, random_again = 0;

/* A number from 0 to RAND_MAX, which is the largest int. */
int rand(void) {
    int number;
    random_drawn = 1;
    if (random_again)
        number = __provident_any_rand();
    else
        number = __provident_input_rand();
    __VERIFIER_assume(number >= 0);
    return number;
}

/* Changes which numbers come, and any may come. */
void srand(unsigned seed) {
    if (random_drawn)
        random_again = 1;
}

/* As rand, with a state of the caller's. */
int rand_r(unsigned *state) {
    int number = __provident_input_rand_r();
    __VERIFIER_assume(number >= 0);
    *state = __provident_any_rand_r();
    return number;
}

/* A number from 0 to 2^31 - 1. */
long random(void) {
    long number;
    random_drawn = 1;
    if (random_again)
        number = __provident_any_random();
    else
        number = __provident_input_random();
    __VERIFIER_assume(number >= 0 && number <= 0x7fffffff);
    return number;
}

void srandom(unsigned seed) {
    if (random_drawn)
        random_again = 1;
}

/* A number from 0 to 2^31 - 1. */
long lrand48(void) {
    long number = __provident_input_lrand48();
    __VERIFIER_assume(number >= 0 && number <= 0x7fffffff);
    return number;
}

/* A number from -2^31 to 2^31 - 1. */
long mrand48(void) {
    long number = __provident_input_mrand48();
    __VERIFIER_assume(number >= -0x7fffffff - 1 && number <= 0x7fffffff);
    return number;
}

void srand48(long seed) {
}

/* Any number of 32 bits (BSD). */
unsigned arc4random(void) {
    return __provident_input_arc4random();
}

/* A number below the bound; 0 if the bound is 0. */
unsigned arc4random_uniform(unsigned bound) {
    unsigned number = __provident_input_arc4random_uniform();
    __VERIFIER_assume(number < bound || number == 0);
    return number;
}
