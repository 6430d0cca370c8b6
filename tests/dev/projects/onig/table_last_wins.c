#include "regint.h"
#include "st.h"
#include "../harness.h"

int main(void)
{
    st_table *table = st_init_numtable();
    st_data_t key[3], found;
    for (int i = 0; i < 3; i++) {
        key[i] = __VERIFIER_nondet_uint();
        st_insert(table, key[i], (st_data_t)i);
    }
    assert(st_lookup(table, key[2], &found) && found == 2);
    if (key[1] != key[2])
        assert(st_lookup(table, key[1], &found) && found == 1);
    assert(table->num_entries <= 3);
    return 0;
}
