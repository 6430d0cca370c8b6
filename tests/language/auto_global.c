// Variables of inferred type are declared again. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

__auto_type i = 1;
extern int i;
static __auto_type u = 10U;
extern unsigned u;
int k = 4;
extern int k;
int main(void) { check(k == 4); check(i == 1); check(u == 10); return 0; }
