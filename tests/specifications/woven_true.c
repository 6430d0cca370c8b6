//# spec: woven.spc
//# VERDICT: TRUE
struct node { int refs; };
void get(struct node *n) { n->refs++; }
void put(struct node *n) { n->refs--; }
int share(struct node *n, int many, int unused) { int given = many; n = 0; return given; }

int main(void) {
    struct node n;
    n.refs = 0;
    get(&n);
    put(&n);
    get(&n);
    share(&n, 1, 7);
    put(&n);
    put(&n);
    return 0;
}
