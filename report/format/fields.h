/*
 * fields.h - the fields of a record: one table, from which JSON and CSV are written.
 *
 * Both write the fields in the order of the rows. The unit of a number is in its name.
 */
#pragma once

#include "record.h"
#include "writer.h"

typedef enum td_field_kind {
    TD_FIELD_OBJECT, /* where an object begins that may be null; its fields follow */
    TD_FIELD_TEXT,   /* a pointer */
    TD_FIELD_CHARS,  /* an array */
    TD_FIELD_WORD,   /* an enumeration */
    TD_FIELD_U32,
    TD_FIELD_U64,
    TD_FIELD_KNOWN_U32, /* 0 is null */
    TD_FIELD_KNOWN_U64,
    TD_FIELD_DOUBLE,
    TD_FIELD_TILE, /* a number, or the text of one that is not square */
    TD_FIELD_BOOL,
    TD_FIELD_MAYBE,      /* an int: 1, 0, or -1, which is null */
    TD_FIELD_INTERVAL,   /* an array in JSON, two columns in CSV */
    TD_FIELD_BLOCK,      /* likewise, three columns */
    TD_FIELD_SAMPLES,    /* an array of all samples; in CSV one field with blanks between them */
    TD_FIELD_PARAMETERS, /* an object in JSON, a column for each parameter of any workload in CSV */
    TD_FIELD_FINDING,    /* an object in JSON, a column for each finding of any workload in CSV */
    TD_FIELD_PARTS       /* an array of objects, in JSON only */
} td_field_kind;

/* The struct of the record that holds a value. */
typedef enum td_field_place { TD_IN_RECORD, TD_IN_RUN, TD_IN_RESULT } td_field_place;

typedef struct td_field {
    const char *object; /* "": a member of the run itself */
    const char *name;   /* NULL: the row is about the object */
    td_field_kind kind;
    td_field_place place; /* with `offset` */
    size_t offset;
    const char *const *names; /* of an enumeration's values */
    size_t known; /* offset of a bool in the record: false makes the value null; 0: it never is */
} td_field;

extern const td_field td_fields[];
extern const size_t td_field_count;

/* Put every field of a run; the same ones whatever happened. */
void td_put_fields(td_writer *w, const td_record *record);

/* The columns of CSV alone. */
void td_put_field_names(td_writer *w);
