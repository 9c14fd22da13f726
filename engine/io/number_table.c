#include "number_table.h"

#include <stdlib.h>
#include <string.h>

void td_table_free(td_table *table)
{
    free(table->values);
    memset(table, 0, sizeof *table);
}

void td_image_free(td_image *image)
{
    free(image->values);
    memset(image, 0, sizeof *image);
}
