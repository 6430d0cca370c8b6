; Commands of z3 that scripts use.
(set-option :produce-models true)
(declare-const x Int)
(declare-const b Bool)
(simplify (+ x 1 (* 2 x) 3))
(simplify (and b true (or b (not b))))
(simplify 7)
(eval x)
(assert (= (* 3 x) (- 12)))
(assert b)
(check-sat)
(eval x)
(eval (+ x 1))
(eval (and b (> x 0)))
(eval)
;> (+ (* 3 x) 4)
;> b
;> 7
;> (error "8:1: there is no model: the last check did not answer sat")
;> sat
;> (- 4)
;> (- 3)
;> false
;> (error "15:1: expected one argument, found 0")
