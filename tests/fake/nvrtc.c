/* nvrtc.c - a libnvrtc.so.12 whose cubins are the source text; "#error" in the text is a compile error, and so is
 * cuda_fp16.h unless an option names its folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN int nvrtcVersion(int *major, int *minor);
SHOWN int nvrtcCreateProgram(char **program, const char *text, const char *name, int headers,
                             const char *const *texts, const char *const *names);
SHOWN int nvrtcCompileProgram(char *program, int options, const char *const *words);
SHOWN int nvrtcGetProgramLogSize(char *program, size_t *size);
SHOWN int nvrtcGetProgramLog(char *program, char *log);
SHOWN int nvrtcGetCUBINSize(char *program, size_t *size);
SHOWN int nvrtcGetCUBIN(char *program, char *cubin);
SHOWN int nvrtcDestroyProgram(char **program);
SHOWN const char *nvrtcGetErrorString(int code);

int nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 99;
    return 0;
}

int nvrtcCreateProgram(char **program, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    (void)name;
    (void)texts;
    (void)names;
    *program = strdup(text);
    return *program != NULL && headers > 0 ? 0 : 1;
}

int nvrtcCompileProgram(char *program, int options, const char *const *words)
{
    int found = strstr(program, "cuda_fp16.h") == NULL;
    for (int i = 0; i < options; i++) {
        char header[8192];
        snprintf(header, sizeof header, "%s/cuda_fp16.h", words[i] + 2);
        found |= strncmp(words[i], "-I", 2) == 0 && access(header, R_OK) == 0;
    }
    return options > 0 && found && strstr(program, "#error") == NULL ? 0 : 6;
}

int nvrtcGetProgramLogSize(char *program, size_t *size)
{
    return nvrtcGetCUBINSize(program, size);
}

int nvrtcGetProgramLog(char *program, char *log)
{
    return nvrtcGetCUBIN(program, log);
}

int nvrtcGetCUBINSize(char *program, size_t *size)
{
    *size = strlen(program) + 1;
    return 0;
}

int nvrtcGetCUBIN(char *program, char *cubin)
{
    memcpy(cubin, program, strlen(program) + 1);
    return 0;
}

int nvrtcDestroyProgram(char **program)
{
    free(*program);
    *program = NULL;
    return 0;
}

const char *nvrtcGetErrorString(int code)
{
    return code == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR";
}
