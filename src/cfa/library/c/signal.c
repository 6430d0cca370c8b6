/* signal.h: handlers of signals (ISO C11, 7.14; POSIX.1). Signals that come from outside are not modelled, which the ledger says: handlers run where the program
   raises their signals. */

typedef void (*library_handler)(int);

static library_handler signal_handlers[65];

void __provident_trust_signals_come_only_where_the_program_raises_them(void);

/* Installs a handler and returns the one before it; -1 (SIG_ERR) with errno where there is no such signal, or it cannot be handled. */
library_handler signal(int number, library_handler handler) {
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        *__errno_location() = EINVAL;
        return (library_handler)-1;
    }
    __provident_trust_signals_come_only_where_the_program_raises_them();
    library_handler before = signal_handlers[number];
    signal_handlers[number] = handler;
    return before;
}

/* Whether a signal without a handler is ignored: SIGCHLD, SIGCONT, SIGURG, SIGWINCH. */
static int signal_is_ignored(int number) {
    return number == 17 || number == 18 || number == 23 || number == 28;
}

/* Runs the handler of a signal. Without one, most signals end the program, without what `exit` does. */
int raise(int number) {
    if (number < 1 || number > 64) {
        *__errno_location() = EINVAL;
        return -1;
    }
    library_handler handler = signal_handlers[number];
    if (handler == (library_handler)1)
        return 0;
    if (handler != 0) {
        handler(number);
        return 0;
    }
    if (!signal_is_ignored(number))
        __builtin_abort();
    return 0;
}
