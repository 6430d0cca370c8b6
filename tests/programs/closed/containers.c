//# holds: problems == 0 && live == 0
//# violated: live == 1
// A red-black tree, a hash table of strings with chains that grows by realloc, and a list with links inside of its elements (container_of).
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
extern void reach_error(void);
static int live, problems;
static void *get(size_t n) { live++; return malloc(n); }
static void put(void *p) { live--; free(p); }

struct rb { struct rb *left, *right; int key, red; };
static int is_red(struct rb *n) { return n && n->red; }
static struct rb *rotate_left(struct rb *h) { struct rb *x = h->right; h->right = x->left; x->left = h; x->red = h->red; h->red = 1; return x; }
static struct rb *rotate_right(struct rb *h) { struct rb *x = h->left; h->left = x->right; x->right = h; x->red = h->red; h->red = 1; return x; }
static struct rb *insert(struct rb *h, int key)
{
    if (!h) { h = get(sizeof *h); *h = (struct rb) { .key = key, .red = 1 }; return h; }
    if (key < h->key) h->left = insert(h->left, key);
    else if (key > h->key) h->right = insert(h->right, key);
    if (is_red(h->right) && !is_red(h->left)) h = rotate_left(h);
    if (is_red(h->left) && is_red(h->left->left)) h = rotate_right(h);
    if (is_red(h->left) && is_red(h->right)) h->red = 1, h->left->red = h->right->red = 0;
    return h;
}
static int black_height(struct rb *h, int least, int most)
{
    if (!h) return 1;
    if (h->key < least || h->key > most || (h->red && is_red(h->left))) problems++;
    int l = black_height(h->left, least, h->key - 1), r = black_height(h->right, h->key + 1, most);
    if (l != r) problems++;
    return l + !h->red;
}
static void drop(struct rb *h) { if (h) { drop(h->left); drop(h->right); put(h); } }

struct entry { struct entry *next; char *name; int value; };
static struct entry **buckets;
static unsigned capacity, count;
static unsigned hash(const char *s) { unsigned h = 2166136261u; while (*s) h = (h ^ (unsigned char) *s++) * 16777619u; return h; }
static void grow(void)
{
    unsigned old = capacity;
    capacity = old ? old * 2 : 4;
    if (!old) live++;
    buckets = realloc(buckets, capacity * sizeof *buckets);
    for (unsigned i = old; i < capacity; i++) buckets[i] = NULL;
    for (unsigned i = 0; i < old; i++) {
        struct entry **link = &buckets[i];
        while (*link) {
            struct entry *e = *link;
            unsigned to = hash(e->name) % capacity;
            if (to == i) { link = &e->next; continue; }
            *link = e->next;
            e->next = buckets[to];
            buckets[to] = e;
        }
    }
}
static struct entry *find(const char *name)
{
    if (!capacity) return NULL;
    struct entry *e = buckets[hash(name) % capacity];
    while (e && strcmp(e->name, name)) e = e->next;
    return e;
}
static void set(const char *name, int value)
{
    struct entry *e = find(name);
    if (e) { e->value = value; return; }
    if (count >= capacity) grow();
    e = get(sizeof *e);
    e->name = strcpy(get(strlen(name) + 1), name);
    e->value = value;
    struct entry **head = &buckets[hash(name) % capacity];
    e->next = *head;
    *head = e;
    count++;
}

struct link { struct link *next, *prev; };
struct item { int payload; struct link link; char tail[3]; };
#define container_of(p, type, member) ((type *) ((char *) (p) - offsetof(type, member)))

int main(void)
{
    struct rb *root = NULL;
    for (int i = 0; i < 200; i++) { root = insert(root, i * 67 % 211); root->red = 0; }
    black_height(root, 0, 1000);
    drop(root);
    for (int i = 0; i < 120; i++) { char name[16]; sprintf(name, "key-%03d", i * 7 % 100); set(name, i); }
    if (count != 100 || find("key-100") || !find("key-007") || find("key-007")->value != 101) problems++;
    for (unsigned i = 0; i < capacity; i++)
        for (struct entry *e = buckets[i], *next; e; e = next) { next = e->next; put(e->name); put(e); }
    put(buckets);
    struct link head = { &head, &head };
    struct item items[5];
    for (int i = 0; i < 5; i++) {
        items[i].payload = i;
        items[i].link = (struct link) { head.next, &head };
        head.next->prev = &items[i].link;
        head.next = &items[i].link;
    }
    int order = 0;
    for (struct link *l = head.next; l != &head; l = l->next) order = order * 10 + container_of(l, struct item, link)->payload;
    if (order != 43210 || head.prev != &items[0].link) problems++;
    if (!(CLAIM)) reach_error();
    return 0;
}
