// The way to the violation that is found first rests on an invented value; another one rests on an input.
//# FALSE:
//# FALSE: --set explore.order=distance
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void claim(int holds) {
    if (!holds)
        reach_error();
}
int main(void) {
    int place;
    __asm__("mov $3, %0" : "=r"(place));
    int steps = __VERIFIER_nondet_int();
    if (steps == 0)
        claim(place != 3);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += 2;
    if (steps == 7)
        claim(sum != 6);
    return 0;
}
