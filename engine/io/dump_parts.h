/* dump_parts.h - --dump of a domain that is shared out: rank 0 writes what the others send, part by part. */
#ifndef TD_ENGINE_IO_DUMP_PARTS_H
#define TD_ENGINE_IO_DUMP_PARTS_H

#include "file.h"
#include "engine/needs/buffers.h"

/* As td_dump_write, with the same bytes in the file. Every rank calls it; `file` is rank 0's. */
td_status td_dump_parts(td_new_file *file, const td_run *run, td_buffers *buffers, td_error *error);

#endif
