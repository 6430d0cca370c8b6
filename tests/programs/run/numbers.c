// Conversions at the borders, shifts of negative numbers, wrapping, division of negative numbers, floating point, 128 bits.
void emit(long long);
int main(void) {
    signed char c = 127; c++; emit(c); unsigned char u = 0; u--; emit(u); short s = 70000; emit(s);
    int i = -7; emit(i / 2); emit(i % 2); emit(i >> 1); emit((unsigned)i >> 28); emit(i / -2); emit(i % -2);
    unsigned x = 4000000000u; emit(x + x); emit((int)x); emit(x > -1); emit(-1 < 0u); emit((long)x); emit((short)x);
    long l = -1; emit((unsigned)l == 0xffffffffu); unsigned long long big = -1; emit(big % 10); emit(big / 3);
    _Bool b = 256; emit(b); b = 0.5; emit(b); emit(!!x); emit(~0u >> 31); emit(-x);
    double d = 10.0 / 4; emit(d * 2); emit((int)-2.9); emit((float)16777217 == 16777216); emit(0.1 + 0.2 == 0.3); emit((long long)1e15);
    float f = 0.1f; emit(f == 0.1); emit((int)(f * 100)); emit((unsigned char)200.7);
    __int128 w = (__int128)1 << 100; emit(w >> 90); emit((unsigned __int128)-1 > 5); emit((long long)(w / 3 >> 64));
    int k = 5; k += k++ * 0 + 2; k <<= 2; k ^= 3; emit(k); emit('A' + '\xff'); emit(sizeof(k + 1L));
    enum e { P = -3, Q, R = 1 << 20 } e = Q; emit(e); emit(R);
    return 0;
}
