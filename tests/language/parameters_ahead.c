// Parameters that are declared ahead, for lengths to refer to. verdict: TRUE
extern void reach_error(void);
int nothing(void;);
static int last(int n; int list[n], int n) { return list[n - 1] + (int)(sizeof n); }
int main(void) {
    int list[3] = {1, 2, 3};
    if (last(list, 3) != 7) reach_error();
    return 0;
}
