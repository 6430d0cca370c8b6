// An output of inline assembly decides.
//# UNKNOWN: depends on an output of inline assembly (inline assembly, not modelled)
//# FALSE: --set invented.assembly=input
extern void reach_error(void);

int main(void) {
  unsigned long flags;
  __asm__ volatile("pushf ; pop %0" : "=rm"(flags));
  if (flags & 0x200)
    reach_error();
  return 0;
}
