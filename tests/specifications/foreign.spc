OBSERVER AUTOMATON foreign
INITIAL STATE Init;
STATE USEFIRST Init :
  MATCH {$1 = ask()} && CHECK(ValueAnalysis, "$1 == 0") -> GOTO Init;
  MATCH {$1 = ask()} && !CHECK(ValueAnalysis, "$1 == 0") -> GOTO Asked;
STATE USEALL Asked :
  MATCH {tell($1)} -> ASSUME {missing == 1} ERROR;
  MATCH {change()} -> MODIFY(SomeAnalysis, "setvar(x, 1)") GOTO Init;
  MATCH {query()} && CHECK(location, "functionName==main") -> ERROR;
END AUTOMATON
