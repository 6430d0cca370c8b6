/* Woven variables, complementary transitions, a call and its return. */
OBSERVER AUTOMATON woven
INITIAL STATE Init;

STATE USEALL Init :
  MATCH ENTRY -> ENCODE {long users = 0; void *last = (struct node *)0;} GOTO Init;
  MATCH CALL {get($1)} -> ENCODE {users += 1; last = $1;} GOTO Init;
  MATCH CALL {put($1)} -> SPLIT {users > 0 && last == $1;} ENCODE {users--;} GOTO Init NEGATION ERROR("put without get");
  MATCH RETURN {$1 = share($2, $?)} -> ASSUME {$1 >= 0; $2 != 0} ENCODE {users = users + $1;} GOTO Init;
  MATCH EXIT -> SPLIT {users == 0} GOTO Init NEGATION ERROR("get without put");

END AUTOMATON
