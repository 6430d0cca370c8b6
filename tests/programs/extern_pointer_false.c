// A function without body returns a pointer to an object that the program does not know otherwise.
//# call reach_error: FALSE
extern void reach_error(void);
struct device { int state; struct device *parent; };
extern struct device *find_device(void);
int main(void) {
    struct device *d = find_device();
    if (d->state == 3 && d->parent->state == 4)
        reach_error();
    return 0;
}
