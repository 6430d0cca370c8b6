/* time.h, sys/time.h, unistd.h: clocks and waiting. Times are inputs of the program within their documented ranges. The types with members are the
   program's. */

long __provident_input_time(void);
long __provident_input_clock(void);
unsigned __provident_input_sleep(void);
int __provident_input_usleep(void);

/* The seconds since 1970, stored through the argument if there is one; -1 if they are not known. */
long time(long *result) {
    long now = __provident_input_time();
    __VERIFIER_assume(now >= -1);
    if (result != 0)
        *result = now;
    return now;
}

/* The processor time in use; -1 if it is not known. */
long clock(void) {
    long used = __provident_input_clock();
    __VERIFIER_assume(used >= -1);
    return used;
}

double difftime(long end, long begin) {
    return (double)end - (double)begin;
}

/* Waits, at most that many seconds; returns what is left. */
unsigned sleep(unsigned seconds) {
    unsigned left = __provident_input_sleep();
    __VERIFIER_assume(left <= seconds);
    return left;
}

/* Waits; 0, or -1 with errno. */
int usleep(unsigned microseconds) {
    int failed = __provident_input_usleep();
    __VERIFIER_assume(failed == 0 || failed == -1);
    if (failed)
        *__errno_location() = microseconds >= 1000000 ? EINVAL : EINTR;
    return failed;
}
