// A new object is not the one before it, and starts with what calloc says.
//# call reach_error: TRUE
extern void reach_error(void);
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long);
extern void free(void *);
int main(void) {
    for (int i = 0; i < 50; i++) {
        int *p = malloc(sizeof(int)), *q = calloc(2, sizeof(int));
        *p = i;
        if (*q != 0 || p == q || *p != i || !p)
            reach_error();
        q[1] = 3;
        free(p);
        free(q);
    }
    return 0;
}
