; The operators of Ints, with SMT-LIB's Euclidean division, decided by constants and by the solver.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (distinct x y 3))
(push 1)
(assert (not (and (= (div 7 2) 3) (= (div (- 7) 2) (- 4)) (= (div 7 (- 2)) (- 3)) (= (div (- 7) (- 2)) 4)
                  (= (mod 7 2) 1) (= (mod (- 7) 2) 1) (= (mod 7 (- 2)) 1) (= (abs (- 5)) 5)
                  ((_ divisible 3) 9) (not ((_ divisible 3) 10)) (= (- 1 2 3) (- 4)) (= (* 2 3 (- 1)) (- 6)))))
(check-sat)
;> unsat
(pop 1)
(push 1)
; x = (-3) * q + r with 0 <= r < 3
(assert (not (= x (+ (* (- 3) (div x (- 3))) (mod x (- 3))))))
(check-sat)
;> unsat
(pop 1)
(push 1)
(assert (and (= (mod x 4) 3) (= (div x 4) (- 2)) (= y (ite (< x 0) (abs x) 0))))
(check-sat)
;> sat
(get-value (x y (+ x y) (< x y)))
;> ((x (- 5)) (y 5) ((+ x y) 0) ((< x y) true))
(pop 1)
(push 1)
(assert (= (* 6 x) (+ (* 4 y) 3)))
(check-sat)
;> unsat
(pop 1)
(push 1)
(assert (< 0 (- (* 2 x) y) 1))
(check-sat)
;> unsat
(pop)
(push)
(assert (= x 100000000000000000000000000))
(assert (= y (* 3 x)))
(check-sat)
;> sat
(get-value (y))
;> ((y 300000000000000000000000000))
(pop)
(push)
; Division by zero is a function: equal dividends have equal quotients, and nothing else is known.
(assert (= x (+ y 1)))
(push)
(assert (distinct (div (- x 1) 0) (div y 0)))
(check-sat)
;> unsat
(pop)
(assert (distinct (div x 0) (div y 0)))
(check-sat)
;> sat
(pop)
(push)
; Integers whose difference is a real number between 0 and 1: each of them may be anything.
(declare-const u Int)
(declare-const v Int)
(declare-const r Real)
(assert (= (to_real u) (+ (to_real v) r)))
(assert (< 0.0 r 1.0))
(check-sat)
;> unsat
(pop)
