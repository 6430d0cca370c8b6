// Sizes of objects and constants as gcc knows them without optimisation. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
struct record { char name[10]; int number; char tail[6]; } whole, several[3];
char buffer[20];
int main(int argc, char **argv) {
    char local[12], *alias = local;
    check(__builtin_object_size(buffer, 0) == 20 && __builtin_object_size(buffer + 3, 0) == 17);
    check(__builtin_object_size(&buffer[25], 0) == 0 && __builtin_object_size(local, 1) == 12);
    check(__builtin_object_size(whole.name, 0) == 24 && __builtin_object_size(whole.name, 1) == 10);
    check(__builtin_object_size(&whole.name[2], 1) == 8 && __builtin_object_size(&several[1].tail[2], 1) == 4);
    check(__builtin_object_size(&several[1], 2) == 48 && __builtin_object_size("hello", 0) == 6);
    check(__builtin_object_size(alias, 0) == (unsigned long)-1 && __builtin_object_size(alias, 2) == 0);
    check(__builtin_constant_p("text") && __builtin_constant_p(1.5) && __builtin_constant_p(1 ? 2 : argc));
    check(!__builtin_constant_p(argc) && !__builtin_constant_p(buffer));
    check(__atomic_always_lock_free(sizeof(int), 0));
    return 0;
}
