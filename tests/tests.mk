# Included by the Makefile: builds and runs the tests.

.PHONY: archive paper check check-study check-exhaustive check-mutants check-emulated check-faults check-thorough check-build
.PHONY: fuzz fuzz-build bench

TESTS := $(patsubst tests/unit/%.c,$(OUT)/tests/unit/%,$(wildcard tests/unit/*_test.c))

$(OUT)/tests/unit/%_test: $(OUT)/tests/unit/%_test.o $(OUT)/tests/unit/test.o $(OBJECTS)
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $(WRAPPED:%=-Wl,--wrap=%) $^ $(LIBS) -lcmocka -o $@

# Has a report of its own, which keeps the results.
$(OUT)/tests/unit/worker_test: WRAPPED := td_report_group
# Have functions on cells, and maps, of their own.
$(OUT)/tests/unit/isa_test $(OUT)/tests/unit/outside_clock_test: WRAPPED := td_cpu_cells_of
# Has a build of its own, which is the same everywhere.
$(OUT)/tests/unit/shown_test: WRAPPED := td_build
# Has a clock of its own.
$(OUT)/tests/unit/progress_test: WRAPPED := clock_gettime
# Have a host of their own, which is crowded when the test says so.
$(OUT)/tests/unit/sampling_test $(OUT)/tests/unit/trace_test: WRAPPED := td_host_is_crowded
# Has a device of its own, with known times.
$(OUT)/tests/unit/race_test: WRAPPED := td_group_run

# A fake of NVIDIA's management library.
FAKE_NVML := $(OUT)/tests/fake/libnvidia-ml.so.1
$(FAKE_NVML): tests/fake/nvml.c tests/fake/nvml.h
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(LINK) $(TD_CFLAGS) $(CFLAGS) -shared -fPIC -Wl,-soname,$(@F) $(LDFLAGS) $< -o $@

$(OUT)/tests/unit/nvml_test: | $(FAKE_NVML)

# A fake of NVIDIA's compiler. Compiling for a GPU needs no GPU: a build without CUDA has that code for this test alone.
FAKE_NVRTC := $(OUT)/tests/fake/libnvrtc.so.12
$(FAKE_NVRTC): tests/fake/nvrtc.c
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(LINK) $(TD_CFLAGS) $(CFLAGS) -shared -fPIC -Wl,-soname,$(@F) $(LDFLAGS) $< -o $@

$(OUT)/tests/unit/device_compiler_test: $(if $(filter 0,$(CUDA)),$(OUT)/engine/cuda/own_source.o) | $(FAKE_NVRTC)

# The program with a third engine and a table of engines that replaces its own.
NULL_OBJECTS := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/engine_null/*.c)) $(filter-out $(OUT)/engine/options/engines.o,$(OBJECTS))

$(OUT)/tests/tribench_null: $(OUT)/main.o $(NULL_OBJECTS)
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $^ $(LIBS) -o $@

# The program with a first engine that seems to be usable and is not.
$(OUT)/tests/tribench_gone: $(OUT)/main.o $(OUT)/tests/engine_gone/engines.o $(filter-out $(OUT)/engine/options/engines.o,$(OBJECTS))
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $^ $(LIBS) -o $@

# The program with calls that fail on request: each wrapper of tests/faults replaces its function.
FAULT_OBJECTS := $(OUT)/tests/faults/faults.o $(OUT)/tests/faults/nvml.o $(if $(filter-out 0,$(CUDA)),$(OUT)/tests/faults/cuda.o) \
                 $(if $(filter 1,$(CUDA)),$(OUT)/tests/faults/device.o)
FAULTS = $(shell sed -nE 's/^WRAP.[a-zA-Z_ *]+, ([a-z0-9_]+),.*/\1/p' tests/faults/faults.c) fclose fread dlsym \
         $(if $(filter-out 0,$(CUDA)),$(shell sed -nE 's/^WRAP[A-Z_]*.(cuda[A-Za-z]+),.*/\1/p' tests/faults/cuda.c))

# Uses the shared CUDA runtime if there is one, since the faults would also hit the static one's allocations.
SHARED_CUDART := $(if $(CUDA_ROOT),$(firstword $(wildcard $(CUDA_ROOT)/lib64/libcudart.so $(CUDA_ROOT)/lib/libcudart.so)))
FAULT_LIBS = $(if $(SHARED_CUDART),-Xlinker -rpath=$(dir $(SHARED_CUDART)) $(LIBS:-lcudart_static=-lcudart),$(LIBS))

$(OUT)/tests/tribench_faults: $(OUT)/main.o $(OBJECTS) $(FAULT_OBJECTS)
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $(FAULTS:%=-Wl,--wrap=%) $^ $(FAULT_LIBS) -o $@

check-faults: setup
	+@$(MAKE) --no-print-directory $(OUT)/tests/tribench_faults
	@tests/faults/run --engine $(if $(filter-out 0,$(CUDA)),cuda,cpu) $(if $(NOTE),--note) $(OUT)/tests/tribench_faults

# Has its own kernels if there is a compiler for them; those that record the time replace the engine's.
CUDA_TEST := $(OUT)/tests/cuda_check
CUDA_TEST_KERNELS := $(if $(filter-out 0,$(CUDA)),stamps) $(if $(filter 1,$(CUDA)),fault)
CUDA_TEST_SOURCES := $(filter-out $(foreach k,stamps,$(if $(filter $(k),$(CUDA_TEST_KERNELS)),,%/$(k)_check.c)),$(wildcard tests/cuda/*.c))
CUDA_TEST_OBJECTS := $(CUDA_TEST_SOURCES:%.c=$(OUT)/%.o) $(OUT)/tests/unit/test.o $(CUDA_TEST_KERNELS:%=$(OUT)/tests/cuda/%.o)
CUDA_TEST_WRAPS := $(if $(filter stamps,$(CUDA_TEST_KERNELS)),td_kernels_of)

$(CUDA_TEST): $(CUDA_TEST_OBJECTS) $(OBJECTS)
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $(CUDA_TEST_WRAPS:%=-Wl,--wrap=%) $^ $(LIBS) -lcmocka -o $@

BENCHES := $(patsubst tests/bench/%.c,$(OUT)/bench/%,$(wildcard tests/bench/*.c))

# The loops that the engine is compared with, as fast as this machine's compiler makes them.
NATIVE := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/bench/native/*.c))

$(OUT)/tests/bench/native/%.o: tests/bench/native/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=c11 -O3 -march=native -fopenmp -fno-math-errno $(WARNINGS) -MMD -MP -c $< -o $@

$(OUT)/bench/%: $(OUT)/tests/bench/%.o $(NATIVE) $(OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(LINK) $(LDFLAGS) $^ $(LIBS) -o $@

check-build: $(OUT)/tribench $(OUT)/tests/tribench_null $(OUT)/tests/tribench_gone $(OUT)/tests/tribench_faults $(TESTS) $(CUDA_TEST)

# The set-up comes first and then make starts again, since only then can it find the libraries.
check: SETUP := --browser
check: setup
	@echo 'make check: some minutes on two cores; each program says how long it took as soon as it ends' >&2
	+@$(MAKE) --no-print-directory check-build
	@tests/run --out $(OUT) --venv $(BUILD)/venv

check-exhaustive: SETUP := --browser
check-exhaustive: setup
	+@$(MAKE) --no-print-directory check-build
	@TD_EXHAUSTIVE=1 tests/run --out $(OUT) --venv $(BUILD)/venv

# What answers the papers and fills the docs.
check-study: setup
	+@$(MAKE) --no-print-directory $(OUT)/tribench
	@tests/run --out $(OUT) --venv $(BUILD)/venv study

# The kernels of the cuda engine, thread by thread, without a GPU.
check-emulated: setup
	+@$(MAKE) --no-print-directory CUDA=emulated $(BUILD)/emulated/tribench $(BUILD)/emulated/tests/cuda_check
	@tests/run --out $(BUILD)/emulated --venv $(BUILD)/venv emulator

# A sample of broken lines, each of which a test must notice; see tests/mutants/run.
check-mutants: setup
	@tests/mutants/run --venv $(BUILD)/venv $(if $(NOTE),--note)

check-thorough: setup
	@tests/thorough $(if $(NOTE),--note) $(if $(filter 1,$(CUDA)),--gpu)

bench: setup
	+@$(MAKE) --no-print-directory $(BENCHES)
	@$(BUILD)/venv/bin/python tests/bench/compare $(OUT)/bench/launches $(BENCH)

# ---------------------------------------------------------------- fuzzing: clang, its sanitizers, the engine that does nothing

FUZZ_CC ?= clang
FUZZ_CFLAGS := -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -Wno-unknown-pragmas
FUZZ_SOURCES := $(filter-out engine/cpu/% engine/cuda/% engine/compile/own_%.c engine/compile/source.c engine/compile/device_compiler.c engine/compile/nvrtc.c engine/ranks/mpi.c engine/options/engines.c,$(SOURCES)) $(if $(filter 1,$(MPI)),engine/ranks/no_mpi.c) tests/engine_null/null.c tests/fuzz/engines.c
FUZZ_OBJECTS := $(FUZZ_SOURCES:%.c=$(BUILD)/fuzz/%.o)
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))

$(BUILD)/fuzz/build_info.h: $(OUT)/build_info.h
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/fuzz/%.o: %.c $(BUILD)/fuzz/build_info.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -I. -I$(BUILD)/fuzz $(CJSON_CFLAGS) $(XXHASH_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/fuzz/%_fuzz: $(BUILD)/fuzz/tests/fuzz/%_fuzz.o $(FUZZ_OBJECTS)
	$(call say,LD)
	$(Q)$(FUZZ_CC) -fsanitize=address,undefined,fuzzer $^ $(LIBS) -o $@

-include $(shell find $(BUILD)/fuzz -name '*.d' 2>/dev/null)

TIME ?= 60
fuzz-build: $(FUZZERS) $(OUT)/tribench

fuzz:
	@scripts/setup --venv $(BUILD)/venv --fuzz
	+@$(MAKE) --no-print-directory CUDA=0 fuzz-build
	@tests/fuzz/run --build $(BUILD) --time $(TIME) $(if $(SEED),--seed $(SEED)) $(if $(NOTE),--note)

# ---------------------------------------------------------------- what one deposits

# As one deposits it: the sources, the results, and what they are.
archive: dist
	@rm -rf $(BUILD)/archive && mkdir -p $(BUILD)/archive
	@cp -r study/results LICENSE CITATION.cff codemeta.json $(BUILD)/tribench-$(VERSION).tar.gz $(BUILD)/archive/
	@cd $(BUILD)/archive && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
	@echo '$(BUILD)/archive: sha256sum --check SHA256SUMS'

paper:
	@command -v pandoc >/dev/null || { echo 'make paper: needs pandoc' >&2; exit 1; }
	@mkdir -p $(BUILD)
	pandoc --standalone --citeproc --resource-path paper --bibliography paper/paper.bib -o $(BUILD)/paper.html paper/paper.md
