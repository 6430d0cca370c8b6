// The content of a union from outside is an input, also where only a copy of a copy is read.
//# call reach_error: FALSE
extern void reach_error(void);
union number { long whole; double real; unsigned char bytes[8]; };
extern union number given;
static union number pass(union number u) { return u; }
int main(void) {
    union number b;
    b = given;
    union number c = pass(b);
    c.whole += 1;
    if (c.real == 5)
        reach_error();
    return 0;
}
