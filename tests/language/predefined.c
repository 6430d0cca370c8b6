// A byte-order mark, predefined macros without any directive, and names beyond ASCII. verdict: TRUE
extern void reach_error(void);
int größe = __INT_MAX__;
int main(void) {
    __SIZE_TYPE__ n = sizeof(int) * __CHAR_BIT__;
    if (n != 32 || gr\u00f6ße != 2147483647) reach_error();
    return 0;
}
