// Rule 101_1a: every block request is given back.
//
// blk_make_request and blk_get_request give a request of the block layer. It is given back with blk_put_request, or with
// __blk_put_request by who holds the lock of its queue. A request that is kept shrinks the queue.
//
// Violation: a request that is not given back when the entry function returns.
//
// Functions: those above, and the instrumented forms with the prefix ldv_ and a number behind. There is no request where the result is the null pointer
// or an error number in the form of a pointer (the last 4095 addresses). Requests are told apart by their addresses; at most eight may be
// held at once.

OBSERVER AUTOMATON rule_101_1a
LOCAL set<string> requests;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {$1 = [(ldv_)?blk_(make|get)_request(_[0-9]+)?]($?)} -> ASSUME {(void *)$1 != 0; (unsigned long)$1 < (unsigned long)-4095} DO requests[$1]=true GOTO Init;
  MATCH {[(ldv_)?blk_put_request(_[0-9]+)?]($1)} -> DO requests[$1]=false GOTO Init;
  MATCH {[(ldv_)?__blk_put_request(_[0-9]+)?]($1, $2)} -> DO requests[$2]=false GOTO Init;
  MATCH EXIT -> ASSUME {!$$requests.empty} ERROR("a request is not given back");

END AUTOMATON
