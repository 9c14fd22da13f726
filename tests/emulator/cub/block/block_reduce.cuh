/* block_reduce.cuh - cub::BlockReduce as our kernels call it, for blocks in one dimension: all values in order. */
#ifndef TD_TESTS_EMULATOR_BLOCK_REDUCE_CUH
#define TD_TESTS_EMULATOR_BLOCK_REDUCE_CUH

namespace cub
{

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

template <typename T, int Threads, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS>
class BlockReduce
{
  public:
    struct TempStorage {
        T value[Threads];
    };

    explicit BlockReduce(TempStorage &storage) : storage_(storage)
    {
    }

    /* Valid in thread 0 only, as in the library. */
    template <typename Operation>
    T Reduce(T mine, Operation operation)
    {
        storage_.value[threadIdx.x] = mine;
        __syncthreads();
        for (int i = 1; threadIdx.x == 0 && i < Threads; i++) {
            mine = operation(mine, storage_.value[i]);
        }
        return mine;
    }

    T Sum(T mine)
    {
        return Reduce(mine, [](T a, T b) { return a + b; });
    }

  private:
    TempStorage &storage_;
};

} // namespace cub

#endif
