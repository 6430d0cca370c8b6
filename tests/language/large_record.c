// Sizes of records beyond what 64 bits can count in bits, and alignments of functions. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
#define LARGE ((1L << 62) - 256)
struct wide { short list[LARGE]; int a, b; unsigned bit : 1; };
union one { int a; char list[LARGE]; };
static void aligned_one(void) __attribute__((aligned(64)));
static void aligned_one(void) {}
int main(void) {
    check(sizeof(struct wide) == 2 * LARGE + 12);
    check(sizeof(union one) == LARGE);
    check((unsigned long)&((struct wide *)0)->b == 2 * LARGE + 4);
    check(__alignof__(aligned_one) == 64);
    aligned_one();
    return 0;
}
