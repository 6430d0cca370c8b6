/* pthread.h and threads.h: a program that has created no thread ends when its only one does, as by `exit(0)` (POSIX.1, pthread_exit; ISO C11, 7.26.5.5). */

void pthread_exit(void *result) {
    exit(0);
}

void thrd_exit(int result) {
    exit(0);
}
