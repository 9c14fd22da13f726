/*
 * fields.h - the fields of a record: one table, from which JSON and CSV are written.
 *
 * Both write the fields in the order of the rows. The unit of a number is in its name.
 */
#pragma once

#include "record.h"

/* A member of the run that is an object itself; its fields follow each other in the table. */
typedef struct td_field_object {
    const char *name;
    size_t exists; /* as td_field.known */
} td_field_object;

typedef enum td_field_kind {
    TD_FIELD_TEXT,  /* a pointer; NULL and "" are null */
    TD_FIELD_CHARS, /* an array; "" is null */
    TD_FIELD_WORD,  /* an enumeration */
    TD_FIELD_U32,
    TD_FIELD_U64,
    TD_FIELD_DOUBLE, /* NaN is null */
    TD_FIELD_TILE,   /* a number, or the text of one that is not square */
    TD_FIELD_BOOL,
    TD_FIELD_MAYBE,      /* an int: 1, 0, or -1, which is null */
    TD_FIELD_SAMPLES,    /* an array of all samples; in CSV one field with blanks between them */
    TD_FIELD_PARAMETERS, /* an object in JSON, a column for each parameter of any workload in CSV */
    TD_FIELD_FINDING,    /* an object in JSON, a column for each finding of any workload in CSV */
    TD_FIELD_PARTS       /* an array of objects, in JSON only */
} td_field_kind;

/* The struct of the record that holds a value. */
typedef enum td_field_place { TD_IN_RECORD, TD_IN_RUN, TD_IN_RESULT } td_field_place;

typedef struct td_field {
    const td_field_object *object; /* NULL: a member of the run itself */
    const char *member;            /* name in JSON; NULL: another element of the row above */
    const char *column;            /* name in CSV: the path in JSON; NULL: no column, or several */
    size_t known; /* offset of a bool in the record: false makes the value null; 0: as the object */
    td_field_kind kind;
    td_field_place place; /* with `offset` */
    size_t offset;
    size_t elements;          /* JSON: an array of this row and the next ones; 0: not an array */
    const char *const *names; /* of an enumeration's values */
} td_field;

extern const td_field td_fields[];
extern const size_t td_field_count;

/* A value of a kind before TD_FIELD_SAMPLES, as both formats see it. */
typedef enum td_field_type {
    TD_VALUE_NULL,
    TD_VALUE_TEXT,
    TD_VALUE_COUNT,
    TD_VALUE_REAL,
    TD_VALUE_FLAG
} td_field_type;
typedef struct td_field_value {
    td_field_type type;
    const char *text;
    uint64_t count;
    double real;
    bool flag;
} td_field_value;

/* Whether the object of a field exists; true for a member of the run itself. */
bool td_field_has_object(const td_field *field, const td_record *record);

/* The value of a field of a kind before TD_FIELD_SAMPLES. */
td_field_value td_field_read(const td_field *field, const td_record *record);
