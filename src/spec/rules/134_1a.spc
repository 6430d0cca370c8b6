// Rule 134_1a: a probe function reports a failed registration.
//
// The probe function of a driver says by its result whether it takes a device. If the registration of its network device or driver has failed and the
// result is 0 nevertheless, the kernel believes in a device that is not there.
//
// Violation: a probe function that returns 0 although register_netdev, usb_register or usb_register_driver has failed in it.
//
// Functions: those above with the instrumented forms (the prefix ldv_ and a number behind); a probe function is any whose name ends in _probe. Where the
// environment model says it by ldv_pre_probe, ldv_post_probe and ldv_check_return_value_probe, these count as well.

OBSERVER AUTOMATON rule_134_1a
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH CALL {[.*_probe|ldv_pre_probe]($?)} -> GOTO Probing;

STATE USEFIRST Probing :
  MATCH {$1 = [(ldv_)?register_netdev(_[0-9]+)?|(ldv_)?usb_register(_driver)?(_[0-9]+)?]($?)} -> ASSUME {(int)$1 != 0} GOTO Failed;
  MATCH RETURN {[.*_probe|ldv_post_probe]($?)} -> GOTO Init;

STATE USEFIRST Failed :
  MATCH CALL {ldv_check_return_value_probe($1)} -> ASSUME {(int)$1 == 0} ERROR("the failure is not reported");
  MATCH {ldv_check_return_value_probe($1)} -> GOTO Init;
  MATCH {$1 = [.*_probe|ldv_post_probe]($?)} -> ASSUME {(int)$1 == 0} ERROR("the failure is not reported");
  MATCH RETURN {[.*_probe|ldv_post_probe]($?)} -> GOTO Init;

END AUTOMATON
