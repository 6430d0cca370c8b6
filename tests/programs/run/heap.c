// Allocation, a linked list, memset, memcpy with overlap through memmove, free.
void emit(long long);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memmove(void *, const void *, unsigned long); void *memcpy(void *, const void *, unsigned long);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 5; i++) { struct node *n = malloc(sizeof *n); n->value = i * i; n->next = head; head = n; }
    int sum = 0;
    while (head) { struct node *n = head; sum = sum * 3 + n->value; head = n->next; free(n); }
    emit(sum);
    int *z = calloc(4, sizeof(int)); emit(z[3]); memset(z, 0x7f, 2 * sizeof(int)); emit(z[1]); emit(z[2]);
    char buffer[16]; for (int i = 0; i < 16; i++) buffer[i] = i;
    memmove(buffer + 2, buffer, 8); emit(buffer[2]); emit(buffer[9]); emit(buffer[10]);
    struct node a = {42, 0}, b; memcpy(&b, &a, sizeof a); emit(b.value); emit(b.next == 0);
    return 0;
}
