// A record that nothing has written has any members, and each of them keeps its value.
//# call reach_error: FALSE
extern void reach_error(void);
struct pair { int first; short second; };
int main(void) {
    struct pair pair;
    struct pair copy = pair;
    if (pair.first == 123456 && copy.second == -7 && copy.first == pair.first)
        reach_error();
    return 0;
}
