//# spec: woven.spc
//# VERDICT: FALSE
struct node { int refs; };
void get(struct node *n) { n->refs++; }
void put(struct node *n) { n->refs--; }
int share(struct node *n, int many, int unused) { return many; }

int main(void) {
    struct node n, m;
    get(&n);
    share((struct node *)0, 1, 7);
    put(&n);
    put(&n);
    return 0;
}
