/* stdlib.h: the environment. The first text that a program asks for is an input: null, or any text of some length. What it asks for then may be the same or not, and what it
   changes is not kept: these texts are any. */

_Bool __provident_input_getenv(void);
char __provident_input_environment(void);
int __provident_any_getenv(void);
char __provident_any_environment(void);
int __provident_any_setenv(void);
void __provident_trust_texts_of_the_environment_have_fewer_than_32_characters(void);

static int library_environment_is_known;

/* The text of a name, or null. */
char *getenv(const char *name) {
    static char first[32], next[32];
    int i;
    __provident_trust_texts_of_the_environment_have_fewer_than_32_characters();
    if (library_environment_is_known) {
        if (!__provident_any_getenv())
            return 0;
        for (i = 0; i < 31; i++)
            next[i] = __provident_any_environment();
        return next;
    }
    library_environment_is_known = 1;
    if (!__provident_input_getenv())
        return 0;
    for (i = 0; i < 31; i++)
        first[i] = __provident_input_environment();
    return first;
}

char *secure_getenv(const char *name) {
    return getenv(name);
}

/* Changes: 0, or -1 with errno. */
static int library_environment_changed(void) {
    int failed = __provident_any_setenv();
    __VERIFIER_assume(failed == 0 || failed == -1);
    library_environment_is_known = 1;
    if (failed)
        *__errno_location() = ENOMEM;
    return failed;
}

int setenv(const char *name, const char *value, int overwrite) {
    return library_environment_changed();
}

int unsetenv(const char *name) {
    return library_environment_changed();
}

int clearenv(void) {
    return library_environment_changed();
}
