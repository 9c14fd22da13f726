#include "number_table.h"

#include <stdlib.h>
#include <string.h>

void td_table_free(td_table *table)
{
    free(table->values);
    memset(table, 0, sizeof *table);
}
