// Rule 68_1b: every DMA-consistent USB buffer is freed.
//
// usb_alloc_coherent gives a buffer that the device and the processor see in the same way, or the null pointer. Such memory is scarce; what is not
// given back with usb_free_coherent is lost.
//
// Violation: a buffer that is not freed when the entry function returns.
//
// Functions: usb_alloc_coherent (the older name is usb_buffer_alloc), usb_free_coherent (usb_buffer_free), and the instrumented forms with the
// prefix ldv_ and a number behind. Buffers are told apart by their addresses; at most eight may be allocated at once.

OBSERVER AUTOMATON rule_68_1b
LOCAL set<string> allocated;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {$1 = [(ldv_)?usb_(alloc_coherent|buffer_alloc)(_[0-9]+)?]($?)} -> ASSUME {(void *)$1 != 0} DO allocated[$1]=true GOTO Init;
  MATCH {[(ldv_)?usb_(free_coherent|buffer_free)(_[0-9]+)?]($1, $2, $3, $?)} -> DO allocated[$3]=false GOTO Init;
  MATCH EXIT -> ASSUME {!$$allocated.empty} ERROR("a buffer is not freed");

END AUTOMATON
