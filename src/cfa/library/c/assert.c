/* assert.h: a program that calls `assert` and does not include the header means the macro (ISO C11, 7.2). */

__attribute__((noreturn)) void __assert_fail(const char *text, const char *file, unsigned line, const char *function);

void assert(_Bool holds) {
    if (!holds)
        __assert_fail("", "", 0, "");
}
