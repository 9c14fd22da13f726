/* float_lanes.cuh - lanes of floats, and a pass of one cell applied to a lane's four cells. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_FLOAT_LANES_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_FLOAT_LANES_CUH

#include "strip.cuh"

/*
 * A lane's four cells of a row, each of one float or, in several planes, of more; the output is one element per cell.
 * Pairs: the two floats of a cell lie side by side. Walled: the planes after the state are infinite outside of the
 * domain.
 */
template <typename Pass, int Planes, bool Pairs, int Ahead, int Ring = 1, bool Walled = false,
          int Rows = 0>
struct td_float_lanes {
    static constexpr uint32_t cells = 4;
    static constexpr int width = 32, strips = 1, planes = 1, rows = Rows;
    static constexpr int halo = Pass::reach > 1 ? 1 : 0; /* one extra cell would be too few */
    static constexpr bool walled = Walled;
    typedef typename Pass::cell cell;
    typedef typename Pass::next value;
    static constexpr uint32_t saved_bytes = sizeof(value);
    typedef td_row_of_elements<Pairs ? 8 : 4, TD_LINE_U32, Ring> in;
    typedef td_row_of_elements<saved_bytes, TD_LINE_U32, Ring> out;

    struct loaded {
        float4 v[Planes];
        float edge[Planes]; /* in the outermost lanes: the cell that no lane has */
    };
    struct state {
        cell at[4], edge;
    };
    struct given {
        decltype(Pass::given(cell())) at[4];
    };
    struct next {
        value at[4];
    };
    struct inside {
        int32_t count;
    };

    __device__ static constexpr int ahead(int)
    {
        return Ahead;
    }

    template <typename Loaded>
    __device__ static void clear(Loaded &all)
    {
        memset((void *)all, 0, sizeof all);
        if constexpr (Walled) {
            for (auto &row : all) {
                for (int p = 1; p < Planes; p++) {
                    row[0].v[p] = make_float4(INFINITY, INFINITY, INFINITY, INFINITY);
                }
            }
        }
    }

    /* Distance from the state to a further plane, which is stored after the first state [bytes]. */
    __device__ static int64_t offset_of(const td_data &data, int plane)
    {
        return plane == 0 ? 0
                          : (const char *)data.origin - (const char *)data.input +
                                (int64_t)(plane * data.plane * 4);
    }

    template <typename Strip>
    __device__ static void load(const td_data &data, const Strip &, const char *at, loaded &all)
    {
        for (int p = 0; p < Planes; p++) {
            const int64_t away = Pairs ? 16 * p : offset_of(data, p);
            all.v[p] = __ldg((const float4 *)(at + away));
        }
    }

    template <typename Strip>
    __device__ static void load_edge(const td_data &data, const Strip &strip, const char *at,
                                     loaded &all)
    {
        const int32_t away = strip.lane == 0 ? -1 : 4;
        for (int p = 0; p < Planes; p++) {
            const int64_t from = Pairs ? 4 * p : offset_of(data, p);
            all.edge[p] = __ldg((const float *)(at + from + in::bytes(away)));
        }
    }

    __device__ static void set(cell &to, int plane, float value_)
    {
        if constexpr (Planes == 1) {
            to = value_;
        } else {
            to.plane[plane] = value_;
        }
    }

    __device__ static float get(const cell &from, int plane)
    {
        if constexpr (Planes == 1) {
            return from;
        } else {
            return from.plane[plane];
        }
    }

    __device__ static state pack(const loaded (&from)[1])
    {
        const loaded &all = from[0];
        state now;
        for (int p = 0; p < Planes; p++) {
            if constexpr (Pairs) {
                set(now.at[2 * p], 0, all.v[p].x);
                set(now.at[2 * p], 1, all.v[p].y);
                set(now.at[2 * p + 1], 0, all.v[p].z);
                set(now.at[2 * p + 1], 1, all.v[p].w);
            } else {
                set(now.at[0], p, all.v[p].x);
                set(now.at[1], p, all.v[p].y);
                set(now.at[2], p, all.v[p].z);
                set(now.at[3], p, all.v[p].w);
            }
            set(now.edge, p, all.edge[p]);
        }
        return now;
    }

    template <typename Floats>
    __device__ static Floats shuffled(Floats all, bool up)
    {
        float at[sizeof all / sizeof(float)];
        memcpy(at, &all, sizeof all);
        for (float &one : at) {
            one = up ? __shfl_up_sync(~0u, one, 1) : __shfl_down_sync(~0u, one, 1);
        }
        memcpy(&all, at, sizeof all);
        return all;
    }

    template <typename Strip>
    __device__ static void beside(const Strip &strip, const state &now, given &left, given &right)
    {
        left.at[0] = shuffled(Pass::given(now.at[3]), true);
        right.at[3] = shuffled(Pass::given(now.at[0]), false);
        if (strip.lane == 0) {
            left.at[0] = Pass::given(now.edge);
        }
        if (strip.lane == 31) {
            right.at[3] = Pass::given(now.edge);
        }
        for (int k = 0; k < 3; k++) {
            left.at[k + 1] = Pass::given(now.at[k]);
            right.at[k] = Pass::given(now.at[k + 1]);
        }
    }

    /* The first plane of the cells, which is all that a generation changes. */
    __device__ static next unchanged(const state &now)
    {
        next all;
        for (int k = 0; k < 4; k++) {
            all.at[k] = get(now.at[k], 0);
        }
        return all;
    }

    __device__ static inside first_cells(const int32_t (&counts)[1])
    {
        return {counts[0]};
    }

    __device__ static void cut(next &all, const inside *row)
    {
        for (int k = 0; k < 4; k++) {
            all.at[k] = k < row->count ? all.at[k] : (value)0;
        }
    }

    __device__ static void store(char *at, const next &all, int)
    {
        memcpy(__builtin_assume_aligned(at, sizeof all), &all, sizeof all);
    }
};

/* A pass of one cell, as in stages, applied to a lane's four cells. */
template <typename Pass, typename Lanes>
struct td_lane_pass {
    static constexpr int reach = Pass::reach;
    static constexpr bool has_rule = false;
    static constexpr uint32_t usual = 0;
    struct sums {
        typename Pass::sums at[4];
    };

    __device__ static sums sum(const td_data &data, const typename Lanes::given &left,
                               const typename Lanes::state &here,
                               const typename Lanes::given &right)
    {
        sums all;
        for (int k = 0; k < 4; k++) {
            all.at[k] = Pass::sum(&data, left.at[k], here.at[k], right.at[k]);
        }
        return all;
    }

    template <typename Rule>
    __device__ static typename Lanes::next
    add(const td_data &data, Rule, const sums &above, const sums &here, const sums &below,
        const typename Lanes::state &now, int32_t row, int32_t col)
    {
        typename Lanes::next next;
        for (int k = 0; k < 4; k++) {
            next.at[k] = Pass::add(&data, above.at[k], here.at[k], below.at[k], now.at[k],
                                   (uint32_t)row, (uint32_t)(col + k));
        }
        return next;
    }
};

#endif
