//# holds: !strcmp(output, "Hello World!\n") && queens(8) == 92 && matches == 5
//# violated: matches == 6
// An interpreter of a small machine, the queens' problem by recursion, and a matcher of regular expressions.
#include <string.h>
extern void reach_error(void);
static char output[64];
static void interpret(const char *code)
{
    static unsigned char tape[64];
    unsigned at = 0, out = 0;
    for (const char *p = code; *p; p++) {
        switch (*p) {
        case '>': at++; break;
        case '<': at--; break;
        case '+': ++tape[at]; break;
        case '-': --tape[at]; break;
        case '.': output[out++] = (char) tape[at]; break;
        case '[': if (!tape[at]) for (int depth = 1; depth;) { ++p; depth += *p == '['; depth -= *p == ']'; } break;
        case ']': if (tape[at]) for (int depth = 1; depth;) { --p; depth -= *p == '['; depth += *p == ']'; } break;
        }
    }
}
static int place(int n, int row, unsigned columns, unsigned up, unsigned down)
{
    if (row == n) return 1;
    int found = 0;
    for (unsigned free = ~(columns | up | down) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += place(n, row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1);
    }
    return found;
}
static int queens(int n) { return place(n, 0, 0, 0, 0); }
static int match_here(const char *re, const char *text);
static int match_star(int c, const char *re, const char *text)
{
    do { if (match_here(re, text)) return 1; } while (*text != '\0' && (*text++ == c || c == '.'));
    return 0;
}
static int match_here(const char *re, const char *text)
{
    if (re[0] == '\0') return 1;
    if (re[1] == '*') return match_star(re[0], re + 2, text);
    if (re[0] == '$' && re[1] == '\0') return *text == '\0';
    if (*text != '\0' && (re[0] == '.' || re[0] == *text)) return match_here(re + 1, text + 1);
    return 0;
}
static int match(const char *re, const char *text)
{
    if (re[0] == '^') return match_here(re + 1, text);
    do { if (match_here(re, text)) return 1; } while (*text++ != '\0');
    return 0;
}
int main(void)
{
    interpret("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.");
    int matches = match("^ab*c$", "abbbbc") + match("b.d", "abcd") + !match("^b", "abc") + match("x*y", "aay") + !match("a.*z$", "abczd");
    if (!(CLAIM)) reach_error();
    return 0;
}
