/*
 * fields.h - the fields of a run, the same ones whatever happened: a member that has no value is null.
 *
 * The unit of a number is in its name.
 */
#pragma once

#include "record.h"
#include "writer.h"

void td_put_fields(td_writer *w, const td_record *record);

/* The columns of CSV alone. */
void td_put_field_names(td_writer *w);
