// Rule 10_1a: memory is allocated atomically in interrupt context.
//
// Code that runs in an interrupt must not sleep. An allocation may sleep until memory is free, unless its flags say GFP_ATOMIC.
//
// Violations: an allocation with other flags than GFP_ATOMIC (32) or none (0) in an interrupt, and any allocation there that has
// no flags and may always sleep.
//
// Functions: kmalloc, __kmalloc, kzalloc, kmem_cache_alloc, usb_alloc_urb, kcalloc, kmalloc_array, krealloc, usb_alloc_coherent,
// alloc_pages, __get_free_pages, vmalloc, vzalloc, and the instrumented checks ldv_check_alloc_flags and ldv_check_alloc_nonatomic.
// An interrupt is what stands between irq_enter and irq_exit, or where an environment model has set LDV_IN_INTERRUPT to 2.
// The numbers are those of kernels up to 4.3.

OBSERVER AUTOMATON rule_10_1a
INITIAL STATE Process;

STATE USEALL Process :
  MATCH {LDV_IN_INTERRUPT = $1} -> ASSUME {$1 == 2} GOTO Interrupt;
  MATCH {irq_enter($?)} -> GOTO Interrupt;

STATE USEFIRST Interrupt :
  MATCH {LDV_IN_INTERRUPT = $1} -> ASSUME {$1 == 1} GOTO Process;
  MATCH {irq_exit($?)} -> GOTO Process;
  MATCH {[(__)?kmalloc|kzalloc|kmem_cache_alloc|usb_alloc_urb]($1, $2)} -> ASSUME {(int)$2 != 32; (int)$2 != 0} ERROR("an allocation may sleep in an interrupt");
  MATCH {[kcalloc|kmalloc_array|krealloc]($1, $2, $3)} -> ASSUME {(int)$3 != 32; (int)$3 != 0} ERROR("an allocation may sleep in an interrupt");
  MATCH {usb_alloc_coherent($1, $2, $3, $4)} -> ASSUME {(int)$3 != 32; (int)$3 != 0} ERROR("an allocation may sleep in an interrupt");
  MATCH {[alloc_pages|__get_free_pages]($1, $2)} -> ASSUME {(int)$1 != 32; (int)$1 != 0} ERROR("an allocation may sleep in an interrupt");
  MATCH {ldv_check_alloc_flags($1)} -> ASSUME {(int)$1 != 32; (int)$1 != 0} ERROR("an allocation may sleep in an interrupt");
  MATCH {[v[mz]alloc|ldv_check_alloc_nonatomic]($?)} -> ERROR("an allocation may sleep in an interrupt");

END AUTOMATON
