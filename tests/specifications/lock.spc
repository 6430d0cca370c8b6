// One lock at a time, by value: two names of one lock are one lock.
CONTROL AUTOMATON lock
LOCAL set<string> held = [];
INITIAL STATE Init;

STATE USEALL Init :
  MATCH {acquire($1)} -> ASSUME {$$held[$1]} ERROR("acquired twice");
  MATCH {acquire($1)} -> DO held[$1]=true GOTO Init;
  MATCH {release($1)} -> ASSUME {!$$held[$1]} ERROR("released without being held");
  MATCH {release($1)} -> DO held[$1]=false GOTO Init;
  MATCH {$1 = try_acquire($2)} -> ASSUME {(int)$1} DO held[$2]=true GOTO Init;
  MATCH EXIT -> ASSUME {!$$held.empty} ERROR("held at the end");

END AUTOMATON
