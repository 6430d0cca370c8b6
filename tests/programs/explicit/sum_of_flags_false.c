//# call reach_error: FALSE
// As in sum_of_flags_true.c, but three members may be asleep: the token is passed too often.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

_Bool awake_1, awake_2, awake_3, awake_4;
int holder, passed;

void wait_until(_Bool condition) {
    while (!condition) {
    }
}

int enough(void) {
    int result;
    if ((int)awake_1 + (int)awake_2 + (int)awake_3 + (int)awake_4 >= 1) {
        result = 1;
    } else {
        result = 0;
    }
    return result;
}

void pass(_Bool awake, int number) {
    if (holder == 0) {
        if (awake) {
            holder = number;
        } else {
            passed = passed + 1;
        }
    }
}

int main(void) {
    awake_1 = __VERIFIER_nondet_bool();
    awake_2 = __VERIFIER_nondet_bool();
    awake_3 = __VERIFIER_nondet_bool();
    awake_4 = __VERIFIER_nondet_bool();
    wait_until(enough());
    holder = 0;
    passed = 0;
    int round = 0;
    while (round < 6) {
        pass(awake_1, 1);
        pass(awake_2, 2);
        pass(awake_3, 3);
        pass(awake_4, 4);
        if (holder == 0 || passed > 2) {
            reach_error();
        }
        round = round + 1;
    }
    return 0;
}
