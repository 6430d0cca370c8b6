// Rule 147_1a: what RCU protects is not updated by a reader.
//
// Between rcu_read_lock and rcu_read_unlock a task reads what others may replace. Updates belong outside: they need a lock of the writers, and have to wait until all
// readers are gone, which the reader himself would never see.
//
// Violation: an update inside a read-side critical section.
//
// Functions: rcu_read_lock, rcu_read_unlock, also with the endings _bh and _sched; the updates list_add_rcu, list_add_tail_rcu, list_del_rcu, list_replace_rcu,
// list_splice_init_rcu, the same for hlist (hlist_add_head_rcu, hlist_del_rcu, ...), synchronize_rcu; the instrumented forms with the prefix ldv_ and a number
// behind, and the instrumented check ldv_check_for_read_section. Sections may be nested.

OBSERVER AUTOMATON rule_147_1a
LOCAL int sections = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {[(__|ldv_)?rcu_read_lock(_bh|_sched)?(_[0-9]+)?]($?)} -> DO sections = sections + 1 GOTO Init;
  MATCH {[(__|ldv_)?rcu_read_unlock(_bh|_sched)?(_[0-9]+)?]($?)} && sections > 0 -> DO sections = sections - 1 GOTO Init;
  MATCH {[(__|ldv_)?h?list_(add|add_tail|add_head|add_before|add_after|del|del_init|replace|splice_init)_rcu(_[0-9]+)?]($?)} && sections > 0 -> ERROR("an update by a reader");
  MATCH {[(ldv_)?synchronize_rcu(_[0-9]+)?|ldv_check_for_read_section]($?)} && sections > 0 -> ERROR("an update by a reader");

END AUTOMATON
