// What comes from outside points to objects of its own, which point on; what they hold is asked for bit by bit, and a shift wants a count that is not zero.
//# call reach_error: FALSE
extern void reach_error(void);
struct endpoint {
    unsigned char address, attributes, interval;
};
struct device {
    int id;
    struct device *parent;
    struct endpoint *endpoint;
};
struct holder {
    long key;
    struct device device;
};
extern struct device *probe(void);
static struct holder *holder_of(struct device *device) {
    return (struct holder *)((char *)device - sizeof(long));
}
int main(void) {
    struct device *device = probe();
    if (!device || !device->parent)
        return 0;
    struct endpoint *endpoint = device->endpoint;
    if ((endpoint->attributes & 3) != 3 || (endpoint->address & 0x80) == 0)
        return 0;
    int period = 1 << (endpoint->interval - 1);
    if (holder_of(device->parent)->key == 4711 && period >= 16)
        reach_error();
    return 0;
}
