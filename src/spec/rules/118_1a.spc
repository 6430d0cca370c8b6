// Rule 118_1a: reader-writer spinlocks are used in the right order.
//
// Several readers may hold such a lock at once, or one writer. Who writes and wants to read, or to write once more, waits for himself.
//
// Violations: a read lock or a write lock while the write lock is held, an unlock without the lock, and a lock that is held when the entry function
// returns.
//
// Functions: read_lock, write_lock, read_unlock, write_unlock with the endings _irq, _bh, _irqsave and _irqrestore, read_trylock and write_trylock (which lock
// where they do not return 0), the _raw_ functions that they are made of, and the instrumented forms with the prefix ldv_ and a number behind. All
// locks are counted together, as one.

CONTROL AUTOMATON rule_118_1a
LOCAL int readers = 0;
LOCAL int writers = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {[(_raw_|ldv_)?read_lock(_irq|_bh|_irqsave)?(_[0-9]+)?]($?)} && writers > 0 -> ERROR("read lock under the write lock");
  MATCH {[(_raw_|ldv_)?read_lock(_irq|_bh|_irqsave)?(_[0-9]+)?]($?)} -> DO readers = readers + 1 GOTO Init;
  MATCH {[(_raw_|ldv_)?read_unlock(_irq|_bh|_irqrestore)?(_[0-9]+)?]($?)} && readers <= 0 -> ERROR("read unlock without a lock");
  MATCH {[(_raw_|ldv_)?read_unlock(_irq|_bh|_irqrestore)?(_[0-9]+)?]($?)} -> DO readers = readers - 1 GOTO Init;
  MATCH {[(_raw_|ldv_)?write_lock(_irq|_bh|_irqsave)?(_[0-9]+)?]($?)} && writers > 0 -> ERROR("write lock twice");
  MATCH {[(_raw_|ldv_)?write_lock(_irq|_bh|_irqsave)?(_[0-9]+)?]($?)} -> DO writers = writers + 1 GOTO Init;
  MATCH {[(_raw_|ldv_)?write_unlock(_irq|_bh|_irqrestore)?(_[0-9]+)?]($?)} && writers <= 0 -> ERROR("write unlock without a lock");
  MATCH {[(_raw_|ldv_)?write_unlock(_irq|_bh|_irqrestore)?(_[0-9]+)?]($?)} -> DO writers = writers - 1 GOTO Init;
  // A lock that is held for writing cannot be had by trying.
  MATCH {$1 = [(_raw_|ldv_)?(read|write)_trylock(_[0-9]+)?]($?)} && writers > 0 -> ASSUME {(int)$1 != 0} STOP;
  MATCH {$1 = [(_raw_|ldv_)?read_trylock(_[0-9]+)?]($?)} -> ASSUME {(int)$1 != 0} DO readers = readers + 1 GOTO Init;
  MATCH {$1 = [(_raw_|ldv_)?write_trylock(_[0-9]+)?]($?)} -> ASSUME {(int)$1 != 0} DO writers = writers + 1 GOTO Init;
  MATCH EXIT && readers != 0 -> ERROR("read lock at the end");
  MATCH EXIT && writers != 0 -> ERROR("write lock at the end");

END AUTOMATON
