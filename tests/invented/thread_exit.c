// The only thread of a program does not come back from its end.
//# TRUE:
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void pthread_exit(void *);

int main(void) {
    int way = __VERIFIER_nondet_int();
    if (way == 100)
        pthread_exit((void *)0);
    if (way == 100)
        reach_error();
    return 0;
}
