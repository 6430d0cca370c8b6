// Rule 68_1a: every USB request block is freed.
//
// usb_alloc_urb gives a request block, or the null pointer. What is not given back with usb_free_urb is lost until the next boot.
//
// Violation: a request block that is not freed when the entry function returns.
//
// Functions: usb_alloc_urb, usb_free_urb, and the instrumented forms with the prefix ldv_ and a number behind. Blocks are told
// apart by their addresses; at most eight may be allocated at once. Freeing the null pointer is allowed.

OBSERVER AUTOMATON rule_68_1a
LOCAL set<string> allocated;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {$1 = [(ldv_)?usb_alloc_urb(_[0-9]+)?]($?)} -> ASSUME {(void *)$1 != 0} DO allocated[$1]=true GOTO Init;
  MATCH {[(ldv_)?usb_free_urb(_[0-9]+)?]($1)} -> DO allocated[$1]=false GOTO Init;
  MATCH EXIT -> ASSUME {!$$allocated.empty} ERROR("a request block is not freed");

END AUTOMATON
