// As many ends as begins. The assumptions see what the actions have done.
OBSERVER AUTOMATON count
LOCAL int depth = 0;
INITIAL STATE Outside;

STATE USEFIRST Outside :
  MATCH {begin($?)} -> DO depth = depth + 1 GOTO Inside;
  MATCH {end($?)} -> ERROR("end without begin");

STATE USEALL Inside :
  MATCH {begin($?)} -> DO depth = depth + 1 GOTO Inside;
  MATCH {end($?)} -> ASSUME {$$depth > 0} DO depth = depth - 1 GOTO Inside;
  MATCH {end($?)} -> ASSUME {$$depth <= 0} DO depth = depth - 1 PRINT "left" GOTO Outside;
  MATCH EXIT -> ERROR("begin without end");

END AUTOMATON
