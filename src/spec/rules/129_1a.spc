// Rule 129_1a: the offset of a search for a bit is not greater than the size of the bitmap.
//
// find_next_bit(map, size, offset) looks at the bits from offset on. With an offset behind the end it reads what is not part of the map.
//
// Violation: an offset that is greater than the size.
//
// Functions: find_next_bit, find_next_zero_bit, find_first_bit, find_first_zero_bit, and the instrumented forms with the prefix ldv_ and a number behind. All
// of them return a number that is not greater than the size: paths on which they would return another one are no paths of the kernel.

CONTROL AUTOMATON rule_129_1a
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH CALL {[(ldv_)?find_next_(zero_)?bit(_[0-9]+)?]($1, $2, $3)} -> ASSUME {(unsigned long)$3 > (unsigned long)$2} ERROR("the offset is behind the end");
  MATCH {$1 = [(ldv_)?find_next_(zero_)?bit(_[0-9]+)?]($2, $3, $4)} -> ASSUME {(unsigned long)$1 > (unsigned long)$3} STOP;
  MATCH {$1 = [(ldv_)?find_first_(zero_)?bit(_[0-9]+)?]($2, $3)} -> ASSUME {(unsigned long)$1 > (unsigned long)$3} STOP;

END AUTOMATON
