// Pointers to everything: arithmetic, two levels, casts between byte and word, strings, comparison.
void emit(long long);
static char text[] = "hello";
static const char *words[] = {"one", "three", "seven"};
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static unsigned long length(const char *s) { const char *e = s; while (*e) e++; return e - s; }
int main(void) {
    int a[5] = {1, 2, 3}, *p = a, **pp = &p;
    swap(&a[0], a + 4); emit(a[0]); emit(a[4]);
    *pp += 2; emit(*p); emit(p - a); emit(p > a); emit(*--p); emit(p[-1]);
    emit(length(text)); text[1] = 0; emit(length(text)); emit(length(words[1])); emit(words[2][4]);
    unsigned value = 0x80fe01ff; unsigned char *bytes = (unsigned char *)&value;
    for (int i = 0; i < 4; i++) emit(bytes[i]);
    emit(*(short *)(bytes + 2)); *(char *)bytes = 0x11; emit(value);
    int grid[3][4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = i * 10 + j;
    emit(grid[2][3]); emit((*(grid + 1))[2]); int (*row)[4] = grid + 1; emit(row[1][0]); emit(sizeof grid / sizeof *grid);
    long address = (long)&a[3] - (long)&a[1]; emit(address);
    return 0;
}
