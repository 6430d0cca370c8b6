// Words and forms of C23. verdict: TRUE
extern void reach_error(void);
static void check(bool holds) { if (!holds) reach_error(); }
constexpr int length = 3;
static_assert(sizeof(int) == 4);
[[nodiscard]] static int unused(int) { return 1; }
int numbers[length] = {};
enum color : unsigned char { red, green };
int main(void) {
    [[maybe_unused]] auto big = 1'000'000L;
    auto half = (unsigned char)200;
    int *p = nullptr;
    int n = {};
    typeof_unqual(const int) m = 5;
    m = 0b101;
    alignas(16) char aligned = 1;
    check(p == nullptr && n == 0 && m == 5 && big == 1000000 && sizeof big == sizeof(long));
    check(sizeof half == 1 && half == 200 && true && !false && unused(0) == 1 && alignof(int) == 4 && aligned);
    switch (m) {
    case length: reach_error();
    case 5: [[fallthrough]];
    default: break;
    }
    goto end;
end:
    int last = sizeof numbers / sizeof *numbers;
    check(last == 3 && sizeof(enum color) == 1);
    return 0;
}
