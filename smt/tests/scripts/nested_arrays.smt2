; Arrays of arrays, functions over arrays, and defined functions with array terms over their parameters.
(set-option :produce-models true)
(set-logic QF_AUFLIA)
(declare-sort U 0)
(declare-const m (Array Int (Array Int Int)))
(declare-const n (Array Int (Array Int Int)))
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const k (Array (Array Int Int) Int))
(declare-fun f ((Array Int Int)) Int)
(declare-fun g (Int) (Array Int Int))
(declare-fun u (U) (Array U U))
(declare-const x U)
(declare-const y U)
(declare-const i Int)
(declare-const j Int)
(push 1)
; A row that is written with what it has.
(assert (distinct m (store m i (store (select m i) j (select (select m i) j)))))
(check-sat)
;> unsat
(pop 1)
(push 1)
(assert (= (store m i (store (select m i) j 5)) (store n i (store (select m i) j 6))))
(check-sat)
;> unsat
(pop 1)
; Equal arrays have one value under a function, and one place as indices.
(push 1)
(assert (= (select a 1) (select b 1)))
(assert (= (store a 1 0) (store b 1 0)))
(push 1)
(assert (distinct (f a) (f b)))
(check-sat)
;> unsat
(pop 1)
(push 1)
(assert (= (select (store k a 1) b) 2))
(check-sat)
;> unsat
(pop 1)
(check-sat)
;> sat
(pop 1)
; Arrays with different values under a function differ.
(push 1)
(assert (distinct (f (g i)) (f (g j))))
(assert (= (select k (g i)) 7))
(check-sat)
;> sat
(get-value ((= (g i) (g j)) (= i j) (select k (g i)) (= (f (store (g i) 3 (select (g i) 3))) (f (g i)))))
;> (((= (g i) (g j)) false) ((= i j) false) ((select k (g i)) 7) ((= (f (store (g i) 3 (select (g i) 3))) (f (g i))) true))
(assert (= i j))
(check-sat)
;> unsat
(pop 1)
; Terms that the assertions do not have.
(push 1)
(assert (= (f a) 1))
(assert (= a ((as const (Array Int Int)) 4)))
(check-sat)
;> sat
(get-value ((f ((as const (Array Int Int)) 4)) (f (store a 9 4)) (f (store a 9 5)) (= (g 1) (select m 77)) (select (store m 5 a) 5)))
;> (((f ((as const (Array Int Int)) 4)) 1) ((f (store a 9 4)) 1) ((f (store a 9 5)) 0) ((= (g 1) (select m 77)) true) ((select (store m 5 a) 5) ((as const (Array Int Int)) 4)))
(pop 1)
(push 1)
(assert (distinct (select (u x) y) (select (u y) y)))
(check-sat)
;> sat
(check-sat-assuming ((= x y)))
;> unsat
(check-sat-assuming ((= (u x) (u y))))
;> unsat
(pop 1)
; Defined functions: what is bound around an application means nothing in the body.
(define-fun rd ((a (Array Int Int)) (i Int)) Int (select a i))
(define-fun wr ((a (Array Int Int)) (i Int) (v Int)) (Array Int Int) (store a i v))
(define-fun both ((v Int)) Int (rd (wr (wr a v 1) (+ v 1) 2) v))
(push 1)
(assert (let ((a (wr a 3 4)) (v 8)) (distinct (both i) 1)))
(check-sat)
;> unsat
(pop 1)
(push 1)
(assert (distinct (rd (wr a i 5) j) 5))
(check-sat)
;> sat
(assert (= i j))
(check-sat)
;> unsat
(pop 1)
; A constant array that is read as it is written says nothing of other arrays.
(push 1)
(assert (= (store m 3 (store a 0 3)) n))
(assert (< (select ((as const (Array Int Int)) 3) 3) (f a)))
(check-sat)
;> sat
(pop 1)
(push 1)
(assert (! (and (= a (store b i 3)) (= (f a) 5)) :named A))
(assert (! (and (= (select b i) 3) (distinct (f b) 5)) :named B))
(check-sat)
;> unsat
(get-interpolants A B)
;> ((or (= (f b) 5) (not (= (select b i) 3))))
(pop 1)
; All propositions about arrays.
(check-allsat ((= a b) (= (f a) (f b))))
;> ((= a b) (= (f a) (f b)))
;> ((not (= a b)))
;> sat
; No values: a sort of finitely many arrays.
(declare-fun no ((Array Bool Bool)) Int)
;> (error "113:1: functions with arguments or results of sort (Array Bool Bool) are not supported")
(declare-const no (Array Int (Array Bool Bool)))
;> (error "115:19: arrays with indices or elements of sort (Array Bool Bool) are not supported")
(declare-const no (Array Int Real))
;> (error "117:19: arrays with indices or elements of sort Real are not supported")
(reset)
(declare-const a (Array Int Int))
(declare-const m (Array Int (Array Int Int)))
(declare-const i Int)
(assert (! (= (select m i) a) :named C))
(assert (! (distinct (select (select m i) 5) (select a 5)) :named D))
(check-sat)
;> unsat
(get-interpolants C D)
;> ((= (select (select m i) 5) (select a 5)))
