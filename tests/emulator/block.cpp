/* block.cpp - the threads of a block as coroutines on stacks of their own. */
#include "block.h"

#include <setjmp.h>
#include <ucontext.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace emulator
{

index thread_index, block_index;
dim3 block_size, grid_size;
std::vector<unsigned char> shared_memory;

namespace
{

constexpr size_t stack_bytes = 256 << 10;
constexpr uint64_t nothing = 0xdededededededede; /* the value from a missing lane */

/* A coroutine that runs threads of the block, one after the other, until one of them waits. */
struct worker {
    ucontext_t context; /* used for its first run */
    /* used from then on: a jump makes no system call, swapcontext makes two for signal masks */
    jmp_buf place;
    bool begun = false;
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
    unsigned thread = 0; /* whose turn it is */
    bool idle = false;   /* has no thread at the moment */
};

/* Threads of a warp that wait for one another. */
struct meeting {
    uint32_t mask, here = 0;
    const char *what;
    uint64_t given[32];
    std::vector<worker *> waiting;
};

struct block_state {
    const std::function<void()> *body;
    unsigned count, next, ended;
    std::vector<uint32_t> ended_lanes; /* of each warp */
    std::vector<worker *> at_barrier;
    bool all, all_before;
    std::vector<std::vector<std::shared_ptr<meeting>>> meetings; /* of each warp */
    std::deque<worker *> ready;
    std::optional<std::string> failure;
};

block_state now;
jmp_buf scheduler;
worker *running;
std::vector<std::unique_ptr<worker>> workers; /* kept for the next block */
std::vector<worker *> idle_workers;           /* subset of workers */
std::deque<std::function<void()>> fired;

const bool reversed = [] {
    const char *order = std::getenv("TRIBENCH_EMULATOR_ORDER");
    return order != nullptr && std::strcmp(order, "reverse") == 0;
}();

void place(unsigned thread)
{
    thread_index = {thread % block_size.x, thread / block_size.x % block_size.y,
                    thread / block_size.x / block_size.y};
}

void wake(std::vector<worker *> &waiting)
{
    now.ready.insert(now.ready.end(), waiting.begin(), waiting.end());
    waiting.clear();
}

void open_barrier()
{
    if (!now.at_barrier.empty() && now.at_barrier.size() + now.ended == now.count) {
        now.all_before = now.all;
        now.all = true;
        wake(now.at_barrier);
    }
}

/* Ends the meetings that all remaining threads of their masks have joined. */
void end_meetings(unsigned warp)
{
    auto &open = now.meetings[warp];
    for (size_t i = 0; i < open.size();) {
        meeting &m = *open[i];
        if ((m.mask & ~(m.here | now.ended_lanes[warp])) == 0) {
            wake(m.waiting);
            open.erase(open.begin() + (ptrdiff_t)i);
        } else {
            i++;
        }
    }
}

/* Leaves the stack of a worker until it is resumed. */
__attribute__((noinline)) void leave(worker *self)
{
    if (_setjmp(self->place) == 0) {
        _longjmp(scheduler, 1);
    }
}

__attribute__((noinline)) void resume(worker *w)
{
    running = w;
    if (_setjmp(scheduler) != 0) {
        running = nullptr;
    } else if (w->begun) {
        _longjmp(w->place, 1);
    } else {
        w->begun = true;
        setcontext(&w->context);
    }
}

void wait()
{
    worker *self = running;
    leave(self);
    place(self->thread);
    if (now.failure) {
        throw std::runtime_error(*now.failure);
    }
}

void end_thread(unsigned thread)
{
    now.ended++;
    now.ended_lanes[thread / 32] |= 1u << thread % 32;
    open_barrier();
    end_meetings(thread / 32);
}

void work()
{
    for (;;) {
        worker *self = running;
        while (!now.failure && now.next < now.count) {
            const unsigned turn = now.next++;
            self->thread = reversed ? now.count - 1 - turn : turn;
            place(self->thread);
            try {
                (*now.body)();
                end_thread(self->thread);
            } catch (const std::runtime_error &e) {
                now.failure = e.what();
            }
        }
        self->idle = true;
        idle_workers.push_back(self);
        leave(self);
    }
}

worker *idle_worker()
{
    if (!idle_workers.empty()) {
        worker *w = idle_workers.back();
        idle_workers.pop_back();
        w->idle = false;
        return w;
    }
    auto made = std::make_unique<worker>();
    getcontext(&made->context);
    made->context.uc_stack.ss_sp = made->stack.get();
    made->context.uc_stack.ss_size = stack_bytes;
    made->context.uc_link = nullptr;
    makecontext(&made->context, work, 0);
    workers.push_back(std::move(made));
    return workers.back().get();
}

/* After a failure, waiting threads must unwind their stacks. */
void unwind()
{
    for (auto &w : workers) {
        while (!w->idle) {
            resume(w.get());
        }
    }
    throw std::runtime_error(*now.failure);
}

void run_block(const std::function<void()> &thread)
{
    now = {};
    now.body = &thread;
    now.count = block_size.x * block_size.y * block_size.z;
    now.all = true;
    now.ended_lanes.assign((now.count + 31) / 32, 0);
    now.meetings.resize((now.count + 31) / 32);
    /* the missing lanes of a shorter last warp */
    if (now.count % 32 != 0) {
        now.ended_lanes.back() = ~0u << now.count % 32;
    }
    while (!now.failure && now.ended < now.count) {
        if (!now.ready.empty()) {
            worker *w = now.ready.front();
            now.ready.pop_front();
            resume(w);
        } else if (now.next < now.count) {
            resume(idle_worker());
        } else {
            now.failure = "the threads of a block wait for what never comes";
        }
    }
    if (now.failure) {
        unwind();
    }
}

} // namespace

void run_grid(dim3 grid, dim3 block, const std::function<void()> &thread)
{
    grid_size = grid;
    block_size = block;
    for (unsigned z = 0; z < grid.z; z++) {
        for (unsigned y = 0; y < grid.y; y++) {
            for (unsigned x = 0; x < grid.x; x++) {
                block_index = {x, y, z};
                run_block(thread);
            }
        }
    }
}

void run_fired()
{
    while (!fired.empty()) {
        const auto next = std::move(fired.front());
        fired.pop_front();
        next();
    }
}

bool barrier(bool value)
{
    now.all = now.all && value;
    now.at_barrier.push_back(running);
    open_barrier();
    wait();
    return now.all_before;
}

unsigned lane()
{
    return running->thread % 32;
}

void exchange(uint32_t mask, uint64_t value, const char *what, uint64_t (&from)[32])
{
    const unsigned warp = running->thread / 32, mine = running->thread % 32;
    if ((mask >> mine & 1) == 0) {
        fail("a thread calls a function of its warp with a mask that it is not in");
    }
    auto &open = now.meetings[warp];
    std::shared_ptr<meeting> met;
    for (auto &m : open) {
        if (m->mask == mask && (m->here >> mine & 1) == 0) {
            met = m;
            break;
        }
    }
    if (!met) {
        met = std::make_shared<meeting>();
        met->mask = mask;
        met->what = what;
        std::fill(std::begin(met->given), std::end(met->given), nothing);
        open.push_back(met);
    }
    if (std::strcmp(met->what, what) != 0) {
        fail("the threads of a warp wait for each other in different functions");
    }
    met->given[mine] = value;
    met->here |= 1u << mine;
    met->waiting.push_back(running);
    end_meetings(warp);
    wait();
    std::copy(std::begin(met->given), std::end(met->given), from);
}

void fail(const char *sentence)
{
    throw std::runtime_error(sentence);
}

void fire(std::function<void()> grid)
{
    fired.push_back(std::move(grid));
}

} // namespace emulator
