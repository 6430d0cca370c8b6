//# rule: 147_1a
//# VERDICT: FALSE
struct list_head { struct list_head *next, *prev; };
extern void rcu_read_lock(void), rcu_read_unlock(void);
static inline void list_add_rcu(struct list_head *new, struct list_head *head) { new->next = head->next; head->next = new; }
struct list_head head, item;

int main(void) {
    rcu_read_lock();
    rcu_read_lock();
    rcu_read_unlock();
    list_add_rcu(&item, &head);
    rcu_read_unlock();
    return 0;
}
