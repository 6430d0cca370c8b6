// The arguments at the return are those of the call, in every frame.
OBSERVER AUTOMATON recursion
INITIAL STATE Init;
STATE USEALL Init :
  MATCH RETURN {$1 = down($2)} -> ASSUME {$1 != $2} ERROR("not what went in");
END AUTOMATON
