// Structs, unions, bit-fields, arrays of structs, copies and pointers into them.
void emit(long long);
struct inner { char c; short s; long l; };
struct outer { int x; struct inner in[2]; union { unsigned u; unsigned char bytes[4]; } un; };
struct bits { signed a : 3; unsigned b : 7; int : 0; unsigned long long c : 40; _Bool d : 1; };
static struct outer table[3] = {[1] = {.x = 4, .in[1].l = 77}};
static struct outer make(int x) { struct outer o = {x, {{1, 2, 3}, {4, 5, 6}}, {0x01020304}}; return o; }
int main(void) {
    struct outer o = make(9), copy;
    copy = o;
    o.in[1].s = -1;
    emit(copy.in[1].s); emit(o.in[1].s); emit(copy.un.bytes[0]); emit(copy.un.bytes[3]);
    copy.un.bytes[1] = 0xff; emit(copy.un.u);
    table[2] = copy; emit(table[2].in[0].l); emit(table[1].in[1].l); emit(table[0].x);
    struct inner *p = &table[2].in[1]; p->l *= 3; emit(table[2].in[1].l); emit(p - table[2].in);
    struct bits b; b.a = 5; b.b = 200; b.c = 0x123456789abcdefULL; b.d = 4;
    emit(b.a); emit(b.b); emit(b.c); emit(b.d); b.a++; emit(b.a); emit(sizeof b); emit(sizeof(struct outer));
    return 0;
}
