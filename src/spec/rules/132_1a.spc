// Rule 132_1a: references to USB devices are given back.
//
// usb_get_dev takes a reference to a device, so that it stays when it is unplugged; usb_put_dev gives it back. A reference that is kept keeps the
// memory of the device for ever, one that is given back too often frees it while it is in use.
//
// Violations: usb_put_dev without a reference, and a reference that is left when the entry function returns.
//
// Functions: usb_get_dev, usb_put_dev, and the instrumented forms with the prefix ldv_ and a number behind. The null pointer is no device. References are
// counted together, whichever device they are to.

OBSERVER AUTOMATON rule_132_1a
LOCAL int references = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {$1 = [(ldv_)?usb_get_dev(_[0-9]+)?]($2)} -> ASSUME {(void *)$1 != 0} DO references = references + 1 GOTO Init;
  MATCH {[(ldv_)?usb_put_dev(_[0-9]+)?]($1)} && references <= 0 -> ASSUME {(void *)$1 != 0} ERROR("a reference is given back that was not taken");
  MATCH {[(ldv_)?usb_put_dev(_[0-9]+)?]($1)} -> ASSUME {(void *)$1 != 0} DO references = references - 1 GOTO Init;
  MATCH EXIT && references != 0 -> ERROR("a reference is left at the end");

END AUTOMATON
