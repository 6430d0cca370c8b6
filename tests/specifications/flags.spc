// Library functions that have a model are matched, too; statements by their structure.
OBSERVER AUTOMATON flags
LOCAL int level = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {interrupt.level = $1} -> DO level = $1 GOTO Init;
  MATCH {$1 = kmalloc($2, $3)} && level == 2 -> ASSUME {$3 != GFP_ATOMIC && $1 != NULL} ERROR("may sleep");
  MATCH {kfree($1)} -> ASSERT ($1 != 0 || level < 2) GOTO Init;

END AUTOMATON
