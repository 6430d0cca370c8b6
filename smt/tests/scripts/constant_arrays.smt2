; Constant arrays: equal but for finitely many stores, other indices, truth values as indices, scopes.
(set-option :produce-models true)
(set-option :produce-unsat-cores true)
(set-logic QF_AUFLIA)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(declare-const v Int)
(declare-const w Int)
(define-fun zero () (Array Int Int) ((as const (Array Int Int)) 0))
(push 1)
(assert (= a (store zero i 5)))
(assert (distinct (select a 1000000000) 0))
(check-sat)
;> sat
(get-value (a i (select a 7) (select zero 8)))
;> ((a (store ((as const (Array Int Int)) 0) 1000000000 5)) (i 1000000000) ((select a 7) 0) ((select zero 8) 0))
(assert (distinct i 1000000000))
(check-sat)
;> unsat
(pop 1)
; Two constant arrays agree at an index that no store has.
(push 1)
(assert (! (= ((as const (Array Int Int)) v) (store (store ((as const (Array Int Int)) w) i 3) 7 4)) :named same))
(check-sat)
;> sat
(assert (! (distinct v w) :named values))
(check-sat)
;> unsat
(get-unsat-core)
;> (same values)
(pop 1)
; An index in an outer scope, and a constant array in an inner one; then the other way round.
(push 1)
(assert (= (select a v) 3))
(push 1)
(assert (= a ((as const (Array Int Int)) 4)))
(check-sat)
;> unsat
(pop 1)
(assert (= b ((as const (Array Int Int)) 4)))
(push 1)
(assert (= a b))
(check-sat)
;> unsat
(pop 1)
(assert (= a (store b (+ v 1) (select b w))))
(check-sat-assuming ((distinct w 7)))
;> unsat
(pop 1)
; The value of a constant array reads another array.
(push 1)
(assert (= b ((as const (Array Int Int)) (select a 5))))
(assert (= a (store b 5 (+ (select b 6) 1))))
(check-sat)
;> unsat
(pop 1)
(push 1)
(declare-const t (Array Bool Bool))
(assert (distinct t ((as const (Array Bool Bool)) true)))
(assert (distinct t ((as const (Array Bool Bool)) false)))
(check-sat)
;> sat
(assert (= (select t true) (select t false)))
(check-sat)
;> unsat
(pop 1)
; What is not supported, or no array.
(declare-sort U 0)
(assert (= 3 (select ((as const (Array U Int)) 3) i)))
;> (error "70:22: constant arrays with indices of sort U are not supported")
(assert (= 3 (select ((as const Int) 3) i)))
;> (error "72:33: a constant array has a sort of arrays, not Int")
(assert (= 3 (select ((as const (Array Int Bool)) 3) i)))
;> (error "74:22: this term has sort Int, but Bool is needed")
