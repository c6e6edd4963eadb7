// CUB's top-k of rows, a peer in bench/gpu/topk_rows.py: keys and places, in no order.
//
//   nvcc -O3 -arch=native -shared -Xcompiler -fPIC [-I CCCL] -o libcub_rows.so bench/gpu/cub/rows.cu
//
// DeviceTopK (CCCL 3.3) takes one row after the other. DeviceBatchedTopK (CCCL 3.5; rows longer than
// a block holds from 3.6 on) takes all rows at once.
#include <cub/device/device_batched_topk.cuh>
#include <cub/device/device_topk.cuh>
#include <cuda/iterator>
#include <cuda_bf16.h>

using namespace cuda::execution;

template <class T>
struct Rows {  // a pointer to the first of a row
    T* first;
    int length;
    __host__ __device__ T* operator()(int row) const { return first + size_t(row) * length; }
    auto begin() const { return cuda::transform_iterator(cuda::counting_iterator<int>(0), *this); }
};

template <class Key>
cudaError_t top(bool batched, const void* keys, void* values, int* places, int rows, int length,
                int k, void* scratch, size_t& bytes, cudaStream_t stream) {
    Rows<const Key> from{static_cast<const Key*>(keys), length};
    Rows<Key> to{static_cast<Key*>(values), k};
    Rows<int> at{places, k};
    cuda::counting_iterator<int> numbers(0);
    if (!batched) {
        auto how = cuda::std::execution::env{
            cuda::stream_ref{stream}, require(determinism::not_guaranteed, output_ordering::unsorted)};
        for (int row = 0; row < rows; row++)
            if (auto error = cub::DeviceTopK::MaxPairs(scratch, bytes, from(row), to(row), numbers,
                                                       at(row), length, k, how))
                return error;
        return cudaSuccess;
    }
    auto how = cuda::std::execution::env{
        cuda::stream_ref{stream},
        require(determinism::not_guaranteed, tie_break::unspecified, output_ordering::unsorted)};
    auto find = [&](auto bounds) {
        return cub::DeviceBatchedTopK::MaxPairs(
            scratch, bytes, from.begin(), to.begin(), cuda::constant_iterator(numbers), at.begin(),
            cuda::args::immediate{length, bounds}, cuda::args::immediate{k, bounds},
            cuda::args::immediate{rows}, how);
    };
    if (length > 1 << 17) return find(cuda::args::bounds<1, 1 << 20>());
    return find(cuda::args::bounds<1, 1 << 17>());
}

// Writes the bytes of scratch memory if `scratch` is null; returns the error of CUDA.
extern "C" int cub_topk(bool batched, bool halves, const void* keys, void* values, int* places,
                        int rows, int length, int k, void* scratch, size_t* bytes,
                        cudaStream_t stream) {
    auto find = halves ? top<__nv_bfloat16> : top<float>;
    return find(batched, keys, values, places, rows, length, k, scratch, *bytes, stream);
}

extern "C" int cccl_version() { return CCCL_VERSION; }
