// A flag that is a record, as in stdatomic.h. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
typedef struct { _Bool set; } flag;
static volatile flag one;
int main(void) {
    check(!__atomic_test_and_set(&one, 5));
    check(__atomic_test_and_set(&one, 5));
    __atomic_clear(&one, 5);
    check(!one.set && !__atomic_test_and_set(&one, 5) && one.set);
    return 0;
}
