#include "regint.h"
#include "st.h"
#include "../harness.h"

int main(void)
{
    st_table *table = st_init_numtable();
    if (table == NULL)
        return 0;
    if (st_insert(table, __VERIFIER_nondet_uint(), 1) >= 0 && st_insert(table, __VERIFIER_nondet_uint(), 2) >= 0) {
        st_table *copy = st_copy(table);
        if (copy != NULL)
            st_free_table(copy);
    }
    st_free_table(table);
    return 0;
}
