//# verdict: FALSE
/* Behind copies of literals, the byte that one of them leaves as it was is compared. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern unsigned long strlen(const char *);
extern char *strcpy(char *, const char *);
extern char *stpcpy(char *, const char *);
extern char *strcat(char *, const char *);
extern unsigned long strlcpy(char *, const char *, unsigned long);
extern unsigned long strlcat(char *, const char *, unsigned long);
extern int snprintf(char *, unsigned long, const char *, ...);
static int locked;
static void claim(int holds) { if (!holds) reach_error(); }
int main(void) {
    char name[32], path[8];
    unsigned long room = __VERIFIER_nondet_int() ? 3 : 8;
    locked = 1;
    claim(strlen("a text of some length") == 21);
    claim(strcpy(name, "driver with a name") == name && name[17] == 'e' && name[18] == 0);
    claim(stpcpy(name, "driver") == name + 6 && name[6] == 0 && name[7] == 'w');
    claim(strcat(name, "/input0") == name && name[6] == '/' && name[12] == '0' && name[13] == 0);
    claim(strlcpy(path, "driver with a name", sizeof path) == 18 && path[6] == ' ' && path[7] == 0);
    claim(strlcpy(path, "usb", sizeof path) == 3 && path[2] == 'b' && path[3] == 0);
    claim(strlcat(path, "-1.2.3", sizeof path) == 9 && path[3] == '-' && path[5] == '.' && path[7] == 0);
    claim(strlcat(path, "0", 4) == 5 && path[3] == '-' && path[5] == '.');
    path[3] = 'x';
    claim(snprintf(path, room, "ab%ccd", 'z') == 5);
    claim(room == 3 ? path[2] == 0 && path[3] == 'x' : path[2] == 'z' && path[4] == 'd' && path[5] == 0);
    claim(snprintf(path, 0, "abcd") == 4 && path[0] == 'a');
    claim(locked == 1 && (room == 8 || path[3] != (char)120));
    return 0;
}
