//# UNKNOWN: the type of the builtin `__builtin_apply_args` is not known
extern void reach_error(void);
int main(void) {
    void *arguments = __builtin_apply_args();
    if ((unsigned long)arguments > 0x100000000ul) reach_error();
    return 0;
}
