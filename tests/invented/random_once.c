//# FALSE:
extern void reach_error(void);
extern int rand(void);
extern void srand(unsigned seed);
int main(void) {
    srand(3);
    if (rand() != rand()) reach_error();
    return 0;
}
