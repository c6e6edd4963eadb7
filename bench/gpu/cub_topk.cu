// CUB's top-k of rows, a peer for bench/gpu/topk_rows.py: keys and places, in no order.
//
//   nvcc -O3 -arch=native -shared -Xcompiler -fPIC [-I CCCL] -o libcub_topk.so bench/gpu/cub_topk.cu
//
// DeviceTopK (CCCL 3.3) takes one row after the other. DeviceBatchedTopK (CCCL 3.5; rows longer than
// a block holds from 3.6 on) takes all rows at once.
#include <cub/device/device_batched_topk.cuh>
#include <cub/device/device_topk.cuh>

#include <cuda/iterator>
#include <cuda_bf16.h>

template <class T>
struct Rows {  // an iterator over rows, each of them a pointer
    T* first;
    int length;
    __host__ __device__ T* operator()(int row) const { return first + size_t(row) * length; }
    auto begin() const { return cuda::transform_iterator(cuda::counting_iterator<int>(0), *this); }
};

template <class Key>
cudaError_t one_by_one(const Key* keys, Key* values, int* places, int rows, int length, int k,
                       void* scratch, size_t& bytes, cudaStream_t stream) {
    using namespace cuda::execution;
    auto how = cuda::std::execution::env{
        cuda::stream_ref{stream}, require(determinism::not_guaranteed, output_ordering::unsorted)};
    cudaError_t error = cudaSuccess;
    for (int row = 0; row < rows && error == cudaSuccess; row++, values += k, places += k)
        error = cub::DeviceTopK::MaxPairs(scratch, bytes, Rows<const Key>{keys, length}(row), values,
                                          cuda::counting_iterator<int>(0), places, length, k, how);
    return error;
}

template <int LONGEST, class Key>
cudaError_t at_once(const Key* keys, Key* values, int* places, int rows, int length, int k,
                    void* scratch, size_t& bytes, cudaStream_t stream) {
    using namespace cuda::execution;
    auto how = cuda::std::execution::env{
        cuda::stream_ref{stream},
        require(determinism::not_guaranteed, tie_break::unspecified, output_ordering::unsorted)};
    auto bounds = cuda::args::bounds<1, LONGEST>();
    return cub::DeviceBatchedTopK::MaxPairs(
        scratch, bytes, Rows<const Key>{keys, length}.begin(), Rows<Key>{values, k}.begin(),
        cuda::constant_iterator(cuda::counting_iterator<int>(0)), Rows<int>{places, k}.begin(),
        cuda::args::immediate{length, bounds}, cuda::args::immediate{k, bounds},
        cuda::args::immediate{rows}, how);
}

template <class Key, class... More>
cudaError_t top(bool batched, const void* keys, void* values, int* places, int rows, int length,
                More&&... more) {
    auto from = static_cast<const Key*>(keys);
    auto to = static_cast<Key*>(values);
    if (!batched) return one_by_one(from, to, places, rows, length, more...);
    if (length > 1 << 17) return at_once<1 << 20>(from, to, places, rows, length, more...);
    return at_once<1 << 17>(from, to, places, rows, length, more...);
}

// Writes the bytes of scratch memory if `scratch` is null; returns the error of CUDA.
extern "C" int cub_topk(bool batched, bool halves, const void* keys, void* values, int* places,
                        int rows, int length, int k, void* scratch, size_t* bytes,
                        cudaStream_t stream) {
    auto find = halves ? top<__nv_bfloat16, int&, void*&, size_t&, cudaStream_t&>
                       : top<float, int&, void*&, size_t&, cudaStream_t&>;
    return find(batched, keys, values, places, rows, length, k, scratch, *bytes, stream);
}

extern "C" int cccl_version() { return CCCL_VERSION; }
