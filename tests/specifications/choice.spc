// Two transitions may be enabled at once: both are ways on.
OBSERVER AUTOMATON choice
INITIAL STATE Init;
STATE USEALL Init :
  MATCH {step($1)} -> ASSUME {$1 > 0} GOTO Left;
  MATCH {step($1)} -> ASSUME {$1 > 1} GOTO Right;
STATE USEALL Left :
  MATCH {left()} -> ERROR("left");
STATE USEALL Right :
  MATCH {right()} -> ERROR("right");
END AUTOMATON
