#include "regint.h"
#include "st.h"
#include "../harness.h"

int main(void)
{
    st_table *table = st_init_numtable();
    for (int i = 0; i < 3; i++)
        st_insert(table, __VERIFIER_nondet_uint(), (st_data_t)i);
    assert(table->num_entries == 3);
    return 0;
}
