/* Signals that the program raises, times, sizes that no object can have. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern void reach_error(void);
extern void finished(void);
static void check(int holds) { if (!holds) reach_error(); }

static int seen;
static void handler(int number) { seen = number; }

int main(void) {
    check(signal(SIGUSR1, handler) == SIG_DFL);
    raise(SIGUSR1);
    check(seen == SIGUSR1);
    check(signal(SIGUSR1, SIG_IGN) == handler);
    seen = 0;
    check(raise(SIGUSR1) == 0 && seen == 0);
    check(signal(SIGKILL, handler) == SIG_ERR);
    time_t t = 5, u = time(&t);
    check(t == u && u >= -1);
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) == 0)
        check(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    check(getpid() == getpid() && getpid() > 0);
    check(malloc(SIZE_MAX) == 0 && malloc((size_t)PTRDIFF_MAX + 1) == 0 && calloc(SIZE_MAX / 2, 4) == 0);
    finished();
    return 0;
}
