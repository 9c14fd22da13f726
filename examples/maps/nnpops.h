/*
 * nnpops - the pairs a > b of NNPOps and TorchMD-Net. The pair of n + 1 atoms is tile (a - 1, b).
 *
 * Found in    https://github.com/openmm/NNPOps, src/pytorch/neighbors/getNeighborPairsCUDA.cu; issue 101
 * Arithmetic  int32, with a float32 root of 8 i + 1, which is beyond 2^31 from 23,171 atoms on; a row that is too large
 *             is repaired
 * Reported    wrong results at some 100,000 atoms: https://github.com/openmm/NNPOps/issues/101
 * Repair      2 i + 1/4 under the root, which is a quarter of 8 i + 1; 64-bit products; and a step up
 */
#include "strategies/own.h"

TD_FN td_pair td_nnpops_pair(uint64_t index, uint32_t n)
{
    const int32_t i = (int32_t)index;
    const float square =
        (float)(int32_t)(8 * (uint32_t)i + 1); /* the root of a negative one is NaN: as an int, 0 */
    uint32_t a = (uint32_t)fmaxf(floorf((sqrtf(square) + 1.0f) / 2.0f), 0.0f);
    a -= (int32_t)(a * (a - 1)) > (int32_t)(2 * (uint32_t)i);
    td_pair at;
    at.row = a - 1;
    at.col = (uint32_t)(i - (int32_t)(a * (a - 1)) / 2);
    return at;
}
