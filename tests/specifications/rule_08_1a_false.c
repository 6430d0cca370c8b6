//# rule: 08_1a
//# VERDICT: FALSE
struct module;
extern struct module *__VERIFIER_nondet_pointer(void);
extern int ldv_try_module_get_3(struct module *);
extern void module_put(struct module *);

int main(void) {
    struct module *m = __VERIFIER_nondet_pointer();
    if (m) {
        ldv_try_module_get_3(m);
        module_put(m);
    }
    return 0;
}
