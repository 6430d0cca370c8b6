// Loops, switch with ranges and fall-through, goto, recursion, function pointers, short circuits with effects.
void emit(long long);
static int counter;
static int bump(int by) { return counter += by; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int apply(int (*f)(int), int x) { return f(x); }
static int classify(int x) {
    switch (x) {
    case 0: return 1;
    case 1 ... 4: x += 10;
    case 9: x++; break;
    default: return -1;
    }
    return x;
}
int main(void) {
    int i, j;
    for (i = 0; i < 12; i++) emit(classify(i));
    for (i = 0; ; i++) { if (i == 3) continue; if (i > 5) break; emit(i); }
    i = 10; do { emit(i); i -= 3; } while (i > 0);
    emit(fib(10)); emit(apply(fib, 7)); emit(apply(bump, 2));
    (void)(bump(1) > 100 && bump(50)); emit(counter);
    (void)(bump(1) > 0 || bump(50)); emit(counter);
    emit(bump(1) ? bump(2) : bump(30)); emit(counter); emit(counter ?: 5);
    i = 0;
again: if (++i < 4) { emit(i); goto again; }
    for (i = 0, j = 5; i < j; i++, j--) emit(i * j);
    emit(({ int t = i + 1; t * 2; }));
    return 0;
}
