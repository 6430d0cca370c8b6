// Initialisers that override others, and go on behind ranges. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

struct H { char I[6]; int J; };
struct H m[] = { { { "foo" }, 1 }, [0] = { .I[0] = 'b' } };
struct H n[] = { { { "foo" }, 1 }, [0].I = { "a" }, [0].J = 2 };
struct H k[] = { { { "foo" }, 1 }, [0].I[0] = 'b' };
struct A { int i; int j; int k[4]; };
struct A a = (struct A) { .j = 6, .k[2] = 12 };
struct P { int x, y, z; };
struct P p[2] = { { 1, 2, 3 }, [0] = { .y = 7 } };
struct Q { struct P p; int w; } q = { .p = { 1, 2, 3 }, .p.y = 9, .w = 4 }, q2 = { .p.y = 9, .p = { 1 } };
struct G { int N; struct { int J; int K[3]; int L; } O[3]; int P; };
struct G g[6] = { [0 ... 5].O[1 ... 2].K[0 ... 1] = 4, [5].O[2].K[2] = 5, 6, 7 };
int main(void) {
 check(m[0].I[0] == 'b'); check(m[0].I[1] == 0); check(m[0].J == 0);
 check(n[0].I[0] == 'a'); check(n[0].I[1] == 0); check(n[0].J == 2);
 check(k[0].I[0] == 'b' && k[0].I[1] == 'o' && k[0].J == 1);
 check(a.i == 0); check(a.j == 6); check(a.k[2] == 12); check(a.k[3] == 0);
 check(p[0].x == 0 && p[0].y == 7 && p[0].z == 0);
 check(q.p.x == 1 && q.p.y == 9 && q.p.z == 3 && q.w == 4);
 check(q2.p.x == 1 && q2.p.y == 0);
 check(g[0].O[1].K[0] == 4); check(g[3].O[2].K[1] == 4); check(g[3].O[2].K[2] == 0); check(g[5].O[2].K[2] == 5); check(g[5].O[2].L == 6); check(g[5].P == 7); check(g[4].P == 0); check(g[0].O[0].K[0] == 0);
 struct H ml[] = { { { "foo" }, 1 }, [0] = { .I[0] = 'b' } };
 check(ml[0].I[1] == 0 && ml[0].J == 0);
 return 0; }
