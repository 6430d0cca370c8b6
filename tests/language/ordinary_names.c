// The keywords of C23 are ordinary names for programs that declare them. verdict: TRUE
extern void reach_error(void);
typedef enum { false, true } bool;
struct record { int alignas, constexpr; } thread_local = {1, 2};
static int static_assert(int nullptr) { return nullptr + 1; }
int main(void) {
    bool b = true;
    int constexpr = 3, alignof = 4;
    int typeof_unqual = static_assert(constexpr) + alignof;
    if (sizeof b != sizeof(int) || b != 1 || typeof_unqual != 8 || thread_local.constexpr != 2) reach_error();
    auto int automatic = 2;
    if (automatic != 2) reach_error();
    return 0;
}
