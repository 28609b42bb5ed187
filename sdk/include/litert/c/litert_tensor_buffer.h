// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Typed memory that models read and write: inputs, outputs and what lies
// between an NPU and the host.

#ifndef ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_H_
#define ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_H_

#include <stdbool.h>
#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_gl_types.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_opencl_types.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/c/litert_webgpu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Host memory --------------------------------------------------------------

// A buffer over the caller's memory, which starts at a multiple of
// LITERT_HOST_MEMORY_BUFFER_ALIGNMENT and holds at least the packed tensor.
// With a deallocator the buffer owns the memory; without, the memory stays the
// caller's and outlives the buffer.
LiteRtStatus LiteRtCreateTensorBufferFromHostMemory(const LiteRtRankedTensorType* tensor_type,
                                                    void* host_buffer_addr, size_t host_buffer_size,
                                                    LiteRtHostMemoryDeallocator deallocator,
                                                    LiteRtTensorBuffer* buffer);

// Where the bytes are. Fails with kLiteRtStatusErrorRuntimeFailure for a buffer
// of another kind.
LiteRtStatus LiteRtGetTensorBufferHostMemory(LiteRtTensorBuffer tensor_buffer,
                                             void** host_memory_addr);

// -- Memory that the host allocates -------------------------------------------

// `buffer_size` is in bytes, at least the packed tensor. npukit allocates host
// memory; other kinds fail with kLiteRtStatusErrorUnsupported.
LiteRtStatus LiteRtCreateManagedTensorBuffer(LiteRtEnvironment env,
                                             LiteRtTensorBufferType buffer_type,
                                             const LiteRtRankedTensorType* tensor_type,
                                             size_t buffer_size, LiteRtTensorBuffer* buffer);

// The first kind of memory in `requirements` that can be allocated, with their
// size and alignment.
LiteRtStatus LiteRtCreateManagedTensorBufferFromRequirements(
    LiteRtEnvironment env, const LiteRtRankedTensorType* tensor_type,
    LiteRtTensorBufferRequirements requirements, LiteRtTensorBuffer* buffer);

// -- References ---------------------------------------------------------------

// Adds a reference to the same object: there is no second handle. Each
// reference is given back by LiteRtDestroyTensorBuffer; the last one frees the
// buffer. Both may be called from any thread.
LiteRtStatus LiteRtDuplicateTensorBuffer(LiteRtTensorBuffer tensor_buffer);
void LiteRtDestroyTensorBuffer(LiteRtTensorBuffer buffer);

// -- Properties ---------------------------------------------------------------

LiteRtStatus LiteRtGetTensorBufferType(LiteRtTensorBuffer tensor_buffer,
                                       LiteRtTensorBufferType* buffer_type);
LiteRtStatus LiteRtGetTensorBufferTensorType(LiteRtTensorBuffer tensor_buffer,
                                             LiteRtRankedTensorType* tensor_type);

// Bytes of the memory behind the buffer, padding included.
LiteRtStatus LiteRtGetTensorBufferSize(LiteRtTensorBuffer tensor_buffer, size_t* size);

// Bytes of the tensor without padding: what a locked buffer shows.
LiteRtStatus LiteRtGetTensorBufferPackedSize(LiteRtTensorBuffer tensor_buffer, size_t* size);

// Where the tensor starts in that memory, in bytes.
LiteRtStatus LiteRtGetTensorBufferOffset(LiteRtTensorBuffer tensor_buffer, size_t* offset);

// -- Access from the CPU ------------------------------------------------------

// Waits for the buffer's event, if it has one, and shows its bytes at
// `*host_mem_addr` until it is unlocked: host memory as it lies, strides and
// all. Read locks may overlap; any other overlap, and unlocking what is not
// locked, fails with kLiteRtStatusErrorRuntimeFailure.
LiteRtStatus LiteRtLockTensorBuffer(LiteRtTensorBuffer tensor_buffer, void** host_mem_addr,
                                    LiteRtTensorBufferLockMode lock_mode);
LiteRtStatus LiteRtUnlockTensorBuffer(LiteRtTensorBuffer buffer);

// Sets all bytes to 0.
LiteRtStatus LiteRtClearTensorBuffer(LiteRtTensorBuffer buffer);

// -- Event --------------------------------------------------------------------
// Signalled when the work that writes the buffer is done.

LiteRtStatus LiteRtHasTensorBufferEvent(LiteRtTensorBuffer tensor_buffer, bool* has_event);

// Lends; fails with kLiteRtStatusErrorRuntimeFailure if there is none.
LiteRtStatus LiteRtGetTensorBufferEvent(LiteRtTensorBuffer tensor_buffer, LiteRtEvent* event);

// The buffer owns the event from then on and destroys the one it had.
LiteRtStatus LiteRtSetTensorBufferEvent(LiteRtTensorBuffer tensor_buffer, LiteRtEvent event);
LiteRtStatus LiteRtClearTensorBufferEvent(LiteRtTensorBuffer tensor_buffer);

// -- Memory of other devices --------------------------------------------------
// Wrap existing memory, with the rules of
// LiteRtCreateTensorBufferFromHostMemory for the deallocator, and find it
// again. An offset lets buffers share one allocation, whose whole size is then
// given. On platforms without such memory all of them fail with
// kLiteRtStatusErrorUnsupported.

LiteRtStatus LiteRtCreateTensorBufferFromAhwb(LiteRtEnvironment env,
                                              const LiteRtRankedTensorType* tensor_type,
                                              AHardwareBuffer* ahwb, size_t ahwb_offset,
                                              LiteRtAhwbDeallocator deallocator,
                                              LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtGetTensorBufferAhwb(LiteRtTensorBuffer tensor_buffer, AHardwareBuffer** ahwb);

LiteRtStatus LiteRtCreateTensorBufferFromIonBuffer(const LiteRtRankedTensorType* tensor_type,
                                                   void* ion_buffer_addr, int ion_buffer_fd,
                                                   size_t ion_buffer_size, size_t ion_buffer_offset,
                                                   LiteRtIonDeallocator deallocator,
                                                   LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtGetTensorBufferIonBuffer(LiteRtTensorBuffer buffer, void** ion_buffer_addr,
                                            int* ion_buffer_fd);

LiteRtStatus LiteRtCreateTensorBufferFromDmaBufBuffer(
    const LiteRtRankedTensorType* tensor_type, void* dmabuf_buffer_addr, int dmabuf_buffer_fd,
    size_t dmabuf_buffer_size, size_t dmabuf_buffer_offset, LiteRtDmaBufDeallocator deallocator,
    LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtGetTensorBufferDmaBufBuffer(LiteRtTensorBuffer tensor_buffer,
                                               void** dmabuf_buffer_addr, int* dmabuf_buffer_fd);

LiteRtStatus LiteRtCreateTensorBufferFromFastRpcBuffer(
    const LiteRtRankedTensorType* tensor_type, void* fastrpc_buffer_addr, int fastrpc_buffer_fd,
    size_t fastrpc_buffer_size, size_t fastrpc_buffer_offset, LiteRtFastRpcDeallocator deallocator,
    LiteRtTensorBuffer* tensor_buffer);
LiteRtStatus LiteRtGetTensorBufferFastRpcBuffer(LiteRtTensorBuffer tensor_buffer,
                                                void** fastrpc_buffer_addr, int* fastrpc_buffer_fd);

LiteRtStatus LiteRtCreateTensorBufferFromOpenClMemory(
    LiteRtEnvironment env, const LiteRtRankedTensorType* tensor_type,
    LiteRtTensorBufferType buffer_type, LiteRtClMem cl_mem_addr, size_t opencl_buffer_size,
    LiteRtOpenClDeallocator deallocator, LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtGetTensorBufferOpenClMemory(LiteRtTensorBuffer tensor_buffer,
                                               LiteRtClMem* cl_mem_addr);

LiteRtStatus LiteRtCreateTensorBufferFromGlBuffer(LiteRtEnvironment env,
                                                  const LiteRtRankedTensorType* tensor_type,
                                                  LiteRtGLenum target, LiteRtGLuint id,
                                                  size_t size_bytes, size_t offset,
                                                  LiteRtGlBufferDeallocator deallocator,
                                                  LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtGetTensorBufferGlBuffer(LiteRtTensorBuffer tensor_buffer, LiteRtGLenum* target,
                                           LiteRtGLuint* id, size_t* size_bytes, size_t* offset);

LiteRtStatus LiteRtCreateTensorBufferFromGlTexture(
    LiteRtEnvironment env, const LiteRtRankedTensorType* tensor_type, LiteRtGLenum target,
    LiteRtGLuint id, LiteRtGLenum format, size_t size_bytes, LiteRtGLint layer,
    LiteRtGlTextureDeallocator deallocator, LiteRtTensorBuffer* buffer);
LiteRtStatus LiteRtGetTensorBufferGlTexture(LiteRtTensorBuffer tensor_buffer, LiteRtGLenum* target,
                                            LiteRtGLuint* id, LiteRtGLenum* format,
                                            size_t* size_bytes, LiteRtGLint* layer);

LiteRtStatus LiteRtCreateTensorBufferFromWebGpuBuffer(
    LiteRtEnvironment env, const LiteRtRankedTensorType* tensor_type,
    LiteRtTensorBufferType buffer_type, LiteRtWGPUBuffer wgpu_buffer, size_t wgpu_buffer_size,
    LiteRtWebGpuBufferDeallocator deallocator, LiteRtTensorBuffer* tensor_buffer);
LiteRtStatus LiteRtCreateTensorBufferFromWebGpuTexture(LiteRtEnvironment env,
                                                       const LiteRtRankedTensorType* tensor_type,
                                                       void* webgpu_texture,
                                                       size_t webgpu_texture_size,
                                                       LiteRtWebGpuTextureDeallocator deallocator,
                                                       LiteRtTensorBuffer* tensor_buffer);
LiteRtStatus LiteRtGetTensorBufferWebGpuBuffer(LiteRtTensorBuffer tensor_buffer,
                                               HwMemoryHandle* hw_memory_handle);

LiteRtStatus LiteRtCreateTensorBufferFromMetalMemory(LiteRtEnvironment env,
                                                     const LiteRtRankedTensorType* tensor_type,
                                                     LiteRtTensorBufferType buffer_type,
                                                     void* metal_buffer, size_t metal_buffer_size,
                                                     LiteRtMetalDeallocator deallocator,
                                                     LiteRtTensorBuffer* tensor_buffer);
LiteRtStatus LiteRtGetTensorBufferMetalMemory(LiteRtTensorBuffer tensor_buffer,
                                              HwMemoryHandle* hw_memory_handle);

LiteRtStatus LiteRtGetTensorBufferVulkanMemory(LiteRtTensorBuffer tensor_buffer,
                                               HwMemoryHandle* hw_memory_handle);

// Of a kind registered with the functions of litert_custom_tensor_buffer.h.
LiteRtStatus LiteRtGetTensorBufferCustomTensorBufferHandle(LiteRtTensorBuffer tensor_buffer,
                                                           HwMemoryHandle* hw_memory_handle);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_H_
