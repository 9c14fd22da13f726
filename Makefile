# tribench - GNU Make. `make help` lists the targets and the variables.

VERSION := 0.2.0
RELEASED := 2026-11-24

BUILD ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
V ?= 0
SANITIZE ?= 0
# Warnings are errors where the project is checked, but not for other compilers, whose warnings are unknown.
STRICT ?= $(if $(CI),1,0)
STRICT_FLAG := $(if $(filter 1,$(STRICT)),-Werror)
CJSON_PREFIX ?=
# The Python of the installed report tools, a path or a name on PATH. It has the packages of report/requirements.txt.
PYTHON ?= python3
CUDA_HOME ?=
# Architectures with their own code, such as "80 90". The last one is also included as PTX, which newer GPUs compile at
# their first start. Each adds a minute and a half to a build on two cores.
CUDA_ARCH ?= 90
# Compiles device code in less than half of the time, only to see that it compiles: its timings mean nothing.
QUICK ?= 0

# A plain `make` uses all cores.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

NVCC := $(or $(if $(CUDA_HOME),$(wildcard $(CUDA_HOME)/bin/nvcc)),$(shell command -v nvcc 2>/dev/null))
# CUDA=emulated compiles the kernels for the host, which emulates the GPU thread by thread: it tests their logic, never
# their time. The program is $(BUILD)/emulated/tribench. See tests/README.md.
CUDA ?= $(if $(NVCC),1,0)
ifeq ($(CUDA),1)
ifeq ($(NVCC),)
$(error CUDA=1 needs nvcc: put it on PATH or set CUDA_HOME)
endif
CUDA_ROOT := $(or $(CUDA_HOME),$(patsubst %/bin/nvcc,%,$(realpath $(NVCC))))
endif

# One short line per file; V=1 shows whole commands.
ifeq ($(V),1)
say =
Q :=
else
say = @echo '  $(1) $@'
Q := @
endif

# One directory per kind of build, so that none sees another's objects.
OUT := $(BUILD)/$(if $(filter 1,$(CUDA)),cuda$(if $(filter 1,$(QUICK)),-quick),$(if $(filter emulated,$(CUDA)),emulated,cpu))$(if $(filter 1,$(SANITIZE)),-sanitize)

# ---------------------------------------------------------------- flags

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(STRICT_FLAG)
# -ffp-contract=off: hosts with and without FMA round alike. -fno-math-errno makes sqrtf a single instruction.
TD_CFLAGS := -std=c11 -D_GNU_SOURCE -O3 -g -fopenmp -ffp-contract=off -fno-math-errno $(WARNINGS)
LIBS := -lm -ldl -lpthread
LINK := $(CC) -fopenmp

ifeq ($(SANITIZE),1)
TD_CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LINK += -fsanitize=address,undefined
endif

ifneq ($(CJSON_PREFIX),)
CJSON_CFLAGS := -isystem $(CJSON_PREFIX)/include -isystem $(CJSON_PREFIX)/include/cjson
CJSON_LIBS := -L$(CJSON_PREFIX)/lib -L$(CJSON_PREFIX)/lib64 -Wl,-rpath,$(CJSON_PREFIX)/lib -lcjson
else
CJSON_CFLAGS = $(shell pkg-config --cflags libcjson)
CJSON_LIBS = $(shell pkg-config --libs libcjson || echo -lcjson)
endif

# Digests come from xxHash, of which only the header is needed.
XXHASH_CFLAGS := $(shell pkg-config --cflags libxxhash 2>/dev/null)

# --ranks uses MPI. Its compiler wrapper, or pkg-config, says where it is; without MPI, --ranks says so. (The Debian
# package has a pkg-config file for its C library under the name mpi-c.)
MPI_FROM := $(or $(if $(shell command -v mpicc 2>/dev/null),mpicc),$(if $(shell pkg-config --exists mpi-c 2>/dev/null && echo 1),mpi-c))
MPI ?= $(if $(MPI_FROM),1,0)
ifeq ($(MPI),1)
ifeq ($(MPI_FROM),)
$(error MPI=1 needs mpicc on PATH or mpi-c in pkg-config; Debian: libopenmpi-dev, openmpi-bin)
endif
# Open MPI's wrapper answers --showme; MPICH's answers -compile_info and -link_info, with the compiler in front.
mpi_flags = $(if $(filter mpi-c,$(MPI_FROM)),$(shell pkg-config --$(3) mpi-c),$(shell mpicc --showme:$(1) 2>/dev/null || mpicc -$(2)_info 2>/dev/null | cut -d' ' -f2-))
MPI_CFLAGS := $(patsubst -I%,-isystem %,$(filter -I% -D%,$(call mpi_flags,compile,compile,cflags)))
MPI_LIBS := $(filter -L% -l% -Wl%,$(call mpi_flags,link,link,libs))
LIBS += $(MPI_LIBS)
endif

CPPFLAGS_ALL := -I. -I$(OUT) $(CJSON_CFLAGS) $(XXHASH_CFLAGS) $(CPPFLAGS)
LIBS += $(CJSON_LIBS)

ifeq ($(CUDA),1)
GENCODE := $(foreach a,$(CUDA_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
           -gencode arch=compute_$(lastword $(CUDA_ARCH)),code=compute_$(lastword $(CUDA_ARCH))
# -O0 applies to the host side of .cu files, which is stubs and tables; device code is always optimized. Members that a
# descriptor does not name are 0, but -Wextra would require all of them.
QUICKLY := $(if $(filter 1,$(QUICK)),-Ofc=max)
NVCCFLAGS_ALL = -I. -std=c++20 -O0 $(if $(LINEINFO),-lineinfo) $(QUICKLY) $(if $(STRICT_FLAG),-Werror all-warnings) -Xfatbin=-compress-all -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers $(GENCODE) $(NVCCFLAGS)
CUDA_LIBS := -L$(CUDA_ROOT)/lib64 -L$(CUDA_ROOT)/lib -lcudadevrt -lcudart_static -lrt -lstdc++
CPPFLAGS_ALL += -isystem $(CUDA_ROOT)/include
LIBS := $(CUDA_LIBS) $(LIBS)
endif

# -no-pie: the address of a kernel is that of its symbol. Members that a descriptor does not name are 0, as for nvcc.
ifeq ($(CUDA),emulated)
CXX_ALL = $(CXX) -std=c++20 $(CXX_SPEED) -g -fno-pie -ffp-contract=off -I. -Itests/emulator -Wall -Wextra $(STRICT_FLAG) \
          -Wno-missing-field-initializers -Wno-unknown-pragmas $(filter -fsanitize% -fno-%,$(TD_CFLAGS)) $(CXXFLAGS)
CPPFLAGS_ALL += -Itests/emulator
TD_CFLAGS += -O0 -fno-pie
# Optimize only kernels that every run needs: others run rarely, and compiling them would take longer than it saves.
CXX_SPEED := -O0
$(OUT)/tests/emulator/%.o $(OUT)/engine/cuda/kernels/check_kernels.o: CXX_SPEED := -O2
LINK += -no-pie -rdynamic # loaded kernels call the emulator
LIBS += -lstdc++
endif

# ---------------------------------------------------------------- sources, by wildcard: adding a file edits nothing here

SOURCES := $(filter-out engine/cuda/% engine/ranks/$(if $(filter 1,$(MPI)),no_mpi,mpi).c,$(wildcard strategies/*.c workloads/*.c workloads/*/*.c workloads/*/*/*.c engine/*.c engine/*/*.c engine/*/*/*.c report/*.c report/*/*.c run/*.c run/*/*.c))
ifeq ($(CUDA),0)
SOURCES += engine/cuda/none.c engine/cuda/nvml.c
else
SOURCES += $(filter-out %/none.c,$(wildcard engine/cuda/*.c))
CUDA_OBJECTS := $(patsubst %.cu,$(OUT)/%.o,$(wildcard engine/cuda/kernels/*.cu)) \
                $(if $(filter 1,$(CUDA)),$(OUT)/trees_link.o,$(patsubst %.cpp,$(OUT)/%.o,$(wildcard tests/emulator/*.cpp)))
endif
# The objects that take longest come first, so that none of them is compiled alone at the end.
OBJECTS := $(CUDA_OBJECTS) $(SOURCES:%.c=$(OUT)/%.o)

# No built-in rules: one of them would link x.d from x.d.o.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all demo bundle lint format install uninstall dist wheel clean setup help FORCE

all: tribench

ifneq ($(CUDA),emulated)
tribench: $(OUT)/tribench
	@cmp -s $< $@ || install -m 755 $< $@
else
tribench:
	$(error CUDA=emulated is for tests: make CUDA=emulated $(OUT)/tribench)
endif

$(OUT)/tribench: $(OBJECTS) $(OUT)/main.o
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $^ $(LIBS) -o $@

# ---------------------------------------------------------------- what the build says of itself

$(OUT)/build_info.h: FORCE
	@mkdir -p $(OUT)
	@{ echo '#define TD_VERSION "$(VERSION)"'; \
	   echo '#define TD_BUILD_COMPILER "$(shell $(CC) --version | head -n 1 | tr -d '"')"'; \
	   echo '#define TD_BUILD_FLAGS "$(filter-out -W%,$(TD_CFLAGS) $(CFLAGS)) $(if $(filter 1,$(CUDA)),sm $(CUDA_ARCH)$(if $(filter 1,$(QUICK)), quick))"'; \
	   echo '#define TD_BUILD_CUDA "$(if $(filter 1,$(CUDA)),$(shell $(NVCC) --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'),$(filter emulated,$(CUDA)))"'; \
	   echo '#define TD_BUILD_COMMIT "$(shell scripts/commit 2>/dev/null)"'; } >$@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi

$(OUT)/report/build_info.o: $(OUT)/build_info.h
$(OUT)/engine/ranks/mpi.o: CPPFLAGS_ALL += $(MPI_CFLAGS)
$(OUT)/engine/compile/device_compiler.o: CPPFLAGS_ALL += -DTD_CUDA_ROOT='"$(CUDA_ROOT)"'

# ---------------------------------------------------------------- objects

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(TD_CFLAGS) $(CPPFLAGS_ALL) $(CFLAGS) -MMD -MP -c $< -o $@

# In a block of 1024, a thread can have 64 registers; a cell of water would use more.
$(OUT)/engine/cuda/kernels/automata.o $(OUT)/engine/cuda/kernels/trees.o: NVCC_MOST := -maxrregcount=64

# Tensor cores of compute capability 9.0: code for this one architecture, which nothing newer can run.
ifeq ($(CUDA)$(filter 90,$(CUDA_ARCH)),190)
$(OUT)/engine/cuda/kernels/clusters.o: GENCODE := -gencode arch=compute_90a,code=sm_90a -DTD_HOPPER
endif

# Kernels that launch kernels need relocatable device code and their own link step.
$(OUT)/engine/cuda/kernels/trees.o: NVCC_RDC := -rdc=true
# Without inlining, their functions would need more registers than their callers may have.
$(OUT)/engine/cuda/kernels/trees.o: QUICKLY :=

ifneq ($(CUDA),emulated)
$(OUT)/%.o: %.cu
	@mkdir -p $(@D)
	$(call say,NVCC)
	$(Q)$(NVCC) $(NVCCFLAGS_ALL) $(NVCC_RDC) $(NVCC_MOST) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

$(OUT)/trees_link.o: $(OUT)/engine/cuda/kernels/trees.o
	$(call say,NVCC)
	$(Q)$(NVCC) $(GENCODE) -dlink $^ -lcudadevrt -o $@
else
$(OUT)/%.o: %.cu
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX_ALL) -x c++ -include tests/emulator/kernel.h -MMD -MP -c $< -o $@

$(OUT)/%.o: %.cpp
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX_ALL) -MMD -MP -c $< -o $@
endif

%.d: ; # written with the objects; without this rule make would try to link each from an object of its name
-include $(shell find $(OUT) -type f -name '*.d' 2>/dev/null)

# ---------------------------------------------------------------- tests, fuzzing and benchmarks

# The program also builds without that folder.
-include tests/tests.mk

demo: setup
	@echo 'make demo: about two minutes on two cores without a GPU' >&2
	+@$(MAKE) --no-print-directory all
	@scripts/demo --venv $(BUILD)/venv

setup:
	@scripts/setup --venv $(BUILD)/venv $(SETUP)

# ---------------------------------------------------------------- a folder that runs on a node that has nothing

# The headers that a workload or a map from a file is compiled with, for the host and for a GPU.
KERNEL_HEADERS := $(wildcard strategies/*.h $(foreach f,workloads workloads/* workloads/*/*,$(f)/*.h $(f)/*.cuh) engine/core/coverage.h \
                  engine/core/digest.h engine/core/own.h engine/cpu/kernels/*.h engine/cuda/kernel_table.h engine/cuda/kernels/*.cuh)
put_headers = mkdir -p $(1) && tar --mode=u=rwX,go=rX -cf - $(KERNEL_HEADERS) | tar -C $(1) --no-same-owner -xf -

# The old kind of rpath, because it also applies to the dependencies of the libraries.
bundle: $(OUT)/main.o $(OBJECTS) $(CUDA_TEST_OBJECTS)
	@rm -rf $(BUILD)/bundle && mkdir -p $(BUILD)/bundle/lib
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib' $(OUT)/main.o $(OBJECTS) $(LIBS) -o $(BUILD)/bundle/tribench
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib' $(CUDA_TEST_WRAPS:%=-Wl,--wrap=%) $(CUDA_TEST_OBJECTS) $(OBJECTS) $(LIBS) -lcmocka -o $(BUILD)/bundle/cuda_check
ifeq ($(CUDA),1)
	$(call say,NVCC)
	+$(Q)$(MAKE) --no-print-directory install PREFIX=$(abspath $(OUT)/stage) DESTDIR= LIBDIR=$(abspath $(OUT)/stage/lib) >/dev/null
	$(Q)$(NVCC) $(GENCODE) -I$(OUT)/stage/include examples/pairs.cu -L$(OUT)/stage/lib -ltribench-maps \
	    -Xlinker --disable-new-dtags,-rpath,'$$ORIGIN/lib' -o $(BUILD)/bundle/pairs
endif
	$(Q)$(call put_headers,$(BUILD)/bundle/include)
	@scripts/bundle $(BUILD)/bundle

# ---------------------------------------------------------------- house-keeping

lint:
	@scripts/lint $(OUT)

format:
	clang-format -i main.c $$(git ls-files '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' | grep -v '^main.c$$')

# ---------------------------------------------------------------- where others find it

# The maps for other programs: the headers, and a library with the rest, plans and the list.
MAPS := $(OUT)/libtribench-maps.a
$(MAPS): $(patsubst %.c,$(OUT)/%.o,$(wildcard strategies/*.c))
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

DEST = $(DESTDIR)$(PREFIX)
DOC = $(DEST)/share/doc/tribench
LIBEXEC = $(DEST)/libexec/tribench
OWN_FOLDERS := include/tribench share/tribench share/doc/tribench libexec/tribench
# Commands that are scripts, with their places in the shared folder.
TOOLS := sweep=scripts/sweep turns=scripts/turns report=report/tribench-report

install: $(OUT)/tribench $(MAPS)
	install -d $(addprefix $(DEST)/,$(OWN_FOLDERS)) $(DESTDIR)$(LIBDIR)/pkgconfig
	install -D -m 755 $(OUT)/tribench $(DEST)/bin/tribench
	install -m 644 report/schema/*.json $(DEST)/share/tribench
	install -m 644 strategies/*.h $(DEST)/include/tribench
	$(call put_headers,$(DEST)/include/tribench/kernel)
	install -m 644 $(MAPS) $(DESTDIR)$(LIBDIR)
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' strategies/tribench.pc.in \
	    >$(DESTDIR)$(LIBDIR)/pkgconfig/tribench.pc
	install -m 644 LICENSE CHANGELOG.md CITATION.cff README.md $(DOC)
	tar --mode=u=rwX,go=rX -cf - docs examples | tar -C $(DOC) --no-same-owner -xf -
	install -d $(LIBEXEC)/scripts $(LIBEXEC)/report/tribench_report.dist-info
	install -m 755 scripts/sweep scripts/sweep-file scripts/sweep.sbatch scripts/turns $(LIBEXEC)/scripts
	install -m 644 scripts/supervise.bash $(LIBEXEC)/scripts
	sed -i 's|usage: scripts/|usage: tribench-|' $(LIBEXEC)/scripts/sweep $(LIBEXEC)/scripts/turns
	tar -C report --mode=u=rwX,go=rX --exclude=__pycache__ -cf - tribench_report schema requirements.txt | tar -C $(LIBEXEC)/report --no-same-owner -xf -
	sed '1s|.*|#!$(if $(filter /%,$(PYTHON)),,/usr/bin/env )$(PYTHON)|' report/tribench-report >$(LIBEXEC)/report/tribench-report
	chmod 755 $(LIBEXEC)/report/tribench-report
	printf 'Metadata-Version: 2.1\nName: tribench-report\nVersion: $(VERSION)\n' >$(LIBEXEC)/report/tribench_report.dist-info/METADATA
	$(foreach t,$(TOOLS),sed 's|@NAME@|$(firstword $(subst =, ,$t))|; s|@PYTHON@|$(PYTHON)|; s|@PART@|$(lastword $(subst =, ,$t))|' \
	    scripts/installed.in >$(DEST)/bin/tribench-$(firstword $(subst =, ,$t)) && \
	    chmod 755 $(DEST)/bin/tribench-$(firstword $(subst =, ,$t)) &&) true
	install -D -m 644 contrib/tribench.bash $(DEST)/share/bash-completion/completions/tribench
	! command -v help2man >/dev/null || { install -d $(DEST)/share/man/man1 && \
	    help2man --no-info --name='run and time maps of thread blocks on triangles' --help-option=--help=all --output=$(DEST)/share/man/man1/tribench.1 $(OUT)/tribench; }

uninstall:
	rm -f $(DEST)/bin/tribench $(foreach t,$(TOOLS),$(DEST)/bin/tribench-$(firstword $(subst =, ,$t))) \
	    $(DESTDIR)$(LIBDIR)/libtribench-maps.a $(DESTDIR)$(LIBDIR)/pkgconfig/tribench.pc \
	    $(DEST)/share/man/man1/tribench.1 $(DEST)/share/bash-completion/completions/tribench
	rm -rf $(addprefix $(DEST)/,$(OWN_FOLDERS))

# Packs the committed tree, with the same bytes each time; scripts/commit in it knows the commit.
dist:
	@[ "$$(git rev-parse --show-prefix 2>&1)" = '' ] || { echo 'make dist: needs the repository of tribench' >&2; exit 1; }
	@git diff --quiet HEAD || echo 'make dist: what is not committed stays out' >&2
	@mkdir -p $(BUILD)
	git -c tar.umask=0022 -c tar.tar.gz.command='gzip -9n' archive --prefix=tribench-$(VERSION)/ -o $(BUILD)/tribench-$(VERSION).tar.gz HEAD

# With zig in that environment, setup.py links for an older glibc (OLDEST_GLIBC there). auditwheel checks that and adds
# the libraries that a machine may lack.
wheel: setup
	@rm -rf $(BUILD)/wheel/raw
	+$(Q)$(BUILD)/venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir $(BUILD)/wheel/raw .
	$(Q)PATH=$(abspath $(BUILD)/venv/bin):$$PATH $(BUILD)/venv/bin/python -m auditwheel repair --strip --only-plat --plat manylinux_2_28_$(shell uname -m) --wheel-dir $(BUILD) $(BUILD)/wheel/raw/tribench-*.whl

clean:
	rm -rf $(BUILD) tribench

help:
	@echo 'make                    ./tribench (CUDA=$(CUDA), CUDA_ARCH="$(CUDA_ARCH)")'
	@echo 'make demo               a small sweep with its JSON and plots, in demo/'
	@echo 'make check              the tests; check-exhaustive takes longer and skips nothing'
	@echo 'make check-study        the tests of what answers the papers'
	@echo 'make check-emulated     the kernels of the cuda engine on a processor that plays the GPU'
	@echo 'make check-mutants      breaks the program line by line and sees each break noticed; NOTE=1 notes the figures'
	@echo 'make check-faults       lets every call of the C library and of CUDA fail in turn; NOTE=1 notes the figures'
	@echo 'make check-thorough     all of that and more, for hours: see tests/README.md'
	@echo 'make fuzz               every fuzz target for TIME=$(TIME) seconds (clang); NOTE=1 notes the figures'
	@echo 'make bench              compares the cpu engine with plain loops and with scipy; BENCH="--threads 4"'
	@echo 'make bundle             $(BUILD)/bundle: runs on a GPU node that has no libraries and no network'
	@echo 'make lint, make format  style'
	@echo 'make install            PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) DESTDIR=$(DESTDIR) PYTHON=$(PYTHON); make uninstall, make clean'
	@echo 'make dist, make wheel   $(BUILD)/tribench-$(VERSION).tar.gz; and for pip, tribench-$(VERSION)-py3-none-*.whl'
	@echo 'make archive            $(BUILD)/archive: what one deposits, with checksums'
	@echo 'make paper              $(BUILD)/paper.html from paper/paper.md (pandoc)'
	@echo 'Variables               CUDA=0|1 CUDA_HOME= CUDA_ARCH="$(CUDA_ARCH)" MPI=0|1 LINEINFO=1 QUICK=1 BUILD= SANITIZE=1 STRICT=1 CJSON_PREFIX='
