// Rule 77_1a: memory is allocated without input and output while a USB device is locked.
//
// The mutex of a USB device is held while the device is reset. An allocation that writes pages out to make room may need just that device,
// if it is a disk, and then waits for ever.
//
// Violations: an allocation with other flags than GFP_NOIO (16) or GFP_ATOMIC (32) while the device is locked, and any allocation there that has
// no flags.
//
// Functions: usb_lock_device, usb_trylock_device (which locks where it does not return 0), usb_lock_device_for_reset (which locks where it returns 0),
// usb_unlock_device, and the instrumented forms with the prefix ldv_ and a number behind. The allocations are those of rule 10_1a. The number of locked
// devices is counted.

OBSERVER AUTOMATON rule_77_1a
LOCAL int locked = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {[(ldv_)?usb_lock_device(_[0-9]+)?]($?)} -> DO locked = locked + 1 GOTO Init;
  MATCH {$1 = [(ldv_)?usb_trylock_device(_[0-9]+)?]($?)} -> ASSUME {(int)$1 != 0} DO locked = locked + 1 GOTO Init;
  MATCH {$1 = [(ldv_)?usb_lock_device_for_reset(_[0-9]+)?]($?)} -> ASSUME {(int)$1 == 0} DO locked = locked + 1 GOTO Init;
  MATCH {[(ldv_)?usb_unlock_device(_[0-9]+)?]($?)} && locked > 0 -> DO locked = locked - 1 GOTO Init;
  MATCH {[(__)?kmalloc|kzalloc|kmem_cache_alloc|usb_alloc_urb]($1, $2)} && locked > 0 -> ASSUME {(int)$2 != 16; (int)$2 != 32} ERROR("an allocation may need a locked device");
  MATCH {[kcalloc|kmalloc_array|krealloc]($1, $2, $3)} && locked > 0 -> ASSUME {(int)$3 != 16; (int)$3 != 32} ERROR("an allocation may need a locked device");
  MATCH {usb_alloc_coherent($1, $2, $3, $4)} && locked > 0 -> ASSUME {(int)$3 != 16; (int)$3 != 32} ERROR("an allocation may need a locked device");
  MATCH {[alloc_pages|__get_free_pages]($1, $2)} && locked > 0 -> ASSUME {(int)$1 != 16; (int)$1 != 32} ERROR("an allocation may need a locked device");
  MATCH {ldv_check_alloc_flags($1)} && locked > 0 -> ASSUME {(int)$1 != 16; (int)$1 != 32} ERROR("an allocation may need a locked device");
  MATCH {[v[mz]alloc|ldv_check_alloc_nonatomic]($?)} && locked > 0 -> ERROR("an allocation may need a locked device");

END AUTOMATON
