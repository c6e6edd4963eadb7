// CUB's top-k and radix sort of one array, peers in bench/gpu/peers.py.
//
//   nvcc -O3 -arch=native -shared -Xcompiler -fPIC [-I CCCL] -o libcub_flat.so bench/gpu/cub/flat.cu
//
// DeviceTopK is in CCCL from 3.3 on.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_topk.cuh>

using namespace cuda::execution;

// Writes the k largest keys, in no order; or all keys, in order, if k is 0. Writes the bytes of scratch
// memory if `scratch` is null; returns the error of CUDA.
extern "C" int cub_flat(const float* keys, float* values, size_t n, size_t k, void* scratch,
                        size_t* bytes, cudaStream_t stream) {
    if (!k) return cub::DeviceRadixSort::SortKeys(scratch, *bytes, keys, values, n, 0, 32, stream);
    auto how = cuda::std::execution::env{
        cuda::stream_ref{stream}, require(determinism::not_guaranteed, output_ordering::unsorted)};
    return cub::DeviceTopK::MaxKeys(scratch, *bytes, keys, values, (long long)n, (long long)k, how);
}

extern "C" int cccl_version() { return CCCL_VERSION; }
