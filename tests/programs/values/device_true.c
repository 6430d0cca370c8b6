// A device behind a pointer is opened and closed alternately: two cells of memory have constants.
//# label A: TRUE
//# label B: TRUE
//# value A: TRUE
//# value B: TRUE
extern int __VERIFIER_nondet_int(void);
struct device { int open; int mode; int users[3]; };
struct device device;
int failed;
void open(struct device *d) {
    if (d->open) { A: failed = 1; }
    d->open = 1;
    d->users[1] = 5;
}
void close(struct device *d) {
    if (!d->open || d->users[1] != 5) { B: failed = 2; }
    d->open = 0;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        open(&device);
        device.mode = __VERIFIER_nondet_int();
        close(&device);
    }
    return 0;
}
