//# holds: i == 100000000 && sum == 4999999950000000ULL
//# violated: sum != 4999999950000000ULL
//# violated verdict: UNKNOWN (replay-limit) a violation after 300000007 steps, of which the replay repeats no more than 20000000
// A loop of a hundred million rounds.
extern void reach_error(void);
int main(void)
{
    unsigned long long sum = 0;
    int i;
    for (i = 0; i < 100000000; i++) sum += (unsigned) i;
    if (!(CLAIM)) reach_error();
    return 0;
}
