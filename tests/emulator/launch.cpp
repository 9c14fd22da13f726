#include "launch.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <typeinfo>
#include <utility>

#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"
#include "engine/core/coverage.h"
#include "engine/cuda/kernel_table.h"
#include "strategies/tree.h"
#include "workloads/workload.h"

namespace emulator
{
namespace
{

std::string demangled(const char *name)
{
    char *text = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
    const std::string copy = text != nullptr ? text : "";
    std::free(text);
    return copy;
}

/* "(td_launch, td_data)" of "void f<&(g(int))>(td_launch, td_data)". */
std::string parameters_of(const std::string &function)
{
    int depth = 0;
    for (size_t i = function.size(); i-- > 0;) {
        depth += function[i] == ')';
        depth -= function[i] == '(';
        if (depth == 0) {
            return function.substr(i);
        }
    }
    return "";
}

/* Maps addresses to the program's function names. With -no-pie, addresses are those in the file. */
std::map<const void *, std::string> read_symbols()
{
    std::map<const void *, std::string> found;
    struct stat about;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0) {
        return found;
    }
    const auto *base =
        (const char *)mmap(nullptr, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (base == MAP_FAILED) {
        return found;
    }
    const auto *head = (const Elf64_Ehdr *)base;
    const auto *sections = (const Elf64_Shdr *)(base + head->e_shoff);
    for (int s = 0; s < head->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB) {
            continue;
        }
        const auto *symbol = (const Elf64_Sym *)(base + sections[s].sh_offset);
        const auto *end = symbol + sections[s].sh_size / sizeof *symbol;
        const char *names = base + sections[sections[s].sh_link].sh_offset;
        for (; symbol < end; symbol++) {
            if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value != 0) {
                found[(const void *)symbol->st_value] = names + symbol->st_name;
            }
        }
    }
    munmap((void *)base, (size_t)about.st_size);
    return found;
}

std::map<const void *, std::string> &symbols()
{
    static std::map<const void *, std::string> all = read_symbols();
    return all;
}

template <typename... Parameters, size_t... I>
std::function<void()> bind_as(const void *kernel, void **arguments, std::index_sequence<I...>)
{
    const auto function = (void (*)(Parameters...))kernel;
    const std::tuple<Parameters...> copies{*(const Parameters *)arguments[I]...};
    return [=] { std::apply(function, copies); };
}

template <typename... Parameters>
bool matches(const std::string &parameters, const void *kernel, void **arguments,
             std::function<void()> *bound)
{
    if (parameters != parameters_of(demangled(typeid(void(Parameters...)).name()))) {
        return false;
    }
    *bound = bind_as<Parameters...>(kernel, arguments, std::index_sequence_for<Parameters...>());
    return true;
}

} // namespace

std::function<void()> bind(const void *kernel, void **arguments)
{
    typedef unsigned long long sum;
    std::function<void()> bound;
    const auto name = symbols().find(kernel);
    if (name == symbols().end()) {
        return bound;
    }
    const std::string p = parameters_of(demangled(name->second.c_str()));
    matches<td_launch, td_data>(p, kernel, arguments, &bound) ||
        matches<td_launch, td_data, uint32_t>(p, kernel, arguments, &bound) ||
        matches<td_launch, td_data, td_node, uint32_t>(p, kernel, arguments, &bound) ||
        matches<td_data, td_check_shape, td_device_counts *>(p, kernel, arguments, &bound) ||
        matches<td_data, td_check_shape>(p, kernel, arguments, &bound) ||
        matches<const uint8_t *, uint32_t, uint64_t, td_device_counts *>(p, kernel, arguments,
                                                                         &bound) ||
        matches<td_launch, uint32_t *, sum *>(p, kernel, arguments, &bound) ||
        matches<td_launch, const uint64_t *, uint64_t, td_tile *>(p, kernel, arguments, &bound) ||
        matches<const uint32_t *, uint64_t, sum *>(p, kernel, arguments, &bound) ||
        matches<double *, uint64_t>(p, kernel, arguments, &bound);
    return bound;
}

void trace(const char *what)
{
    static const bool wanted = std::getenv("TRIBENCH_EMULATOR_TRACE") != nullptr;
    if (wanted) {
        std::fprintf(stderr, "%s\n", what);
    }
}

} // namespace emulator

/* ---- libraries of kernels: shared ones, see toolkit/bin/nvcc ---- */

/* By its real path, since the loader knows libraries by their names, and path may be that of a descriptor. */
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *,
                                    void **, unsigned, enum cudaLibraryOption *, void **, unsigned)
{
    char real[PATH_MAX];
    const char *named = realpath(path, real) != nullptr ? real : path;
    *library = (cudaLibrary_t)dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (*library == nullptr) {
        std::fprintf(stderr, "emulator: %s\n", dlerror());
    }
    return *library != nullptr ? cudaSuccess : cudaErrorInvalidKernelImage;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    *kernel = (cudaKernel_t)dlsym(library, name);
    if (*kernel == nullptr) {
        return cudaErrorSymbolNotFound;
    }
    emulator::symbols()[*kernel] = name;
    return cudaSuccess;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    const cudaError_t code = cudaDeviceSynchronize();
    dlclose(library);
    return code;
}

/* ---- what a profiler is told ---- */

cudaError_t cudaProfilerStart()
{
    emulator::trace("profiler on");
    return cudaSuccess;
}

cudaError_t cudaProfilerStop()
{
    emulator::trace("profiler off");
    return cudaSuccess;
}
