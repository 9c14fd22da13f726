/*
 * host_only.cuh - for NVRTC, which takes everything for device code: it keeps the descriptors of built-in workloads,
 * which name functions that only the host has. They are never called, but need something to be linked with.
 */
#ifndef TD_WORKLOADS_HOST_ONLY_CUH
#define TD_WORKLOADS_HOST_ONLY_CUH

#ifdef __CUDACC_RTC__
void td_attention_fill(const td_problem *, void *)
{
}
const td_workload *td_attention_variant(const td_problem *, const char **)
{
    return NULL;
}
void td_gram_fill(const td_problem *, void *)
{
}
const td_workload *td_gram_variant(const td_problem *, const char **)
{
    return NULL;
}
double td_triplet_reference(const td_problem *, const void *, double *)
{
    return 0;
}
#endif

#endif
