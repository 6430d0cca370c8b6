// Objects of 48 bytes, and places and functions through which pointers to them go. The table of members is in tests/slow/aliasing.rs.
struct A { int x[2]; short s, t; int k; long l; char c[8]; struct { int p; short q, r; } e[2]; };
struct B { struct in { int u; short v, w; } i, j[2]; long m; struct in n; int z[2]; };
struct D {
  union { long whole; int half[2]; struct { short o, p, q, r; } quarter; } u[2];
  char raw[16]; int *ptr; int f; int g;
};
typedef int I[12];
typedef long L[6];
typedef char C[48];
struct keep {
  int n; void *any; struct A *a; long num; char *bytes[2]; char raw[8]; unsigned int halves[2];
  union { void *p; unsigned long n; struct B *b; unsigned short q[4]; } u;
  struct D **dd;
} keep, other;
void *anys[3];
long longs[3];
struct A *as[2];
void *id(void *p) { return p; }
void put(void **to, void *p) { *to = p; }
void put_b(struct B **to, struct B *p) { *to = p; }
struct pair { int n; void *p; };
struct pair pack(void *p) { struct pair r; r.n = 1; r.p = p; return r; }
void *deep(int n, void *p) { if (n <= 0) return p; return deep(n - 1, p); }
struct A *as_a(struct B *b) { return (struct A *)b; }
void set_int(int *p, int v) { *p = v; }
