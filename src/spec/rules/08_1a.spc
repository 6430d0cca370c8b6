// Rule 08_1a: references to modules are given back.
//
// A module that is in use must not be unloaded, so its users count references: __module_get and try_module_get take one,
// module_put gives one back. A module that keeps a reference can never be unloaded; one that gives back a reference that it did
// not take lets another one be unloaded while it is in use.
//
// Violations: module_put without a reference, module_put_and_exit without a reference, and a reference that is left when the
// entry function returns.
//
// Functions: __module_get, try_module_get, module_put, module_put_and_exit, module_refcount, and the instrumented forms with the prefix
// ldv_ and a number behind. try_module_get takes a reference only where it returns something other than 0. A null pointer
// stands for the kernel itself, which is never unloaded: it is not counted. References are counted together, whichever
// module they are to; module_refcount returns that number.

CONTROL AUTOMATON rule_08_1a
LOCAL int references = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {[(ldv_)?(__)?module_get(_[0-9]+)?]($1)} -> ASSUME {(void *)$1 != 0} DO references = references + 1 GOTO Init;
  MATCH {$1 = [(ldv_)?try_module_get(_[0-9]+)?]($2)} -> ASSUME {(int)$1 != 0; (void *)$2 != 0} DO references = references + 1 GOTO Init;
  MATCH {[(ldv_)?module_put(_[0-9]+)?]($1)} && references <= 0 -> ASSUME {(void *)$1 != 0} ERROR("a reference is given back that was not taken");
  MATCH {[(ldv_)?module_put(_[0-9]+)?]($1)} -> ASSUME {(void *)$1 != 0} DO references = references - 1 GOTO Init;
  MATCH {[(ldv_)?module_put_and_exit(_[0-9]+)?]($?)} && references <= 0 -> ERROR("a reference is given back that was not taken");
  MATCH {[(ldv_)?module_put_and_exit(_[0-9]+)?]($?)} -> STOP;
  MATCH {$1 = [(ldv_)?module_refcount(_[0-9]+)?]($?)} -> ASSUME {$1 != $$references} STOP;
  MATCH EXIT && references != 0 -> ERROR("a reference is left at the end");

END AUTOMATON
