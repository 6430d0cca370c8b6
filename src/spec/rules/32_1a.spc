// Rule 32_1a: a mutex is not locked twice, and not unlocked twice.
//
// A mutex is not recursive: who locks it twice waits for himself. Who unlocks a mutex that he does not hold breaks the exclusion
// that others rely on, and a mutex that is held when the work is done blocks the next one for ever.
//
// Violations: locking a mutex that is held, unlocking one that is not, and a mutex that is held when the entry function returns.
//
// Functions: mutex_lock, mutex_lock_interruptible and mutex_lock_killable (which lock where they return 0), each also with _nested,
// mutex_trylock and atomic_dec_and_mutex_lock (which lock where they do not return 0), mutex_unlock, mutex_is_locked, and the
// instrumented forms with the prefix ldv_ and a number behind. Mutexes are told apart by their addresses, whatever name
// they are reached by. At most eight may be held at once.

CONTROL AUTOMATON rule_32_1a
LOCAL set<string> held;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {[(ldv_)?mutex_lock(_nested)?(_[0-9]+)?]($1, $?)} -> ASSUME {$$held[$1]} ERROR("locked twice");
  MATCH {[(ldv_)?mutex_lock(_nested)?(_[0-9]+)?]($1, $?)} -> DO held[$1]=true GOTO Init;
  MATCH CALL {[(ldv_)?mutex_lock_(interruptible|killable)(_nested)?(_[0-9]+)?]($1, $?)} -> ASSUME {$$held[$1]} ERROR("locked twice");
  MATCH {$1 = [(ldv_)?mutex_lock_(interruptible|killable)(_nested)?(_[0-9]+)?]($2, $?)} -> ASSUME {(int)$1 == 0} DO held[$2]=true GOTO Init;
  MATCH CALL {[(ldv_)?mutex_trylock(_[0-9]+)?]($1)} -> ASSUME {$$held[$1]} ERROR("locked twice");
  MATCH {$1 = [(ldv_)?mutex_trylock(_[0-9]+)?]($2)} -> ASSUME {(int)$1 != 0} DO held[$2]=true GOTO Init;
  MATCH CALL {[(ldv_)?atomic_dec_and_mutex_lock(_[0-9]+)?]($1, $2)} -> ASSUME {$$held[$2]} ERROR("locked twice");
  MATCH {$1 = [(ldv_)?atomic_dec_and_mutex_lock(_[0-9]+)?]($2, $3)} -> ASSUME {(int)$1 != 0} DO held[$3]=true GOTO Init;
  MATCH {[(ldv_)?mutex_unlock(_[0-9]+)?]($1)} -> ASSUME {!$$held[$1]} ERROR("unlocked without being held");
  MATCH {[(ldv_)?mutex_unlock(_[0-9]+)?]($1)} -> DO held[$1]=false GOTO Init;
  // Who holds a mutex is never told that it is free.
  MATCH {$1 = [(ldv_)?mutex_is_locked(_[0-9]+)?]($2)} -> ASSUME {(int)$1 == 0; $$held[$2]} STOP;
  MATCH EXIT -> ASSUME {!$$held.empty} ERROR("held at the end");

END AUTOMATON
