/* generate.h - --generate: the man page and the shell completions, made from the options themselves. */
#pragma once

#include <stdio.h>

#include "engine/options/options.h"

/* Print what --generate asks for to standard output. */
void td_generate_print(const td_options *options);

/* In roff, with the man macros. */
void td_man_print(FILE *out);

void td_complete_bash(FILE *out);
void td_complete_zsh(FILE *out);
void td_complete_fish(FILE *out);
