// Rule 106_1a: classes, character devices and gadget drivers are unregistered in the reverse order of their registration.
//
// A gadget driver uses its character device, and that its class. What is used must be there until its user is gone.
//
// Violations: registering one of the three twice, unregistering what is not registered, unregistering what is not the last that was registered, and
// leaving something registered when the entry function returns.
//
// Functions: class_register, class_unregister; register_chrdev, register_chrdev_region, alloc_chrdev_region, unregister_chrdev, unregister_chrdev_region;
// usb_gadget_probe_driver, usb_gadget_unregister_driver; and the instrumented forms with the prefix ldv_ and a number behind. A registration has
// happened where the result is not negative.

OBSERVER AUTOMATON rule_106_1a
LOCAL int last = 0;
LOCAL int class = 0;
LOCAL int device = 0;
LOCAL int gadget = 0;
INITIAL STATE Init;

STATE USEFIRST Init :
  MATCH {$1 = [(ldv_)?class_register(_[0-9]+)?]($?)} && class != 0 -> ASSUME {(int)$1 >= 0} ERROR("a class is registered twice");
  MATCH {$1 = [(ldv_)?class_register(_[0-9]+)?]($?)} -> ASSUME {(int)$1 >= 0} DO last = last + 1 DO class = last GOTO Init;
  MATCH {[(ldv_)?class_unregister(_[0-9]+)?]($?)} && class == 0 -> ERROR("a class is unregistered that is not registered");
  MATCH {[(ldv_)?class_unregister(_[0-9]+)?]($?)} && class != last -> ERROR("a class is unregistered too early");
  MATCH {[(ldv_)?class_unregister(_[0-9]+)?]($?)} -> DO last = last - 1 DO class = 0 GOTO Init;

  MATCH {$1 = [(ldv_)?(register|alloc)_chrdev(_region)?(_[0-9]+)?]($?)} && device != 0 -> ASSUME {(int)$1 >= 0} ERROR("a character device is registered twice");
  MATCH {$1 = [(ldv_)?(register|alloc)_chrdev(_region)?(_[0-9]+)?]($?)} -> ASSUME {(int)$1 >= 0} DO last = last + 1 DO device = last GOTO Init;
  MATCH {[(ldv_)?unregister_chrdev(_region)?(_[0-9]+)?]($?)} && device == 0 -> ERROR("a character device is unregistered that is not registered");
  MATCH {[(ldv_)?unregister_chrdev(_region)?(_[0-9]+)?]($?)} && device != last -> ERROR("a character device is unregistered too early");
  MATCH {[(ldv_)?unregister_chrdev(_region)?(_[0-9]+)?]($?)} -> DO last = last - 1 DO device = 0 GOTO Init;

  MATCH {$1 = [(ldv_)?usb_gadget_probe_driver(_[0-9]+)?]($?)} && gadget != 0 -> ASSUME {(int)$1 >= 0} ERROR("a gadget driver is registered twice");
  MATCH {$1 = [(ldv_)?usb_gadget_probe_driver(_[0-9]+)?]($?)} -> ASSUME {(int)$1 >= 0} DO last = last + 1 DO gadget = last GOTO Init;
  MATCH {[(ldv_)?usb_gadget_unregister_driver(_[0-9]+)?]($?)} && gadget == 0 -> ERROR("a gadget driver is unregistered that is not registered");
  MATCH {[(ldv_)?usb_gadget_unregister_driver(_[0-9]+)?]($?)} && gadget != last -> ERROR("a gadget driver is unregistered too early");
  MATCH {[(ldv_)?usb_gadget_unregister_driver(_[0-9]+)?]($?)} -> DO last = last - 1 DO gadget = 0 GOTO Init;

  MATCH EXIT && last != 0 -> ERROR("something is left registered");

END AUTOMATON
