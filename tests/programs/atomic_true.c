// The compiler's atomic operations, as one thread sees them: values before and after, and what a failed exchange leaves behind.
//# call reach_error: TRUE
extern void reach_error(void);
struct pair { short x, y; };
int value = 5, expected = 5, other = 9, result;
short small = -3;
long mask = -3;
unsigned char flag;
int list[4] = {1, 2, 3, 4}, *cursor = list;
struct pair one = {1, 2}, two = {3, 4}, three;
int main(void) {
    __atomic_store_n(&value, 11, 5);
    if (__atomic_load_n(&value, 5) != 11 || __atomic_exchange_n(&value, 3, 5) != 11)
        reach_error();
    __atomic_exchange(&value, &other, &result, 5);
    if (result != 3 || value != 9 || __atomic_load_4(&list[2], 5) != 3)
        reach_error();
    if (__atomic_compare_exchange_n(&value, &expected, 42, 0, 5, 5) || expected != 9 || value != 9)
        reach_error();
    if (!__atomic_compare_exchange_n(&value, &expected, 42, 0, 5, 5) || value != 42)
        reach_error();
    if (__sync_val_compare_and_swap(&value, 42, 1) != 42 || __sync_bool_compare_and_swap(&value, 42, 2) || value != 1)
        reach_error();
    if (__atomic_fetch_add(&small, 70000, 5) != -3 || small != 4461 || __atomic_sub_fetch(&small, 1, 5) != 4460)
        reach_error();
    if (__atomic_fetch_nand(&mask, 6, 5) != -3 || mask != -5 || __sync_nand_and_fetch(&mask, 5) != -2)
        reach_error();
    if (__atomic_test_and_set(&flag, 5) || !__atomic_test_and_set(&flag, 5))
        reach_error();
    __atomic_clear(&flag, 5);
    // The pointer moves by bytes.
    if (flag || __atomic_fetch_add(&cursor, sizeof(int), 5) != list || *cursor != 2)
        reach_error();
    __atomic_exchange(&one, &two, &three, 5);
    __atomic_thread_fence(5);
    if (one.x != 3 || three.y != 2)
        reach_error();
    return 0;
}
