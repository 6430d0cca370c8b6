// Rule 43_1a: memory is allocated atomically while a spinlock is held.
//
// Who waits for a spinlock does not sleep, so who holds it must not sleep either. An allocation may sleep until memory is free,
// unless its flags say GFP_ATOMIC.
//
// Violations: an allocation with other flags than GFP_ATOMIC (32) or none (0) while a spinlock is held, and any allocation there that
// has no flags and may always sleep.
//
// Functions: spin_lock, spin_lock_irq, spin_lock_bh, spin_lock_irqsave, spin_trylock, atomic_dec_and_lock, spin_unlock with the same endings and
// spin_unlock_irqrestore, the _raw_ functions that they are made of, and the instrumented forms with the prefix ldv_ and a number behind. The
// allocations are those of rule 10_1a. Spinlocks are told apart by their addresses; at most eight may be held at once.

OBSERVER AUTOMATON rule_43_1a
LOCAL set<string> held;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {[(_raw_|__raw_|ldv_)?spin_lock(_irq|_bh|_irqsave|_nested)?(_[0-9]+)?]($1, $?)} -> DO held[$1]=true GOTO Init;
  MATCH {$1 = [(_raw_|__raw_|ldv_)?spin_trylock(_irq|_bh|_irqsave)?(_[0-9]+)?]($2, $?)} -> ASSUME {(int)$1 != 0} DO held[$2]=true GOTO Init;
  MATCH {$1 = [(_|ldv_)?atomic_dec_and_lock(_[0-9]+)?]($2, $3)} -> ASSUME {(int)$1 != 0} DO held[$3]=true GOTO Init;
  MATCH {[(_raw_|__raw_|ldv_)?spin_unlock(_irq|_bh|_irqrestore)?(_[0-9]+)?]($1, $?)} -> DO held[$1]=false GOTO Init;
  MATCH {[(__)?kmalloc|kzalloc|kmem_cache_alloc|usb_alloc_urb]($1, $2)} -> ASSUME {!$$held.empty; (int)$2 != 32; (int)$2 != 0} ERROR("an allocation may sleep under a spinlock");
  MATCH {[kcalloc|kmalloc_array|krealloc]($1, $2, $3)} -> ASSUME {!$$held.empty; (int)$3 != 32; (int)$3 != 0} ERROR("an allocation may sleep under a spinlock");
  MATCH {usb_alloc_coherent($1, $2, $3, $4)} -> ASSUME {!$$held.empty; (int)$3 != 32; (int)$3 != 0} ERROR("an allocation may sleep under a spinlock");
  MATCH {[alloc_pages|__get_free_pages]($1, $2)} -> ASSUME {!$$held.empty; (int)$1 != 32; (int)$1 != 0} ERROR("an allocation may sleep under a spinlock");
  MATCH {ldv_check_alloc_flags($1)} -> ASSUME {!$$held.empty; (int)$1 != 32; (int)$1 != 0} ERROR("an allocation may sleep under a spinlock");
  MATCH {[v[mz]alloc|ldv_check_alloc_nonatomic]($?)} -> ASSUME {!$$held.empty} ERROR("an allocation may sleep under a spinlock");

END AUTOMATON
