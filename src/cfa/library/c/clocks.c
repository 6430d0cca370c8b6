/* time.h, sys/time.h: functions on the program's own struct timespec and struct timeval. Times are inputs of the program within their documented ranges. */

long __provident_input_clock_reading(void);
int __provident_input_clock_gettime(void);
int __provident_input_nanosleep(void);

/* Stores a time of a clock and returns 0, or returns -1 with errno. */
int clock_gettime(int clock, struct timespec *result) {
    int failed = __provident_input_clock_gettime();
    __VERIFIER_assume(failed == 0 || failed == -1);
    if (failed) {
        *__errno_location() = EINVAL;
        return failed;
    }
    long seconds = __provident_input_clock_reading();
    long nanoseconds = __provident_input_clock_reading();
    __VERIFIER_assume(nanoseconds >= 0 && nanoseconds <= 999999999);
    result->tv_sec = seconds;
    result->tv_nsec = nanoseconds;
    return 0;
}

/* Waits; 0, or -1 with errno and, through `left`, the time that is left. */
int nanosleep(const struct timespec *wanted, struct timespec *left) {
    int failed = __provident_input_nanosleep();
    __VERIFIER_assume(failed == 0 || failed == -1);
    if (failed == 0)
        return 0;
    if (wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999 || wanted->tv_sec < 0) {
        *__errno_location() = EINVAL;
        return -1;
    }
    *__errno_location() = EINTR;
    if (left != 0) {
        long seconds = __provident_input_clock_reading();
        long nanoseconds = __provident_input_clock_reading();
        __VERIFIER_assume(seconds >= 0 && seconds <= wanted->tv_sec && nanoseconds >= 0 && nanoseconds <= 999999999);
        left->tv_sec = seconds;
        left->tv_nsec = nanoseconds;
    }
    return -1;
}

/* Stores the time since 1970 and returns 0. The second argument is out of use. */
int gettimeofday(struct timeval *result, void *zone) {
    long seconds = __provident_input_clock_reading();
    long microseconds = __provident_input_clock_reading();
    __VERIFIER_assume(microseconds >= 0 && microseconds <= 999999);
    result->tv_sec = seconds;
    result->tv_usec = microseconds;
    return 0;
}
