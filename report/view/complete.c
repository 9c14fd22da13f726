/* complete.c - generates the completion of the options in bash, zsh and fish. */
#include <string.h>

#include "engine/options/describe.h"
#include "generate.h"

/* Print a choice "a|b" as words. */
static void print_words(FILE *out, const char *words)
{
    for (; *words != '\0'; words++) {
        fputc(*words == '|' ? ' ' : *words, out);
    }
}

/* Print a help text inside single quotes, with `marks` escaped as the shell requires. */
static void print_quoted(FILE *out, const char *text, const char *marks)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
        } else {
            fprintf(out, "%s%c", strchr(marks, *text) != NULL ? "\\" : "", *text);
        }
    }
}

/* ---- bash ---- */

static const char bash_begin[] =
    "# bash completion of tribench, made by tribench --generate complete-bash\n"
    "_tribench_words() { # CURRENT WORDS\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\")\n"
    "}\n"
    "_tribench_list() { # CURRENT WORDS: the last name between commas\n"
    "    local before=\n"
    "    [[ $1 != *,* ]] || before=${1%,*},\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$2\" -- \"${1##*,}\")\n"
    "    compopt -o nospace\n"
    "}\n"
    "_tribench_paths() { # CURRENT KIND: f for files, d for folders\n"
    "    compopt -o filenames\n"
    "    mapfile -t COMPREPLY < <(compgen \"-$2\" -- \"$1\")\n"
    "}\n"
    "_tribench() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    if [[ $cur == = ]]; then # bash takes --name=value for three words\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    case $prev in\n";

/* Print what completes the argument; nothing if it can be any text. */
static void print_bash_action(FILE *out, const td_description *d)
{
    if (d->words[0] != '\0') {
        fprintf(out, "_tribench_%s \"$cur\" '", d->is_list ? "list" : "words");
        print_words(out, d->words);
        fputs("'; ", out);
    } else if (d->takes != TD_TAKES_TEXT) {
        fprintf(out, "_tribench_paths \"$cur\" %c; ", d->takes == TD_TAKES_FOLDER ? 'd' : 'f');
    }
    fputs("return", out);
}

static void print_bash_case(FILE *out, const td_description *d)
{
    fprintf(out, "    --%s", d->name);
    if (d->letter != 0) {
        fprintf(out, " | -%c", d->letter);
    }
    fputs(d->may_be_left_out ? ") [[ $cur == -* ]] || { " : ") ", out);
    print_bash_action(out, d);
    fputs(d->may_be_left_out ? "; } ;;\n" : " ;;\n", out);
}

void td_complete_bash(FILE *out)
{
    td_description d;
    fputs(bash_begin, out);
    for (size_t i = 0; td_describe_option(i, &d); i++) {
        if (d.takes != TD_TAKES_NOTHING) {
            print_bash_case(out, &d);
        }
    }
    fputs("    esac\n    _tribench_words \"$cur\" '", out);
    for (size_t i = 0; td_describe_option(i, &d); i++) {
        fprintf(out, "%s--%s", i > 0 ? " " : "", d.name);
    }
    fputs("'\n}\ncomplete -F _tribench tribench\n", out);
}

/* ---- zsh ---- */

static void print_zsh_argument(FILE *out, const td_description *d)
{
    fprintf(out, "%s%s:", d->may_be_left_out ? "::" : ":", d->argument);
    if (d->is_list) {
        fputs("_sequence compadd - ", out);
        print_words(out, d->words);
    } else if (d->words[0] != '\0') {
        fputc('(', out);
        print_words(out, d->words);
        fputc(')', out);
    } else if (d->takes != TD_TAKES_TEXT) {
        fputs(d->takes == TD_TAKES_FOLDER ? "_files -/" : "_files", out);
    }
}

/* '(-s --strategy)'{-s+,--strategy=}'[help]:LIST:...' */
static void print_zsh_option(FILE *out, const td_description *d)
{
    const bool takes = d->takes != TD_TAKES_NOTHING;
    fputs(" \\\n    ", out);
    if (d->letter != 0) {
        fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", d->letter, d->name, d->letter,
                takes ? "+" : "", d->name, takes ? "=" : "");
    } else {
        fprintf(out, "'--%s%s[", d->name, takes ? "=" : "");
    }
    print_quoted(out, d->help, "[]\\");
    fputc(']', out);
    if (takes) {
        print_zsh_argument(out, d);
    }
    fputc('\'', out);
}

void td_complete_zsh(FILE *out)
{
    td_description d;
    fputs("#compdef tribench\n# made by tribench --generate complete-zsh\n_arguments -s -S", out);
    for (size_t i = 0; td_describe_option(i, &d); i++) {
        print_zsh_option(out, &d);
    }
    fputc('\n', out);
}

/* ---- fish ---- */

static const char fish_begin[] =
    "# fish completion of tribench, made by tribench --generate complete-fish\n"
    "function __tribench_list --description 'the names of a list behind those already there'\n"
    "    set -l token (commandline -ct | string replace -r '^--[^=]*=' '')\n"
    "    printf '%s\\n' (string match -r '^.*,' -- \"$token\"; or echo)$argv\n"
    "end\n"
    "complete -c tribench -f\n";

static void print_fish_argument(FILE *out, const td_description *d)
{
    fputs(d->may_be_left_out ? " -f" : " -r", out);
    if (d->words[0] != '\0') {
        fputs(d->is_list ? " -f -a '(__tribench_list " : " -f -a '", out);
        print_words(out, d->words);
        fputs(d->is_list ? ")'" : "'", out);
    } else if (d->takes == TD_TAKES_FOLDER) {
        fputs(" -f -a '(__fish_complete_directories)'", out);
    } else {
        fputs(d->takes == TD_TAKES_FILE ? " -F" : " -f", out);
    }
}

void td_complete_fish(FILE *out)
{
    td_description d;
    fputs(fish_begin, out);
    for (size_t i = 0; td_describe_option(i, &d); i++) {
        fprintf(out, "complete -c tribench -l %s", d.name);
        if (d.letter != 0) {
            fprintf(out, " -s %c", d.letter);
        }
        if (d.takes != TD_TAKES_NOTHING) {
            print_fish_argument(out, &d);
        }
        fputs(" -d '", out);
        print_quoted(out, d.help, "\\");
        fputs("'\n", out);
    }
}

void td_generate_print(const td_options *options)
{
    static void (*const print[])(FILE *) = {[TD_GENERATE_MAN] = td_man_print,
                                            [TD_GENERATE_BASH] = td_complete_bash,
                                            [TD_GENERATE_ZSH] = td_complete_zsh,
                                            [TD_GENERATE_FISH] = td_complete_fish};
    print[options->generate](stdout);
}
