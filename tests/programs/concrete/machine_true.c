//# call reach_error: TRUE
// A machine with a stack, whose operations are called by a table.
extern void reach_error(void);
enum code { PUSH, ADD, MUL, DUP, JUMP_IF, DROP, HALT };
typedef void (*action)(long);
static long stack[16];
static int top, at;
static void push(long n) {
  stack[top++] = n;
}
static void add(long n) {
  top--;
  stack[top - 1] += stack[top] + n;
}
static void mul(long n) {
  top--;
  stack[top - 1] *= stack[top];
}
static void dup(long n) {
  stack[top] = stack[top - 1 - n];
  top++;
}
static void jump_if(long n) {
  if (stack[top - 1]) at = n;
}
static void drop(long n) {
  top--;
}
static const action actions[] = { push, add, mul, dup, jump_if, drop };
static const struct {
  enum code code;
  long operand;
}
program[] = { {PUSH, 1}, {PUSH, 10}, {DUP, 0}, {DUP, 2}, {MUL, 0}, {DROP, 0}, {PUSH, -1}, {ADD, 0}, {JUMP_IF, 2}, {DROP, 0}, {PUSH, 41}, {ADD, 0}, {HALT, 0} };
int main(void) {
  while (program[at].code != HALT) {
    int now = at++;
    actions[program[now].code](program[now].operand);
  }
  if (top != 1 || stack[0] != 42) reach_error();
  return 0;
}
