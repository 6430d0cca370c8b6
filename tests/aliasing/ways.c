// Programs in which bytes are reached in two ways, one per section. Each is well-defined for gcc with -fno-strict-aliasing on
// machines with eight bytes per pointer, and what it checks holds. They see the declarations in tests/aliasing/head.c.

// === neg_array_elem
struct s { int a, b; } arr[3];
int main(void) {
  arr[0].b = 1;
  struct s *p = &arr[1];
  *(int*)((char*)p-4) = 7;
  check(arr[0].b == 7);
  return 0;
}

// === neg_array_elem2
struct s { int a; short b; short c; } ;
int main(void) {
  struct s *arr = malloc(3 * sizeof *arr);
  if (!arr) abort();
  arr[0].b = 1;
  struct s *p = &arr[1];
  short *q = (short*)((char*)p-4);
  *q = 7;
  check(arr[0].b == 7);
  return 0;
}

// === neg_scalar_to_struct
struct s { int a, b, c; };
int main(void) {
  int a[10];
  for (int i = 0;i<10;i++)a[i] = i;
  int *p = &a[5];
  struct s *q = (struct s*)((char*)p-8);
  q->a = 99;
  check(a[3]==99);
  return 0;
}

// === neg_scalar_to_struct_short
struct s { short a, b; int c; };
int main(void) {
  int a[10];
  for (int i = 0;i<10;i++)a[i] = 0;
  int *p = &a[5];
  struct s *q = (struct s*)((char*)p-8);
  q->b = 1;
  check(a[3]==65536);
  return 0;
}

// === trunc_step
struct s { int a, b, c; } arr[30];
int main(void) {
  int i = 22;
  arr[0].c = 1;
  struct s *p = (struct s*)((char*)arr+(uchar)(i*12));
  p->a = 5;
  check(arr[0].c == 5);
  return 0;
}

// === trunc_step_uint
struct s { int a, b, c; } arr[30];
int main(void) {
  uint i = 357913942u;
  arr[0].c = 1;
  struct s *p = (struct s*)((char*)arr+(i*12u));
  p->a = 5;
  check(arr[0].c == 5);
  return 0;
}

// === trunc_step_ret
struct s { int a, b, c; } arr[30];
int *f(int i) {
  return (int*)((char*)arr+(uchar)(i*12));
}
int main(void) {
  arr[0].c = 1;
  *f(22) = 5;
  check(arr[0].c == 5);
  return 0;
}

// === halves
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  ulong v = (ulong)&o;
  uint lo = (uint)v, hi = (uint)(v>>32);
  o.b = 1;
  struct t *p = (struct t*)(((ulong)hi<<32)|lo);
  p->z = 5;
  check(o.b == 5);
  return 0;
}

// === halves_struct
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct h { uint lo, hi; } h;
int main(void) {
  ulong v = (ulong)&o;
  h.lo = (uint)v;
  h.hi = (uint)(v>>32);
  o.b = 1;
  struct t *p = (struct t*)(((ulong)h.hi<<32)|h.lo);
  p->z = 5;
  check(o.b == 5);
  return 0;
}

// === bytes_ptr
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  uchar buf[8];
  struct s *p = &o;
  memcpy(buf, &p, 8);
  o.b = 1;
  struct t *q;
  memcpy(&q, buf, 8);
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === bytes_ptr_loop
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  struct s *p = &o;
  struct t *q;
  o.b = 1;
  for (int i = 0;i<8;i++) ((uchar*)&q)[i] = ((uchar*)&p)[i];
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === bytes_ptr_obj
struct s { int a, b; } o;
struct t { short x, y; int z; };
uchar buf[8];
int main(void) {
  *(struct s**)buf = &o;
  o.b = 1;
  struct t *q = *(struct t**)buf;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === bytes_ptr_void
struct s { int a, b; } o;
struct t { short x, y; int z; };
uchar buf[8];
int main(void) {
  *(void**)buf = &o;
  o.b = 1;
  struct t *q = *(void**)buf;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === int_in_union
struct s { int a, b; } o;
struct t { short x, y; int z; };
union u { void *p; ulong n; uint h[2]; struct t *q; } u;
int main(void) {
  u.p = &o;
  o.b = 1;
  u.q->z = 5;
  check(o.b == 5);
  return 0;
}

// === int_in_union2
struct s { int a, b; } o;
struct t { short x, y; int z; };
union u { struct s *p; uint h[2]; } u;
union w { struct t *q; uint h[2]; } w;
int main(void) {
  u.p = &o;
  o.b = 1;
  w.h[0] = u.h[0];
  w.h[1] = u.h[1];
  w.q->z = 5;
  check(o.b == 5);
  return 0;
}

// === outparam
struct s { int a, b; } o;
struct t { short x, y; int z; };
void get(void**p) {
  *p = &o;
}
int main(void) {
  struct t *q;
  o.b = 1;
  get((void**)&q);
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === outparam2
struct s { int a, b; } o;
struct t { short x, y; int z; };
void get(struct s**p) {
  *p = &o;
}
int main(void) {
  void *q;
  o.b = 1;
  get((struct s**)&q);
  ((struct t*)q)->z = 5;
  check(o.b == 5);
  return 0;
}

// === outparam3
struct s { int a, b; } o;
struct t { short x, y; int z; };
void get(struct s**p) {
  *p = &o;
}
int main(void) {
  ulong q;
  o.b = 1;
  get((struct s**)&q);
  ((struct t*)q)->z = 5;
  check(o.b == 5);
  return 0;
}

// === retstruct
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct r { int k; void *p; };
struct r get(void) {
  struct r r;
  r.k = 1;
  r.p = &o;
  return r;
}
int main(void) {
  o.b = 1;
  struct t *q = get().p;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === retstruct_conv
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct r { int k; struct s *p; };
struct r2 { int k; struct t *p; };
struct r get(void) {
  struct r r;
  r.k = 1;
  r.p = &o;
  return r;
}
int main(void) {
  o.b = 1;
  struct r r = get();
  struct r2 r2;
  memcpy(&r2, &r, sizeof r);
  r2.p->z = 5;
  check(o.b == 5);
  return 0;
}

// === retstruct_conv2
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct r { int k; struct s *p; };
struct r2 { int k; struct t *p; };
struct r g;
int main(void) {
  o.b = 1;
  g.p = &o;
  struct r2 *q = (struct r2*)&g;
  q->p->z = 5;
  check(o.b == 5);
  return 0;
}

// === fptr_mismatch
struct s { int a, b; } o;
struct t { short x, y; int z; };
void f(struct t *q) {
  q->z = 5;
}
int main(void) {
  o.b = 1;
  void(*fp)(void*) = (void(*)(void*))f;
  fp(&o);
  check(o.b == 5);
  return 0;
}

// === fptr_mismatch2
struct s { int a, b; } o;
struct t { short x, y; int z; };
void f(struct t *q) {
  q->z = 5;
}
int main(void) {
  o.b = 1;
  void(*fp)(struct s*) = (void(*)(struct s*))f;
  fp(&o);
  check(o.b == 5);
  return 0;
}

// === fptr_mismatch_long
struct s { int a, b; } o;
struct t { short x, y; int z; };
void f(struct t *q) {
  q->z = 5;
}
int main(void) {
  o.b = 1;
  void(*fp)(ulong) = (void(*)(ulong))f;
  fp((ulong)&o);
  check(o.b == 5);
  return 0;
}

// === fptr_ret_mismatch
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct s* f(void) {
  return &o;
}
int main(void) {
  o.b = 1;
  struct t*(*fp)(void) = (struct t*(*)(void))f;
  fp()->z = 5;
  check(o.b == 5);
  return 0;
}

// === fptr_ret_mismatch2
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct s* f(void) {
  return &o;
}
int main(void) {
  o.b = 1;
  void*(*fp)(void) = (void*(*)(void))f;
  struct t *q = fp();
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === callback
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct ops { void (*cb)(void*); void *data; } ops;
void f(void *d) {
  struct t *q = d;
  q->z = 5;
}
void reg(void(*cb)(void*), void *d) {
  ops.cb = cb;
  ops.data = d;
}
int main(void) {
  o.b = 1;
  reg(f, &o);
  ops.cb(ops.data);
  check(o.b == 5);
  return 0;
}

// === list_void_next
struct n { int v; void *next; };
struct m { short x, y; void *nx; };
int main(void) {
  struct n a, b;
  a.next = &b;
  b.v = 0;
  b.next = 0;
  struct m *q = a.next;
  q->y = 1;
  check(b.v == 65536);
  return 0;
}

// === flex
struct f { int n; int d[]; };
int main(void) {
  struct f *p = malloc(sizeof *p+12);
  if (!p)abort();
  p->d[1] = 1;
  int *q = (int*)p;
  q[2] = 7;
  check(p->d[1]==7);
  return 0;
}

// === flex_short
struct f { int n; int d[]; };
int main(void) {
  struct f *p = malloc(sizeof *p+12);
  if (!p)abort();
  p->d[1] = 0;
  short *q = (short*)p;
  q[5] = 1;
  check(p->d[1]==65536);
  return 0;
}

// === nested_anon
struct o { int k; union { struct { int a, b; }; long l; }; } g;
int main(void) {
  g.b = 1;
  g.l = 0;
  check(g.b == 0);
  return 0;
}

// === nested_anon_ptr
struct o { int k; union { struct { int a, b; }; struct {short x, y; int z;}; }; } g;
int main(void) {
  int *p = &g.b;
  *p = 1;
  g.z = 5;
  check(*p == 5);
  return 0;
}

// === bitfields_word
struct b { uint a:4, b:12, c:16; } g;
int main(void) {
  uint *p = (uint*)&g;
  g.b = 0;
  *p = 0xfff0;
  check(g.b == 0xfff);
  return 0;
}

// === bitfields_short
struct b { uint a:4, b:12, c:16; } g;
int main(void) {
  short *p = (short*)&g;
  g.c = 0;
  p[1] = 3;
  check(g.c == 3);
  return 0;
}

// === flat_struct_array
struct s { int a, b; } arr[4];
int main(void) {
  int *p = (int*)arr;
  arr[2].b = 1;
  p[5] = 9;
  check(arr[2].b == 9);
  return 0;
}

// === flat_2d
int m[3][4];
int main(void) {
  int *p = (int*)m;
  m[1][2] = 1;
  p[6] = 9;
  check(m[1][2]==9);
  return 0;
}

// === flat_2d_b
int m[3][4];
int main(void) {
  int(*r)[4] = m;
  m[1][2] = 1;
  int i = __VERIFIER_nondet_int();
  if (i!=0)return 0;
  r[i+1][2] = 9;
  check(m[1][2]==9);
  return 0;
}

// === flat_struct_array_in
struct s { int a, b; };
struct w { short k; struct s v[3]; int e; } w;
int main(void) {
  int *p = (int*)w.v;
  w.v[2].b = 1;
  p[5] = 9;
  check(w.v[2].b == 9);
  return 0;
}

// === xor
struct s { int a, b; } o1, o2;
struct t { short x, y; int z; };
int main(void) {
  ulong k = (ulong)&o1^(ulong)&o2;
  o2.b = 1;
  struct t *q = (struct t*)(k^(ulong)&o1);
  q->z = 5;
  check(o2.b == 5);
  return 0;
}

// === xor_typed
struct s { int a, b; } o1, o2;
struct t { short x, y; int z; } t1;
int main(void) {
  ulong k = (ulong)&o1^(ulong)&t1;
  o1.b = 1;
  struct t *q = (struct t*)(k^(ulong)&t1);
  q->z = 5;
  check(o1.b == 5);
  return 0;
}

// === xor_key
struct s { int a, b; } o1;
struct t { short x, y; int z; };
int main(void) {
  ulong k = (ulong)&o1^0x55;
  o1.b = 1;
  k^=0x55;
  struct t *q = (struct t*)k;
  q->z = 5;
  check(o1.b == 5);
  return 0;
}

// === cis
struct a { int t; int v; };
struct b { int t; int w; char c; };
int f(struct a *p, struct b *q) {
  p->v = 1;
  q->w = 2;
  return p->v;
}
int main(void) {
  struct b b;
  check(f((struct a*)&b, &b) == 2);
  return 0;
}

// === offsetof_int
struct s { int a, b; } o;
int main(void) {
  ulong off = (ulong)&((struct s*)0)->b;
  o.b = 1;
  *(int*)((char*)&o+off) = 5;
  check(o.b == 5);
  return 0;
}

// === offsetof_var
struct s { int a; short b, c; } o;
int off = 6;
int main(void) {
  o.c = 1;
  *(short*)((char*)&o+off) = 5;
  check(o.c == 5);
  return 0;
}

// === offsetof_tab
struct s { int a; short b, c; } o;
ulong offs[3] = {0, __builtin_offsetof(struct s, b), __builtin_offsetof(struct s, c)};
void put(void *p, int i, short v) {
  *(short*)((char*)p+offs[i]) = v;
}
int main(void) {
  o.c = 1;
  put(&o, 2, 5);
  check(o.c == 5);
  return 0;
}

// === ginit
struct s { int a, b[4]; } o;
struct e { int k; int *p; } tab[2] = {{1, &o.b[1]}, {2, &o.b[3]}};
int main(void) {
  o.b[3] = 1;
  *tab[1].p = 5;
  check(o.b[3]==5);
  return 0;
}

// === ginit_void
struct s { int a, b[4]; } o;
struct e { int k; void *p; } tab[2] = {{1, &o.b[1]}, {2, &o.b[3]}};
int main(void) {
  o.b[3] = 0;
  ((short*)tab[1].p)[1] = 1;
  check(o.b[3]==65536);
  return 0;
}

// === ginit_ulong
struct s { int a, b; } o;
struct t { short x, y; int z; };
ulong tab[2] = {0, (ulong)&o};
int main(void) {
  o.b = 1;
  ((struct t*)tab[1])->z = 5;
  check(o.b == 5);
  return 0;
}

// === static_local
struct s { int a, b; };
struct t { short x, y; int z; };
void*get(void) {
  static struct s o;
  o.b = 1;
  return &o;
}
int main(void) {
  struct s *p = get();
  struct t *q = get();
  q->z = 5;
  check(p->b == 5);
  return 0;
}

// === compound
struct s { int a, b; };
struct t { short x, y; int z; };
int main(void) {
  struct s *p = &(struct s){1, 2};
  struct t *q = (void*)p;
  q->z = 5;
  check(p->b == 5);
  return 0;
}

// === alloca
struct s { int a, b; };
struct t { short x, y; int z; };
int main(void) {
  void *m = __builtin_alloca(8);
  struct s *p = m;
  struct t *q = m;
  p->b = 1;
  q->z = 5;
  check(p->b == 5);
  return 0;
}

// === param_escape
struct s { int a, b; };
struct t { short x, y; int z; };
void *keep;
void set(void) {
  ((struct t*)keep)->z = 5;
}
int f(struct s s) {
  keep = &s;
  s.b = 1;
  set();
  return s.b;
}
int main(void) {
  struct s s;
  s.a = 0;
  s.b = 0;
  check(f(s) == 5);
  return 0;
}

// === recursion
struct s { int a, b; } o;
struct t { short x, y; int z; };
void*f(int n, void *p) {
  if (n == 0) return p;
  return f(n-1, p);
}
int main(void) {
  o.b = 1;
  struct t *q = f(3, &o);
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === container_of
struct in { int v; };
struct out { int a; struct in i; short x, y; } o;
int main(void) {
  struct in *p = &o.i;
  struct out *q = (struct out*)((char*)p-4);
  o.y = 1;
  q->y = 5;
  check(o.y == 5);
  return 0;
}

// === container_of_member_direct
struct in { int v; };
struct out { int a; struct in i; short x, y; } o;
int main(void) {
  struct in *p = &o.i;
  o.y = 1;
  *(short*)((char*)p+6) = 5;
  check(o.y == 5);
  return 0;
}

// === container_of_member_direct2
struct in { int v; };
struct out { int a; struct in i; short x, y; } o;
int main(void) {
  o.y = 1;
  *(short*)((char*)&o.i+6) = 5;
  check(o.y == 5);
  return 0;
}

// === container_of_neg_direct
struct in { int v; };
struct out { short x, y; struct in i; } o;
int main(void) {
  struct in *p = &o.i;
  o.y = 1;
  *(short*)((char*)p-2) = 5;
  check(o.y == 5);
  return 0;
}

// === container_of_scalar
struct out { short x, y; int i; } o;
int main(void) {
  int *p = &o.i;
  o.y = 1;
  *(short*)((char*)p-2) = 5;
  check(o.y == 5);
  return 0;
}

// === container_of_scalar2
struct out { short x, y; int i; } o;
int main(void) {
  o.y = 1;
  *(short*)((char*)&o.i-2) = 5;
  check(o.y == 5);
  return 0;
}

// === container_void
struct in { int v; };
struct out { int a; struct in i; short x, y; } o;
struct out*up(void *p) {
  return (struct out*)((char*)p-4);
}
int main(void) {
  o.y = 1;
  up(&o.i)->y = 5;
  check(o.y == 5);
  return 0;
}

// === container_other
struct in { int v; };
struct out { int a; struct in i; short x, y; } o;
struct out2 { int a; struct in i; int xy; };
int main(void) {
  struct in *p = &o.i;
  struct out2 *q = (struct out2*)((char*)p-4);
  o.y = 0;
  q->xy = 65536;
  check(o.y == 1);
  return 0;
}

// === ptrdiff_member
struct s { int a, b; short c, d; } o;
int main(void) {
  long d = (char*)&o.d-(char*)&o.a;
  o.d = 1;
  *(short*)((char*)&o.a+d) = 5;
  check(o.d == 5);
  return 0;
}

// === ptrdiff_member2
struct s { int a, b; short c, d; } o;
struct s o2;
int main(void) {
  long d = (char*)&o2.d-(char*)&o2;
  o.d = 1;
  *(short*)((char*)&o+d) = 5;
  check(o.d == 5);
  return 0;
}

// === cond_choose
struct s { int a, b; } o;
struct t { short x, y; int z; } t;
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i!=0) return 0;
  o.b = 1;
  struct t *q = i?&t:(struct t*)&o;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === cond_choose_void
struct s { int a, b; } o;
struct t { short x, y; int z; } t;
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i!=0) return 0;
  o.b = 1;
  struct t *q = i?(void*)&t:(void*)&o;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === intarray_as_struct
int a[6];
struct s { short x, y; int z; };
int main(void) {
  struct s *p = (struct s*)&a[2];
  a[3] = 1;
  p->z = 5;
  check(a[3]==5);
  return 0;
}

// === long_as_struct
long a[6];
struct s { short x, y; int z; };
int main(void) {
  struct s *p = (struct s*)&a[2];
  a[2] = 0;
  p->y = 1;
  check(a[2]==65536);
  return 0;
}

// === char_as_struct
char a[16];
struct s { short x, y; int z; };
int main(void) {
  struct s *p = (struct s*)&a[4];
  p->z = 0;
  a[9] = 1;
  check(p->z == 256);
  return 0;
}

// === struct_member_array_overlay
struct big { int hdr; char data[16]; } g;
struct s { int z; short x, y; };
int main(void) {
  struct s *p = (struct s*)g.data;
  p->y = 0;
  g.data[7] = 1;
  check(p->y == 256);
  return 0;
}

// === struct_member_array_overlay2
struct big { int hdr; ulong data[4]; } g;
struct s { int z; short x, y; };
int main(void) {
  struct s *p = (struct s*)&g.data[2];
  p->y = 0;
  g.data[2] = 1ul<<48;
  check(p->y == 1);
  return 0;
}

// === struct_in_struct_arr
struct p { int x, y; };
struct q { struct p v[3]; } g;
struct r { int a[6]; };
int main(void) {
  struct r *r = (struct r*)&g;
  g.v[1].y = 1;
  r->a[3] = 5;
  check(g.v[1].y == 5);
  return 0;
}

// === priv_priv
struct p { void *v; long n; };
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  struct p p;
  p.n = (long)&o;
  p.v = (void*)p.n;
  o.b = 1;
  struct t *q = p.v;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === priv_arr
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  void *p[3];
  p[1] = &o;
  o.b = 1;
  struct t *q = p[1];
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === memmove_typed
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  struct s *ps[2];
  struct t *pt[2];
  ps[1] = &o;
  memmove(pt, ps, 16);
  o.b = 1;
  pt[1]->z = 5;
  check(o.b == 5);
  return 0;
}

// === memcpy_heap
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  struct s *p = &o;
  void *m = malloc(8);
  if (!m)abort();
  memcpy(m, &p, 8);
  struct t *q;
  memcpy(&q, m, 8);
  o.b = 1;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === memcpy_part
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct w { int k; struct s *p; } w;
struct v { struct t *q; } v;
int main(void) {
  w.p = &o;
  memcpy(&v, (char*)&w+8, 8);
  o.b = 1;
  v.q->z = 5;
  check(o.b == 5);
  return 0;
}

// === memcpy_part2
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct w { int k; struct s *p; } w;
struct v { struct t *q; } v;
int main(void) {
  w.p = &o;
  memcpy(&v.q, &w.p, 8);
  o.b = 1;
  v.q->z = 5;
  check(o.b == 5);
  return 0;
}

// === memcpy_arr_struct
struct s { int a; int b; };
struct t { int k; short x, y; };
int main(void) {
  struct s src[2];
  struct t dst[2];
  dst[1].y = 0;
  src[0].a = 0;
  src[0].b = 0;
  src[1].a = 0;
  src[1].b = 65536;
  memcpy(dst, src, 16);
  check(dst[1].y == 1);
  return 0;
}

// === memcpy_off
struct s { int a; int b; };
struct t { short x, y; } d;
int main(void) {
  struct s src;
  src.a = 0;
  src.b = 65536;
  d.y = 0;
  memcpy(&d, &src.b, 4);
  check(d.y == 1);
  return 0;
}

// === memcpy_var_off
struct s { int a; int b; };
struct t { short x, y; } d;
int main(void) {
  struct s src;
  int i = 4;
  src.a = 0;
  src.b = 65536;
  d.y = 0;
  memcpy(&d, (char*)&src+i, 4);
  check(d.y == 1);
  return 0;
}

// === struct_assign_cast
struct s { int a; int b; } s;
struct t { int k; short x, y; } t;
int main(void) {
  t.y = 0;
  s.b = 65536;
  *(struct s*)&t = s;
  check(t.y == 1);
  return 0;
}

// === struct_assign_bytes
struct s { char c[8]; } s;
struct t { int k; short x, y; } t;
int main(void) {
  t.y = 0;
  s.c[6] = 1;
  *(struct s*)&t = s;
  check(t.y == 1);
  return 0;
}

// === struct_assign_bytes_ptr
struct s { char c[8]; } s, s2;
struct S { int a, b; } o;
struct T { short x, y; int z; };
struct S *p;
struct T *q;
int main(void) {
  o.b = 1;
  p = &o;
  s = *(struct s*)&p;
  s2 = s;
  *(struct s*)&q = s2;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === struct_assign_uint_ptr
struct s { uint c[2]; } s, s2;
struct S { int a, b; } o;
struct T { short x, y; int z; };
struct S *p;
struct T *q;
int main(void) {
  o.b = 1;
  p = &o;
  s = *(struct s*)&p;
  s2 = s;
  *(struct s*)&q = s2;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === double_ptr
struct S { int a, b; } o;
struct T { short x, y; int z; };
double d;
float f[2];
int main(void) {
  o.b = 1;
  *(struct S**)&d = &o;
  struct T *q = *(struct T**)&d;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === double_bits
double d;
int main(void) {
  ulong *p = (ulong*)&d;
  *p = 5;
  uint *q = (uint*)&d;
  check(q[0]==5);
  return 0;
}

// === bool_view
_Bool b;
struct s { _Bool x; char y; } s;
int main(void) {
  char *p = (char*)&s;
  s.x = 0;
  *p = 1;
  check(s.x);
  return 0;
}

// === enum_view
enum e { A, B, C } e;
int main(void) {
  int *p = (int*)&e;
  e = A;
  *p = 2;
  check(e == C);
  return 0;
}

// === enum_short
enum e { A, B, C = 65536 } e;
int main(void) {
  short *p = (short*)&e;
  e = A;
  p[1] = 1;
  check(e == C);
  return 0;
}

// === ptr_as_array_of_short
struct S { int a, b; } o, o2;
struct S *p;
int main(void) {
  ulong v = (ulong)&o2;
  p = &o;
  for (int i = 0;i<4;i++) ((unsigned short*)&p)[i] = v>>(16 *i);
  o2.b = 1;
  p->b = 5;
  check(o2.b == 5);
  return 0;
}

// === shift_tag
struct S { int a, b; } o;
struct T { short x, y; int z; };
int main(void) {
  ulong v = (ulong)&o;
  v|=1;
  o.b = 1;
  struct T *q = (struct T*)(v&~1ul);
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === tag_in_low
struct S { int a, b; } o;
struct T { short x, y; int z; };
int main(void) {
  ulong v = (ulong)&o<<8|3;
  o.b = 1;
  struct T *q = (struct T*)(v>>8);
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === align
struct T { int x, y; };
char buf[64];
int main(void) {
  struct T *q = (struct T*)(((ulong)buf+15)&~15ul);
  ulong off = (char*)q-buf;
  q->y = 0;
  buf[off+5] = 1;
  check(q->y == 256);
  return 0;
}

// === align2
struct T { int x, y; };
struct raw { int k; char b[60]; } raw;
int main(void) {
  struct T *q = (struct T*)(((ulong)raw.b+15)&~15ul);
  ulong off = (char*)q-(char*)&raw;
  q->y = 0;
  ((char*)&raw)[off+5] = 1;
  check(q->y == 256);
  return 0;
}

// === neg_index
struct s { int a, b; } arr[4];
int main(void) {
  struct s *p = &arr[3];
  arr[1].b = 1;
  int *q = (int*)p;
  q[-3] = 7;
  check(arr[1].b == 7);
  return 0;
}

// === neg_index_mixed
struct s { int a; short b, c; } arr[4];
int main(void) {
  struct s *p = &arr[3];
  arr[1].c = 1;
  int *q = (int*)p;
  q[-3] = 65536*7;
  check(arr[1].c == 7);
  return 0;
}

// === neg_index_void
struct s { int a; short b, c; } arr[4];
void *v;
int main(void) {
  v = &arr[3];
  arr[1].c = 1;
  short *q = v;
  q[-5] = 7;
  check(arr[1].c == 7);
  return 0;
}

// === end_ptr
struct s { int a; short b, c; } arr[4];
int main(void) {
  struct s *e = arr+4;
  arr[3].c = 1;
  ((short*)e)[-1] = 7;
  check(arr[3].c == 7);
  return 0;
}

// === end_ptr2
struct s { int a; short b, c; } arr[4];
int main(void) {
  arr[3].c = 1;
  *((short*)(&arr+1)-1) = 7;
  check(arr[3].c == 7);
  return 0;
}

// === end_ptr_of_one
struct s { int a; short b, c; } o;
int main(void) {
  o.c = 1;
  *((short*)(&o+1)-1) = 7;
  check(o.c == 7);
  return 0;
}

// === header_before
struct h { int size; int magic; };
struct s { short x, y; int z; };
void*alloc(void) {
  struct h *h = malloc(16);
  if (!h) return 0;
  h->size = 8;
  return h+1;
}
int main(void) {
  void *p = alloc();
  if (!p)abort();
  struct s *s = p;
  s->z = 1;
  struct h *h = (struct h*)p-1;
  check(h->size == 8);
  return 0;
}

// === header_before2
struct h { int size; int magic; };
struct s { short x, y; int z; };
void*alloc(void) {
  char *h = malloc(16);
  if (!h) return 0;
  ((struct h*)h)->size = 8;
  return h+8;
}
int main(void) {
  void *p = alloc();
  if (!p)abort();
  struct s *s = p;
  s->z = 1;
  *((int*)p-2) = 77;
  struct h *h = (struct h*)((char*)p-8);
  check(h->size == 77);
  return 0;
}

// === pool
char pool[64];
int used;
void*alloc(int n) {
  void *p = pool+used;
  used+=n;
  return p;
}
struct s { int a, b; };
struct t { short x, y; int z; };
int main(void) {
  struct s *p = alloc(8);
  used = 0;
  struct t *q = alloc(8);
  p->b = 1;
  q->z = 5;
  check(p->b == 5);
  return 0;
}

// === pool_long
long pool[8];
int used;
void*alloc(int n) {
  void *p = pool+used;
  used+=n;
  return p;
}
struct s { int a, b; };
struct t { short x, y; int z; };
int main(void) {
  struct s *p = alloc(1);
  used = 0;
  struct t *q = alloc(1);
  p->b = 1;
  q->z = 5;
  check(p->b == 5);
  return 0;
}

// === free_reuse_list
struct s { int a, b; };
struct t { struct t *next; } *freelist;
void put(void *p) {
  struct t *t = p;
  t->next = freelist;
  freelist = t;
}
void*get(void) {
  struct t *t = freelist;
  if (t) freelist = t->next;
  return t;
}
int main(void) {
  struct s *p = malloc(8);
  if (!p)abort();
  p->b = 4;
  put(p);
  struct s *q = get();
  q->b = 5;
  check(p->b == 5);
  return 0;
}

// === goto_label_arr
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct k { char pad[3]; void *p; } __attribute__((packed)) k;
int main(void) {
  k.p = &o;
  o.b = 1;
  struct t *q = *(void**)((char*)&k+3);
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === packed_overlap
struct k { char c; int v; } __attribute__((packed)) k;
int main(void) {
  k.v = 0;
  ((char*)&k)[2] = 1;
  check(k.v == 256);
  return 0;
}

// === union_ptr_arr
union u { int i; short s[2]; char c[4]; } u[3];
int main(void) {
  union u *p = u;
  int *q = &p[1].i;
  *q = 0;
  p[1].s[1] = 1;
  check(*q == 65536);
  return 0;
}

// === union_member_ptrs
union u { int i; struct { short l, h; } s; } u;
int main(void) {
  int *q = &u.i;
  short *h = &u.s.h;
  *q = 0;
  *h = 1;
  check(*q == 65536);
  return 0;
}

// === union_in_heap
union u { int i; struct { short l, h; } s; };
int main(void) {
  union u *u = malloc(4);
  if (!u)abort();
  int *q = &u->i;
  short *h = &u->s.h;
  *q = 0;
  *h = 1;
  check(*q == 65536);
  return 0;
}

// === transparent_cast_chain
struct a { int x; };
struct b { struct a a; int y; };
struct c { struct b b; int z; } c;
int main(void) {
  struct a *p = &c.b.a;
  c.z = 1;
  ((struct c*)p)->z = 5;
  check(c.z == 5);
  return 0;
}

// === base_class
struct a { int x; };
struct b { struct a a; int y; };
void f(struct a *p) {
  ((struct b*)p)->y = 5;
}
int main(void) {
  struct b b;
  b.y = 1;
  f(&b.a);
  check(b.y == 5);
  return 0;
}

// === base_class_other
struct a { int x; };
struct b { struct a a; int y; };
struct c { struct a a; short l, h; };
void f(struct a *p) {
  ((struct c*)p)->h = 1;
}
int main(void) {
  struct b b;
  b.y = 0;
  f(&b.a);
  check(b.y == 65536);
  return 0;
}

// === first_member_int
struct b { int x; int y; };
struct c { int x; short l, h; };
void f(int *p) {
  ((struct c*)p)->h = 1;
}
int main(void) {
  struct b b;
  b.y = 0;
  f(&b.x);
  check(b.y == 65536);
  return 0;
}

// === arr_first
struct b { int x[2]; int y; };
struct c { int x[2]; short l, h; };
void f(int *p) {
  ((struct c*)p)->h = 1;
}
int main(void) {
  struct b b;
  b.y = 0;
  f(b.x);
  check(b.y == 65536);
  return 0;
}

// === third_elem
struct b { int x[4]; int y; };
void f(int *p) {
  ((struct b*)(p-2))->y = 9;
}
int main(void) {
  struct b b;
  b.y = 0;
  f(&b.x[2]);
  check(b.y == 9);
  return 0;
}

// === third_elem_other
struct b { int x[4]; int y; };
struct c { int x[2]; short l, h; };
void f(int *p) {
  ((struct c*)p)->h = 1;
}
int main(void) {
  struct b b;
  b.y = 0;
  f(&b.x[2]);
  check(b.y == 65536);
  return 0;
}

// === opaque
struct s { int a, b; } o;
struct t { short x, y; int z; };
struct op;
int main(void) {
  struct op *p = (struct op*)&o;
  o.b = 1;
  struct t *q = (struct t*)p;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === fptr_holds
struct s { int a, b; } o;
struct t { short x, y; int z; };
int main(void) {
  void(*p)(void) = (void(*)(void))&o;
  o.b = 1;
  struct t *q = (struct t*)p;
  q->z = 5;
  check(o.b == 5);
  return 0;
}

// === memcpy_two_members
struct s { int a; short b, c; } o, o2;
int main(void) {
  o.c = 1;
  o2.a = 0;
  o2.b = 0;
  o2.c = 5;
  memcpy(&o.a, &o2.a, 8);
  check(o.c == 5);
  return 0;
}

// === memcpy_two_members_other
struct s { int a; short b, c; } o;
struct t {int a, b; } o2;
int main(void) {
  o.c = 1;
  o2.a = 0;
  o2.b = 65536*5;
  memcpy(&o.a, &o2.a, 8);
  check(o.c == 5);
  return 0;
}

// === memcpy_two_members_void
struct s { int a; short b, c; } o;
struct t {int a, b; } o2;
void cp(void *d, void *s) {
  memcpy(d, s, 8);
}
int main(void) {
  o.c = 1;
  o2.a = 0;
  o2.b = 65536*5;
  cp(&o.a, &o2.a);
  check(o.c == 5);
  return 0;
}

// === memset_two
struct s { int a; short b, c; } o;
int main(void) {
  o.c = 1;
  memset(&o.a, 0, 8);
  check(o.c == 0);
  return 0;
}

// === wrap_big_view
struct s { int a, b; } arr[2];
struct t { int x; int y; int z; short l, h; };
int main(void) {
  struct t *p = (struct t*)arr;
  arr[1].b = 0;
  p->h = 1;
  check(arr[1].b == 65536);
  return 0;
}

// === wrap_big_view2
struct s { int a, b; } arr[3];
struct t { int x; int y; int z; short l, h; };
int main(void) {
  struct t *p = (struct t*)&arr[1];
  arr[2].b = 0;
  p->h = 1;
  check(arr[2].b == 65536);
  return 0;
}

// === walk_other
struct s { int a, b; } arr[4];
struct t { short x, y; int z, w; };
int main(void) {
  struct t *p = (struct t*)arr;
  arr[1].b = 0;
  p[1].y = 1;
  check(arr[1].b == 65536);
  return 0;
}

// === xor_mixed
struct s { int a, b; } o1;
struct t { short x, y; int z; } t1;
int main(void) {
  ulong k = (ulong)&o1;
  k = k^(ulong)&t1;
  o1.b = 1;
  struct t *q = (struct t*)(k^(ulong)&t1);
  q->z = 5;
  check(o1.b == 5);
  return 0;
}

// === rel_ptr
struct s { int a, b; } o1;
struct t { short x, y; int z; } t1;
int main(void) {
  ulong d = (ulong)&o1-(ulong)&t1;
  o1.b = 1;
  struct t *q = (struct t*)((ulong)&t1+d);
  q->z = 5;
  check(o1.b == 5);
  return 0;
}

// === unaligned
int a[3];
int main(void) {
  int *p = (int*)((char*)a+2);
  a[0] = 0;
  a[1] = 0;
  *p = 1;
  check(a[0]==65536);
  return 0;
}

// === unaligned_var
int a[3];
int main(void) {
  int i = 2;
  int *p = (int*)((char*)a+i);
  a[0] = 0;
  a[1] = 0;
  *p = 1;
  check(a[0]==65536);
  return 0;
}

// === list_generic
struct l { struct l *n; };
struct A { int v; struct l l; } A;
struct B { struct l l; int v; } B;
struct l head;
int main(void) {
  A.v = 1;
  B.v = 0;
  head.n = &A.l;
  A.l.n = &B.l;
  B.l.n = 0;
  struct l *p = head.n->n;
  struct B *b = (struct B*)((char*)p-0);
  b->v = 7;
  check(B.v == 7);
  return 0;
}

// === list_wrong_type
struct l { struct l *n; };
struct A { int v; struct l l; short s, t; } A;
struct B { int w; struct l l; int v; };
struct l head;
int main(void) {
  A.v = 1;
  A.t = 0;
  head.n = &A.l;
  struct l *p = head.n;
  struct B *b = (struct B*)((char*)p-8);
  b->v = 65536;
  check(A.t == 1);
  return 0;
}

// === heap_first
struct in { int v; };
struct out { struct in i; short x, y; };
struct out2 { struct in i; int xy; };
struct in* mk(void) {
  struct out *o = malloc(sizeof *o);
  if (!o) abort();
  o->y = 0;
  return &o->i;
}
int main(void) {
  struct in *p = mk();
  ((struct out2*)p)->xy = 65536;
  check(((struct out*)p)->y == 1);
  return 0;
}

// === heap_sub
struct in { int v; };
struct out { int a; struct in i; short x, y; };
struct out2 { int a; struct in i; int xy; };
struct in* mk(void) {
  struct out *o = calloc(1, sizeof *o);
  if (!o) abort();
  return &o->i;
}
int main(void) {
  struct in *p = mk();
  ((struct out2*)((char*)p-4))->xy = 65536;
  check(((struct out*)((char*)p-4))->y == 1);
  return 0;
}

// === heap_typed_small
struct in { int v; };
struct out { struct in i; short x, y; };
struct out2 { struct in i; int xy; };
int main(void) {
  struct in *p = malloc(sizeof(struct out));
  if (!p) abort();
  struct out *q = (struct out*)p;
  q->y = 0;
  ((struct out2*)p)->xy = 65536;
  check(q->y == 1);
  return 0;
}

// === param_struct_val
struct in { int v; };
struct out { int a; struct in i; short x, y; };
struct out2 { int a; struct in i; int xy; };
int f(struct out o) {
  struct in *p = &o.i;
  o.y = 0;
  ((struct out2*)((char*)p-4))->xy = 65536;
  return o.y;
}
int main(void) {
  struct out o;
  memset(&o, 0, sizeof o);
  check(f(o) == 1);
  return 0;
}

// === ptr_in_char_struct
struct S { int a, b; } o;
struct T { short x, y; int z; };
struct raw { char pad[8]; char slot[8]; } r;
struct view { long pad; struct T *q; };
int main(void) {
  struct S *p = &o;
  o.b = 1;
  memcpy(r.slot, &p, 8);
  ((struct view*)&r)->q->z = 5;
  check(o.b == 5);
  return 0;
}

// === int_index_view
struct s { int a[4]; short l, h; } s;
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i!=0) return 0;
  s.h = 0;
  *(int*)((char*)&s+16+i) = 65536;
  check(s.h == 1);
  return 0;
}

// === arr_of_ptr_swap
struct S { int a, b; } o;
struct T { short x, y; int z; } t;
void *tab[2];
void sort(void**v) {
  void *x = v[0];
  v[0] = v[1];
  v[1] = x;
}
int main(void) {
  tab[0] = &o;
  tab[1] = &t;
  o.b = 1;
  sort(tab);
  ((struct T*)tab[1])->z = 5;
  check(o.b == 5);
  return 0;
}

// === hash_key
struct S { int a, b; } o;
struct T { short x, y; int z; };
ulong keys[4];
int main(void) {
  o.b = 1;
  keys[2] = (ulong)&o;
  for (int i = 0;i<4;i++) if (keys[i]) ((struct T*)keys[i])->z = 5;
  check(o.b == 5);
  return 0;
}

// === neg_tracked
struct h { int len; char data[12]; } h;
int main(void) {
  char *p = h.data;
  h.len = 1;
  *(int*)(p-4) = 5;
  check(h.len == 5);
  return 0;
}

// === neg_tracked_fn
struct h { int len; char data[12]; } h;
int len(char *s) {
  return ((int*)s)[-1];
}
int main(void) {
  h.len = 5;
  check(len(h.data) == 5);
  return 0;
}

// === neg_tracked_heap
struct h { int len; char data[]; };
char*mk(int n) {
  struct h *h = malloc(sizeof*h+n);
  if (!h) abort();
  h->len = n;
  return h->data;
}
int main(void) {
  char *s = mk(5);
  struct h *q = (struct h*)(s-sizeof(struct h));
  check(q->len == 5);
  return 0;
}

// === neg_tracked_heap2
struct h { int len; char data[]; };
struct g { short lo, hi; char data[]; };
char*mk(int n) {
  struct h *h = malloc(sizeof*h+n);
  if (!h) abort();
  h->len = n;
  return h->data;
}
int main(void) {
  char *s = mk(5);
  struct g *q = (struct g*)(s-sizeof(struct h));
  q->lo = 7;
  check(((struct h*)(s-4))->len == 7);
  return 0;
}

// === inner_array_struct
struct e { int k; short l, h; };
struct w { int n; struct e v[3]; } w;
struct w2 { int n; struct { int k, lh; } v[3]; };
int main(void) {
  struct e *p = &w.v[1];
  p->h = 0;
  struct w2 *q = (struct w2*)((char*)p-12);
  q->v[1].lh = 65536;
  check(p->h == 1);
  return 0;
}

// === inner_array_struct_var
struct e { int k; short l, h; };
struct w { int n; struct e v[3]; } w;
struct w2 { int n; struct { int k, lh; } v[3]; };
int main(void) {
  int i = 1;
  struct e *p = &w.v[i];
  p->h = 0;
  struct w2 *q = (struct w2*)((char*)p-4-8 *i);
  q->v[1].lh = 65536;
  check(p->h == 1);
  return 0;
}

// === longlong
struct s { long a; } s;
long long *q;
int main(void) {
  q = (long long*)&s.a;
  s.a = 1;
  *q = 5;
  check(s.a == 5);
  return 0;
}

// === uchar_bool
struct s { _Bool a, b; } s;
int main(void) {
  uchar *q = (uchar*)&s;
  s.b = 0;
  q[1] = 1;
  check(s.b == 1);
  return 0;
}

// === string_ptrs
char buf[8];
int main(void) {
  char *p = buf;
  int *q = (int*)(p+4);
  *q = 0;
  while(p<buf+6) *p++=1;
  check(*q == 257);
  return 0;
}

// === new_object_passed_through_a_function
struct s { int a, b; };
struct t { short x, y; int z; };
void *same(void *p) { return p; }
int main(void) {
  void *m = malloc(8);
  if (!m) abort();
  struct s *p = m;
  struct t *q = same(m);
  p->b = 1;
  q->z = 5;
  check(p->b == 5);
  return 0;
}

// === byte_arithmetic_to_another_member
struct s { short a, b; int c; } o;
int main(void) {
  short *p = &o.b;
  o.a = 1;
  *(short *)((char *)p - 2) = 5;
  check(o.a == 5);
  return 0;
}

// === computed_step_out_of_an_array
struct c { int h, t; };
struct b { int g; int x[4]; } b;
int main(void) {
  int i = 1;
  while (i < 3) i++;
  int *p = &b.x[2];
  p = p - i;
  ((struct c *)p)->h = 7;
  check(b.g == 7);
  return 0;
}

// === computed_step_to_the_last_element
struct c { int h, t; };
struct b { int x[4]; int g; } b;
int main(void) {
  int i = 0;
  while (i < 3) i++;
  int *p = &b.x[0];
  p = p + i;
  ((struct c *)p)->t = 7;
  check(b.g == 7);
  return 0;
}

// === computed_offset_into_a_record
struct b { int g, h; } b;
int main(void) {
  int n = __VERIFIER_nondet_int();
  char *p = (char *)&b;
  p += 4 * (n & 1);
  *(int *)p = 1;
  check(n & 1 ? b.h == 1 : b.g == 1);
  return 0;
}

// === computed_offset_to_another_record
struct c { short x, y; };
struct b { int g, h; } b;
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct c *p = (struct c *)((char *)&b + 4 * (n & 1));
  p->x = 1;
  check(n & 1 ? b.h == 1 : b.g == 1);
  return 0;
}

// === member_array_behind_a_function
struct s { int before; char name[8]; int after; };
static void put(char *to, const char *text, ulong most) {
  ulong at = 0, i;
  while (at < most && to[at]) at++;
  for (i = 0; text[i] && at + 1 < most; i++) to[at++] = text[i];
  to[at] = 0;
}
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) abort();
  p->before = 3;
  p->after = 4;
  put(p->name, "ab", sizeof p->name);
  put(p->name, "c", sizeof p->name);
  check(p->before == 3 && p->after == 4 && p->name[2] == 'c' && p->name[3] == 0);
  return 0;
}

// === container_of_a_member_array
struct s { int before; char name[8]; int after; };
static struct s *around(char *name) { return (struct s *)(name - 4); }
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) abort();
  p->after = 4;
  around(p->name)->after = 5;
  check(p->after == 5);
  return 0;
}

// === container_of_an_element_of_a_member_array
struct s { int before; char name[8]; int after; };
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) abort();
  char *at = p->name;
  at++;
  at++;
  p->before = 4;
  ((struct s *)(at - 6))->before = 5;
  check(p->before == 5);
  return 0;
}

// === from_one_member_array_into_the_next
struct s { char first[4]; char second[4]; int after; };
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) abort();
  char *at = p->first;
  for (int i = 0; i < 6; i++) *at++ = 'x';
  check(p->second[1] == 'x' && p->second[2] == 0);
  return 0;
}

// === from_one_member_array_into_the_next_as_a_number
struct s { char first[4]; char second[4]; int after; };
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) abort();
  int n = 0;
  while (n < 6) n++;
  ulong at = (ulong)p->first;
  at = at + (ulong)n;
  *(char *)at = 'x';
  ((struct s *)((ulong)p->first + 0))->after = 1;
  check(p->second[2] == 'x');
  return 0;
}

// === bytes_copied_from_a_member_array_to_the_next
struct s { char first[4]; char second[4]; int after; };
int main(void) {
  struct s a, b;
  int n = 0;
  while (n < 6) n++;
  memset(&a, 0, sizeof a);
  memset(&b, 1, sizeof b);
  a.second[1] = 9;
  memcpy(b.first, a.first, (ulong)n);
  check(b.second[1] == 9 && b.second[2] == 1);
  return 0;
}

// === behind_an_array_at_the_end
struct message { int length; char data[1]; };
struct body { int x; short y; };
int main(void) {
  struct message *m = malloc(24);
  if (!m) abort();
  m->length = 4;
  int at = m->length;
  struct body *body = (struct body *)(m->data + at);
  body->x = 77;
  check(*(int *)(m->data + 4) == 77 && m->data[at] == 77);
  return 0;
}

// === a_record_in_a_member_array
struct inner { int x; int y; };
struct s { int before; int words[4]; int after; };
int main(void) {
  struct s v = {0};
  int n = 0;
  while (n < 2) n++;
  struct inner *in = (struct inner *)((char *)v.words + 4 * n);
  in->y = 8;
  struct s *back = (struct s *)((char *)&v.words[0] - 4);
  back->after = 9;
  check(v.words[3] == 8 && v.after == 9);
  return 0;
}

// === behind_a_member_array_in_two_steps
struct s { char magic[4]; int x; int y; };
static char *skip(char *at) { return at + 4; }
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) abort();
  char *at = p->magic;
  at = skip(at);
  char *next = at + 4;
  *(int *)next = 7;
  check(p->y == 7);
  return 0;
}

// === bytes_copied_into_the_next_member_array_where_records_are_found_by_names
struct s { int before; char first[4]; char second[4]; int after; };
static struct s *around(char *name) { return (struct s *)(name - 4); }
int main(void) {
  struct s a, b;
  int n = 0;
  while (n < 6) n++;
  memset(&a, 0, sizeof a);
  memset(&b, 1, sizeof b);
  a.second[1] = 9;
  memcpy(b.first, a.first, (ulong)n);
  around(b.first)->after = 3;
  check(b.second[1] == 9 && b.second[2] == 1 && b.after == 3);
  return 0;
}

// === bytes_filled_into_the_next_member_array_where_records_are_found_by_names
struct s { int before; char first[4]; char second[4]; int after; };
static struct s *around(char *name) { return (struct s *)(name - 4); }
static void clear(char *to, ulong n) { memset(to, 5, n); }
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  int n = 0;
  if (!p) abort();
  while (n < 6) n++;
  clear(p->first, (ulong)n);
  around(p->first)->before = 3;
  check(p->second[1] == 5 && p->second[2] == 0 && p->before == 3);
  return 0;
}

// === pointers_of_one_type_through_pointers_to_another
struct s { int x; };
struct t { int y; };
struct s one, two;
static void put(void **to, void *value) { *to = value; }
int main(void) {
  struct s *p = &one;
  char *q = (char *)&one;
  put((void **)&p, &two);
  put((void **)&q, &two);
  *(struct t **)&p = (struct t *)((char *)p + 0);
  check(p == &two && q == (char *)&two && *(struct s **)&q == &two);
  return 0;
}

// === pointers_of_one_type_through_an_untyped_pointer
struct s { int x; };
struct s one, two;
static void clear(void *to) { *(char **)to = 0; }
static void put(ulong to, long *value) { *(long **)to = value; }
int main(void) {
  struct s *p = &one, *q = &one;
  clear(&p);
  put((ulong)&q, (long *)&two);
  check(p == 0 && q == &two);
  return 0;
}

// === pointers_in_a_new_array_of_another_type
struct s { int x; };
struct s one, two;
static void *table(ulong n) { return calloc(n, sizeof(void *)); }
int main(void) {
  void **all = table(3);
  if (!all) abort();
  for (int i = 0; i < 3; i++) all[i] = &one;
  struct s **some = (struct s **)all;
  some[1] = &two;
  void *any = all;
  char **texts = any;
  check(texts[1] == (char *)&two && all[2] == &one);
  return 0;
}

// === pointers_copied_as_bytes
struct s { int x; };
struct s one;
int main(void) {
  struct s *p = &one;
  char *q = 0;
  void *r = 0;
  memcpy(&q, &p, sizeof q);
  for (int i = 0; i < 8; i++) ((char *)&r)[i] = ((char *)&q)[i];
  check(q == (char *)&one && r == &one);
  return 0;
}

// === pointers_in_members_through_pointers_to_others
struct s { int x; };
struct v { int kind; struct s *to; void *rest[2]; } v;
struct s one, two;
static void put(char **to, struct s *value) { *to = (char *)value; }
int main(void) {
  v.to = &one;
  put((char **)&v.to, &two);
  put((char **)&v.rest[1], &one);
  struct s **some = (struct s **)v.rest;
  check(v.to == &two && v.rest[1] == &one && some[1] == &one);
  return 0;
}

// === pointers_to_functions_through_untyped_ones
static int two(void) { return 2; }
static int three(int n) { return n; }
static void put(void **to, void *value) { *to = value; }
int main(void) {
  int (*f)(void) = two;
  int (*g)(int) = 0;
  put((void **)&g, (void *)three);
  void **at = (void **)&f;
  *at = 0;
  check(g(3) == 3 && f == 0);
  return 0;
}

// === pointers_through_calls_under_other_types
struct s { int x; };
struct s one, two;
static void put(void **to, void *value) { *to = value; }
static void **same(void **at) { return at; }
static void old(to, value) void **to; void *value; { *to = value; }
int main(void) {
  struct s *p = &one, *q = &one, *r = &one;
  void (*set)(struct s **, struct s *) = (void (*)(struct s **, struct s *))put;
  struct s **(*id)(struct s **) = (struct s **(*)(struct s **))same;
  set(&p, &two);
  *id(&q) = &two;
  old(&r, &two);
  check(p == &two && q == &two && r == &two);
  return 0;
}

// === pointers_behind_two_pointers
struct s { int x; };
struct s one, two;
static void put(void ***to, void *value) { **to = value; }
int main(void) {
  struct s *p = &one;
  struct s **at = &p;
  put((void ***)&at, &two);
  char *text = 0;
  char **where = &text;
  *(struct s ***)&where = at;
  *where = 0;
  check(p == 0 && where == (char **)&p);
  return 0;
}

// === pointers_in_unions_and_words
struct s { int x; };
union u { struct s *s; char *c; void **v; ulong n; } u;
struct s one, two;
int main(void) {
  struct s *p = &one;
  u.s = &one;
  *(void **)&u.c = &two;
  *(ulong *)&p = (ulong)&two;
  u.v = (void **)&p;
  struct s *q = *u.v;
  check(q == &two && p == &two);
  return 0;
}

// === pointers_passed_as_variable_arguments
typedef __builtin_va_list list;
struct s { int x; };
struct s one, two;
static void put(int n, ...) {
  list all;
  __builtin_va_start(all, n);
  void **to = __builtin_va_arg(all, void **);
  *to = __builtin_va_arg(all, void *);
  __builtin_va_end(all);
}
int main(void) {
  struct s *p = &one;
  put(1, &p, &two);
  check(p == &two);
  return 0;
}

// === pointers_of_other_types_side_by_side
struct s { int x; };
struct v { char *a; struct s *b; void *c; } v;
struct s one;
int main(void) {
  char **at = &v.a;
  for (int i = 0; i < 3; i++) { *at = (char *)&one; at++; }
  check(v.b == &one && v.c == &one);
  return 0;
}
