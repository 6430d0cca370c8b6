//# rule: 08_1a
//# VERDICT: TRUE
struct module;
extern struct module *__VERIFIER_nondet_pointer(void);
extern void __module_get(struct module *);
extern int try_module_get(struct module *);
extern void module_put(struct module *);
extern unsigned long module_refcount(struct module *);

int main(void) {
    struct module *m = __VERIFIER_nondet_pointer();
    __module_get(m);
    if (try_module_get(m)) {
        if (m && module_refcount(m) != 2)
            module_put(m), module_put(m), module_put(m);
        module_put(m);
    }
    module_put(m);
    return 0;
}
