; Options, information, and the states of a script.
(get-option :print-success)
;> false
(set-option :print-success true)
;> success
(set-option :produce-assertions true)
;> success
(set-option :global-declarations true)
;> success
(set-option :random-seed 7)
;> success
(set-option :random-seed many)
;> (error "12:26: :random-seed takes a numeral")
(set-option :frobnicate 3)
;> unsupported
(get-option :frobnicate)
;> unsupported
(set-info :source |anything (at all)|)
;> success
(set-info :status maybe)
;> (error "20:1: a status is sat, unsat or unknown")
(set-logic QF_LIA)
;> success
(set-logic QF_LIA)
;> (error "24:1: the logic is set already, or the script started without one")
(set-option :produce-unsat-cores true)
;> (error "26:13: :produce-unsat-cores has to be set before the logic and the first declaration")
(set-option :reproducible-resource-limit 100000)
;> success
(get-option :reproducible-resource-limit)
;> 100000
(get-info :name)
;> (:name "Provident")
(get-info :error-behavior)
;> (:error-behavior continued-execution)
(get-info :frobnicate)
;> unsupported
(get-info name)
;> (error "38:11: expected a keyword")
(push 2)
;> success
(get-info :assertion-stack-levels)
;> (:assertion-stack-levels 2)
(declare-const x Int)
;> success
(assert (! (> x (! 3 :named three)) :named over))
;> success
(assert (! (or (! (= x 5) :named five) (! (= x 6) :named six)) :pattern (x)))
;> success
(get-assertions)
;> ((! (> x (! 3 :named three)) :named over)
;>  (! (or (! (= x 5) :named five) (! (= x 6) :named six)) :pattern (x)))
(get-model)
;> (error "53:1: there is no model: the last check did not answer sat")
(set-info :status sat)
;> success
(check-sat-assuming ((not five)))
;> sat
(get-assignment)
;> ((over true) (five false) (six true))
(get-value (x three (+ x x)))
;> ((x 6) (three 3) ((+ x x) 12))
(get-value ())
;> (error "63:12: expected a list of terms")
(check-sat-assuming (five (not over) (< x 0)))
;> unsat
(get-unsat-assumptions)
;> ((not over))
(get-assignment)
;> (error "69:1: there is no model: the last check did not answer sat")
(pop 2)
;> success
; Declarations are global, and so are names.
(declare-const x Int)
;> (error "74:16: the name x is taken")
(get-assertions)
;> ()
(reset-assertions)
;> success
(check-sat)
;> sat
(push many)
;> (error "82:7: expected a number of levels")
(check-sat)
;> unknown
(reset)
(get-option :produce-assertions)
;> false
(get-assertions)
;> (error "89:1: this needs (set-option :produce-assertions true) before the logic")
(check-sat 1)
;> (error "91:12: expected no argument, found 1")
(set-info :status unsat)
(check-sat)
;> sat
;> (error "94:1: the answer sat contradicts the status unsat that set-info gave")
(check-sat)
;> sat
(define-fun-rec f ((x Int)) Int (f x))
;> unsupported
(check-sat)
;> unknown
(get-info :reason-unknown)
;> (:reason-unknown "an earlier command failed")
(reset)
(echo "it said ""no""")
;> "it said ""no"""
(echo done)
;> (error "108:7: expected a string, as ""done""")
word
;> (error "110:1: expected a command, as (check-sat)")
(check-sat)
;> unknown
(set-option :print-success true)
;> success
(exit)
;> success
(check-sat)
