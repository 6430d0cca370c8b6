// The name of a function is an object of its own. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

int main(void) { const char *p = "main"; check(p != __func__); check(__func__ == __func__); check(__builtin_strcmp(__FUNCTION__, "main") == 0); return 0; }
