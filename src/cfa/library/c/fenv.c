/* fenv.h: the rounding mode, with the numbers of x86. Operators on floating-point values read it. Exception flags are not modelled. */

int __provident_any_fetestexcept(void);

int __provident_rounding = 0;

/* Sets the mode: 0 to nearest, 0x400 down, 0x800 up, 0xc00 towards zero; anything else is refused. */
int fesetround(int mode) {
    if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00)
        return 1;
    __provident_rounding = mode;
    return 0;
}

/* The mode. */
int fegetround(void) {
    return __provident_rounding;
}

/* Clears exception flags. */
int feclearexcept(int flags) {
    (void)flags;
    return 0;
}

/* Sets exception flags. */
int feraiseexcept(int flags) {
    (void)flags;
    return 0;
}

/* Which of the flags are set: any. */
int fetestexcept(int flags) {
    return __provident_any_fetestexcept() & flags;
}
