// A large and many small numbers: the compensated sum keeps what the plain one loses.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float plain = 1e8f, sum = 1e8f, lost = 0;
    for (int i = 0; i < 100; i++) {
        plain += 1.0f;
        float next = 1.0f - lost, grown = sum + next;
        lost = (grown - sum) - next;
        sum = grown;
    }
    if (plain != 1e8f || sum - lost < 1e8f + 96)
        reach_error();
    return 0;
}
