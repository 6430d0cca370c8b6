//# rule: 101_1a
//# VERDICT: TRUE
struct request;
extern struct request *blk_make_request(void *, void *, unsigned), *blk_get_request(void *, int, unsigned);
extern void blk_put_request(struct request *), __blk_put_request(void *, struct request *);

int main(void) {
    struct request *a = blk_make_request(0, 0, 208);
    if ((unsigned long)a >= (unsigned long)-4095)
        return -5;
    struct request *b = blk_get_request(0, 0, 208);
    if (b)
        __blk_put_request(0, b);
    blk_put_request(a);
    return 0;
}
