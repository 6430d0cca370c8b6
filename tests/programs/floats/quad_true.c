// Binary128 tells apart what extended precision does not.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    __float128 x = 1, tiny = 1;
    for (int i = 0; i < 112; i++)
        tiny /= 2;
    if (x + tiny == x || x + tiny / 2 != x || (long double)(x + tiny) != 1)
        reach_error();
    return 0;
}
