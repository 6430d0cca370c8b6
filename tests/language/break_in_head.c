// A break in the head of a loop belongs to what surrounds the loop (GNU). verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

static int f(int x, int y) { int z;
 switch (x) {
 case 0: while (({ if (y) break; 0; })); return 9;
 case 1: do ; while (({ if (y) break; 0; })); return 9;
 case 2: for (z = ({ if (y) break; 0; }); z < 5; z++) ; return 9;
 case 3: for (z = 0; z < ({ if (y) break; 5; }); z++) ; return 9;
 case 4: for (z = 0; z < 5; z += ({ if (y) break; 1; })) ; return 9;
 case 5: while (1) { while (({ if (y) break; 0; })); return 9; } return 5;
 case 6: for (z = 0; z < 3; z++) { for (; ({ if (y) continue; 0; }); ) ; return 9; } return 6;
 }
 return x; }
int main(void) { for (int i = 0; i < 7; i++) check(f(i, 1) == i); return 0; }
