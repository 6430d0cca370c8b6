// Two automata in one file, and a third one from another file.
#include "included.txt"

OBSERVER AUTOMATON opened
INITIAL STATE Closed;
STATE Closed :
  MATCH {open($?)} -> GOTO Open;
  MATCH {use($?)} -> ERROR("used while closed");
STATE Open :
  MATCH {close($?)} -> GOTO Closed;
END AUTOMATON

OBSERVER AUTOMATON closed
INITIAL STATE Closed;
STATE Closed :
  MATCH {open($?)} -> GOTO Open;
TARGET STATE Lost :
STATE Open :
  MATCH {close($?)} -> GOTO Closed;
  MATCH {open($?)} -> GOTO Lost;
  MATCH EXIT -> GOTO Lost;
END AUTOMATON
