// What a function guarantees: paths on which it does not are no paths.
CONTROL AUTOMATON stop
INITIAL STATE Init;

STATE USEALL Init :
  MATCH {$1 = level($2)} -> ASSUME {$1 < 0 || $1 > $2} STOP;
  MATCH {$1 = level($2)} -> ASSUME {$1 >= 0; $1 <= $2} GOTO Init;
  MATCH {set($1)} -> ASSUME {$1 < 0} ERROR;

END AUTOMATON
