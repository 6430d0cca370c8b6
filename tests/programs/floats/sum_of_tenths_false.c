// The plain sum misses 1 by the last bit.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    double plain = 0;
    for (int i = 0; i < 10; i++)
        plain += 0.1;
    if (plain != 1.0)
        reach_error();
    return 0;
}
