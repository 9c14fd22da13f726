/* help.c - the text of --help, from the table of options. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "option_table.h"

enum { WIDTH = 80, INDENT = 28, TEXT_SIZE = 768 };

/* What follows the option's name: " LIST", or "[=WHAT]". */
static void print_usage(FILE *out, const td_option *o)
{
    char usage[64];
    const char *argument = o->argument != NULL ? o->argument : "";
    const char *before = o->argument == NULL ? "" : argument[0] == '[' ? "[=" : " ";
    const char letter[] = {o->letter != 0 ? '-' : ' ', o->letter != 0 ? o->letter : ' ',
                           o->letter != 0 ? ',' : ' ', '\0'};
    snprintf(usage, sizeof usage, "  %s --%s%s%s", letter, o->name, before,
             argument + (argument[0] == '['));
    fprintf(out, "%-*s", INDENT - 2, usage);
    fputs(strlen(usage) > INDENT - 2 ? "\n" : "  ", out);
    if (strlen(usage) > INDENT - 2) {
        fprintf(out, "%*s", INDENT, "");
    }
}

static bool has_bounds(const td_option *o)
{
    return o->argument != NULL && o->high > 0 && o->high < UINT64_MAX &&
           strcmp(o->name, "rule") != 0 && strcmp(o->name, "shard") != 0;
}

static void append_facts(char text[TEXT_SIZE], const td_option *o)
{
    const size_t used = strlen(text);
    char room[TD_WORDS_SIZE];
    const char *words = td_option_words(o, room);
    if (words != NULL) {
        snprintf(text + used, TEXT_SIZE - used, "; one of %s", words);
    } else if (has_bounds(o)) {
        snprintf(text + used, TEXT_SIZE - used, "; %llu..%llu", (unsigned long long)o->low,
                 (unsigned long long)o->high);
    }
    const size_t then = strlen(text);
    if (o->preset != NULL) {
        snprintf(text + then, TEXT_SIZE - then, " (default: %s)", o->preset);
    }
}

/* Lines break at blanks, and behind the bars of a long choice. */
static void print_wrapped(FILE *out, const char *text)
{
    size_t column = INDENT;
    bool blank = false;
    while (*text != '\0') {
        size_t word = strcspn(text, " |");
        word += text[word] == '|';
        if (column > INDENT && column + blank + word > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
            blank = false;
        }
        fprintf(out, "%s%.*s", blank ? " " : "", (int)word, text);
        column += word + blank;
        text += word;
        blank = *text == ' ';
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void td_help_print(FILE *out)
{
    fputs("Usage: tribench [OPTION]...\n"
          "Run and time maps of thread blocks on triangular and tetrahedral domains.\n\n"
          "  tribench --strategy ltm --n 8192\n"
          "  tribench -s bb,ltm,rb -w edm1,edm4 -n 1024:30720:1024 -o sweep.json\n\n",
          out);
    for (size_t i = 0; i < td_option_count; i++) {
        char text[TEXT_SIZE];
        snprintf(text, sizeof text, "%s", td_option_table[i].help);
        append_facts(text, &td_option_table[i]);
        print_usage(out, &td_option_table[i]);
        print_wrapped(out, text);
    }
    fputs("\nA LIST is comma-separated; numbers in it may be ranges start:stop:step.\n"
          "Exit status: 0 every run ok, 1 a run failed or the result could not be written,\n"
          "2 usage, 3 a verification failed, 4 engine or device not there, 5 out of memory,\n"
          "128+signal when interrupted.\n",
          out);
}
