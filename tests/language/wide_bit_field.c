// gcc computes with a bit-field of more than 32 bits in a type of its width. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
struct record { unsigned long long forty : 40; long long thirty_three : 33; unsigned long long all : 64; } r;
int main(void) {
    r.forty = 0xffffffffff;
    check(r.forty + 1 == 0);
    check(~r.forty == 0);
    check(r.forty * 2 == 0xfffffffffe);
    check((r.forty << 4) == 0xfffffffff0);
    check((unsigned long long)r.forty + 1 == 0x10000000000);
    check(r.forty + 1ull == 0x10000000000);
    r.thirty_three = 0xffffffff;
    check((r.thirty_three << 1) == -2 && (r.thirty_three - 1u) == 4294967294);
    r.all = ~0ull;
    check(r.all + 1 == 0);
    r.forty++;
    check(r.forty == 0);
    r.forty -= 1;
    check(r.forty == 0xffffffffff && -r.forty == 1);
    return 0;
}
