//# call reach_error: FALSE
// The number of an error becomes a pointer. Where the check for errors does not know the number, the pointer leads nowhere: the violation needs an object.
void reach_error(void);
extern int prepare(int minor), add(int minor), label_of(int minor), attach(int minor), start(int minor);
extern void *malloc(unsigned long size);

struct device {
    int minor;
    int open;
};

static struct device *mix;
static int locked;

static void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

static struct device *create(int minor) {
    struct device *device = malloc(sizeof *device);
    int error = prepare(minor);
    if (error)
        goto out;
    error = add(minor);
    if (error)
        goto out;
    error = label_of(minor);
    if (error)
        goto out;
    error = attach(minor);
    if (error)
        goto out;
    error = start(minor);
    if (error)
        goto out;
    device->minor = minor;
    return device;
out:
    return (struct device *)(long)error;
}

int main(void) {
    mix = create(31);
    if ((unsigned long)mix >= 0xfffffffffffff001UL)
        return 0;
    lock();
    if (mix->open)
        lock();
    return 0;
}
