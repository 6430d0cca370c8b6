// Types of variable length in expressions are evaluated once. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

void *p; char a[1];
int main(void) { int i = 0, j = -1, k = -1;
 (j = ++i), (void)(typeof ((int (*)[(k = ++i)])p))p; check(j == 1); check(k == 2); check(i == 2);
 i = 0; k = -1; (j = ++i), (void)((typeof (1 + (int (*)[(k = ++i)])p))p); check(k == 2);
 i = 0; int *x = 0; void *q = (int (*)[++i]){(void *)x}; check(i == 1);
 i = 0; j = sizeof (typeof (*(++i, (char (*)[i])a))); check(i == 1); check(j == 1);
 return 0; }
