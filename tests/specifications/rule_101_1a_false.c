//# rule: 101_1a
//# VERDICT: FALSE
struct request;
extern struct request *blk_make_request(void *, void *, unsigned);
extern void blk_put_request(struct request *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct request *a = blk_make_request(0, 0, 208);
    if ((unsigned long)a >= (unsigned long)-4095)
        return -5;
    if (__VERIFIER_nondet_int())
        return -12;
    blk_put_request(a);
    return 0;
}
