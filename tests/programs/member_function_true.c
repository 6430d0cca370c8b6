// A structure from outside has functions of the program in no other members than those into which the program puts them.
//# call reach_error: TRUE
extern void reach_error(void);
struct driver { int (*probe)(struct driver *); int (*acquire)(struct driver *); };
extern struct driver *find(void);
extern int enlist(struct driver *);
static int probes;
static int probe(struct driver *d) { probes = 1; return d != 0; }
static struct driver mine = {probe, 0};
int main(void) {
    enlist(&mine);
    struct driver *d = find();
    if (d) {
        int (*acquire)(struct driver *) = d->acquire;
        d->acquire(d);
        if (acquire)
            acquire(d);
    }
    if (probes)
        reach_error();
    return 0;
}
