//# holds: x == 2630463361u
//# violated: x != 2630463361u
//# violated verdict: UNKNOWN (replay-limit) a violation after 90000006 steps, of which the replay repeats no more than 20000000
// A condition behind thirty million rounds: a violation of it needs more steps than fit in memory one by one.
extern void reach_error(void);
int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 30000000; i++) x = x * 1664525u + 1013904223u;
    if (!(CLAIM)) reach_error();
    return 0;
}
