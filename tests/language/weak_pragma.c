// A weak alias by a pragma. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

unsigned long lv1 = 0xdeadbeefUL;
#pragma weak Av1a = lv1
extern unsigned long Av1a;
int main(void) { check(&Av1a == &lv1 && Av1a == 0xdeadbeefUL); return 0; }
