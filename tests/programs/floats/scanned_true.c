// A number is read or the object stays as it is, and no digit is behind the number.
//# call reach_error: TRUE
extern void reach_error(void);
int scanf(const char *, ...);
int getchar(void);

int main(void) {
    float x = 1;
    int n = scanf("%f", &x);
    if (n != 1 && x != 1)
        reach_error();
    if (n == 1 && x < 1 && x > 0.5f) {
        int c = getchar();
        if (c >= '0' && c <= '9')
            reach_error();
    }
    return 0;
}
