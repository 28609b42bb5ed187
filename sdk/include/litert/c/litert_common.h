// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What every LiteRT header needs: export macros, the handle types, status
// codes, the API version and the feature switches.
//
// ABI facts in these headers (names, values, layouts, signatures) equal those
// of LiteRT v2.1.4, called "abi 2.1" in docs/abi.md.
//
// Rules that hold for the whole C API unless a function says otherwise:
//  - A function that can fail returns LiteRtStatus. On failure its output
//    arguments are left as they were.
//  - A null handle or null output pointer gives
//    kLiteRtStatusErrorInvalidArgument, an index past the end gives
//    kLiteRtStatusErrorIndexOOB.
//  - `LiteRtCreateX` hands the caller an object to release with
//    `LiteRtDestroyX`; `LiteRtGetX` lends one that its parent owns.
//  - `LiteRtDestroyX(NULL)` does nothing.
//  - Distinct objects may be used from distinct threads; one object needs the
//    caller's own locking as soon as one of the threads changes it.

#ifndef ODML_LITERT_LITERT_C_LITERT_COMMON_H_
#define ODML_LITERT_LITERT_C_LITERT_COMMON_H_

#include <stddef.h>

#if defined(WIN32) || defined(_WIN32) || defined(__WIN32__) || defined(__NT__) || defined(_WIN64)
#define LITERT_WINDOWS_OS 1
#endif

// Marks a function as visible outside the shared library that defines it. A
// plugin puts nothing else on its exported functions: the declarations in
// litert/vendors/c already carry it.
#if defined(LITERT_WINDOWS_OS)
#ifdef LITERT_COMPILE_LIBRARY
#define LITERT_CAPI_EXPORT __declspec(dllexport)
#else
#define LITERT_CAPI_EXPORT __declspec(dllimport)
#endif
#else
#define LITERT_CAPI_EXPORT __attribute__((visibility("default")))
#endif

// For a function that calls through pointers obtained with dlsym: clang's
// control flow integrity knows nothing of those and would stop the process.
#if defined(__linux__)
#define LITERT_NO_CFI_CHECK __attribute__((no_sanitize("cfi-icall")))
#else
#define LITERT_NO_CFI_CHECK
#endif

// A fact of the ABI, checked wherever the header is compiled for a 64-bit
// target (MSVC lays bit-fields out differently and is left out).
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ == 8 && !defined(_MSC_VER)
#define LITERT_ABI_FACT(condition) (condition)
#else
#define LITERT_ABI_FACT(condition) 1
#endif
#ifdef __cplusplus
#define LITERT_ABI_ASSERT(condition) static_assert(LITERT_ABI_FACT(condition), #condition)
#else
#define LITERT_ABI_ASSERT(condition) _Static_assert(LITERT_ABI_FACT(condition), #condition)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// -- Handles ------------------------------------------------------------------

// Declares `name` as a pointer to the opaque `nameT`, and `nameConst` as a
// pointer to const. In C++ the object behind it is a class.
#ifdef __cplusplus
#define LITERT_DEFINE_HANDLE(name) \
  typedef class name##T* name;     \
  typedef const class name##T* name##Const
#else
#define LITERT_DEFINE_HANDLE(name) LITERT_DEFINE_HANDLE_STRUCT(name)
#endif

// The same where the object behind the handle is a struct in C++ too.
#define LITERT_DEFINE_HANDLE_STRUCT(name) \
  typedef struct name##T* name;           \
  typedef const struct name##T* name##Const

// The graph, all owned by the model (litert_model.h, litert_op_options.h).
LITERT_DEFINE_HANDLE(LiteRtModel);      // Subgraphs, signatures, metadata.
LITERT_DEFINE_HANDLE(LiteRtSubgraph);   // One function body.
LITERT_DEFINE_HANDLE(LiteRtSignature);  // A named entry point of the model.
LITERT_DEFINE_HANDLE(LiteRtOp);         // A node.
LITERT_DEFINE_HANDLE(LiteRtTensor);     // An edge, with its type.
LITERT_DEFINE_HANDLE(LiteRtWeights);    // Constant bytes behind a tensor.

// What a compiler plugin writes to.
LITERT_DEFINE_HANDLE(LiteRtOpList);   // Selected ops (litert_model.h).
LITERT_DEFINE_HANDLE(LiteRtBuilder);  // Graph rewriting (litert_builder.h).

// Configuration.
LITERT_DEFINE_HANDLE(LiteRtEnvironment);         // litert_environment.h
LITERT_DEFINE_HANDLE(LiteRtEnvironmentOptions);  // litert_environment_options.h
LITERT_DEFINE_HANDLE_STRUCT(LiteRtOptions);      // litert_options.h
LITERT_DEFINE_HANDLE(LiteRtOpaqueOptions);       // litert_opaque_options.h

// Execution.
LITERT_DEFINE_HANDLE(LiteRtCompiledModel);                // litert_compiled_model.h
LITERT_DEFINE_HANDLE(LiteRtTensorBuffer);                 // litert_tensor_buffer.h
LITERT_DEFINE_HANDLE(LiteRtTensorBufferRequirements);     // ..._requirements.h
LITERT_DEFINE_HANDLE(LiteRtEvent);                        // litert_event.h
LITERT_DEFINE_HANDLE(LiteRtAccelerator);                  // internal/
LITERT_DEFINE_HANDLE(LiteRtDelegateWrapper);              // internal/
LITERT_DEFINE_HANDLE(LiteRtExternalLiteRtBufferContext);  // internal/

// Observation.
LITERT_DEFINE_HANDLE(LiteRtLogger);    // internal/litert_logging.h
LITERT_DEFINE_HANDLE(LiteRtMetrics);   // litert_metrics.h
LITERT_DEFINE_HANDLE(LiteRtProfiler);  // litert_profiler.h

// For positions in, and sizes of, LiteRT's collections.
typedef size_t LiteRtParamIndex;

// -- Version ------------------------------------------------------------------

// The version that plugins and hosts of abi 2.1 compare for equality.
#define LITERT_API_VERSION_MAJOR 0
#define LITERT_API_VERSION_MINOR 1
#define LITERT_API_VERSION_PATCH 0

typedef struct LiteRtApiVersion {
  int major;
  int minor;
  int patch;
} LiteRtApiVersion;

// Orders two versions by major, then minor, then patch: negative if `version`
// is the older one, 0 if they are equal, positive if it is the newer one.
int LiteRtCompareApiVersion(LiteRtApiVersion version, LiteRtApiVersion reference);

// -- Status -------------------------------------------------------------------

typedef enum {
  kLiteRtStatusOk = 0,

  // Of any part of the API.
  kLiteRtStatusErrorInvalidArgument = 1,
  kLiteRtStatusErrorMemoryAllocationFailure = 2,
  kLiteRtStatusErrorRuntimeFailure = 3,
  kLiteRtStatusErrorMissingInputTensor = 4,
  kLiteRtStatusErrorUnsupported = 5,
  kLiteRtStatusErrorNotFound = 6,
  kLiteRtStatusErrorTimeoutExpired = 7,
  kLiteRtStatusErrorWrongVersion = 8,
  kLiteRtStatusErrorUnknown = 9,
  kLiteRtStatusErrorAlreadyExists = 10,

  // Of a run that was stopped on request.
  kLiteRtStatusCancelled = 100,

  // Of files, libraries and formats.
  kLiteRtStatusErrorFileIO = 500,
  kLiteRtStatusErrorInvalidFlatbuffer = 501,
  kLiteRtStatusErrorDynamicLoading = 502,
  kLiteRtStatusErrorSerialization = 503,
  kLiteRtStatusErrorCompilation = 504,

  // Of the graph.
  kLiteRtStatusErrorIndexOOB = 1000,
  kLiteRtStatusErrorInvalidIrType = 1001,
  kLiteRtStatusErrorInvalidGraphInvariant = 1002,
  kLiteRtStatusErrorGraphModification = 1003,

  // Of the command line tools.
  kLiteRtStatusErrorInvalidToolConfig = 1500,

  // Of a compiler's translation of an op. NoMatch is an answer, no failure.
  kLiteRtStatusLegalizeNoMatch = 2000,
  kLiteRtStatusErrorInvalidLegalization = 2001,

  // Of a rewrite pattern. NoMatch is an answer, no failure.
  kLiteRtStatusPatternNoMatch = 3000,
  kLiteRtStatusInvalidTransformation = 3001,

  // Of parts that don't fit together.
  kLiteRtStatusErrorUnsupportedRuntimeVersion = 4000,
  kLiteRtStatusErrorUnsupportedCompilerVersion = 4001,
  kLiteRtStatusErrorIncompatibleByteCodeVersion = 4002,

  // Of shape inference.
  kLiteRtStatusErrorUnsupportedOpShapeInferer = 5000,
  kLiteRtStatusErrorShapeInferenceFailed = 5001,
} LiteRtStatus;

// The name of `status`, for messages. Static storage, never null.
const char* LiteRtGetStatusString(LiteRtStatus status);

// -- Hardware -----------------------------------------------------------------

// One kind of hardware; a LiteRtHwAcceleratorSet holds any number of them.
#ifdef __cplusplus
typedef enum : int {
#else
typedef enum {
#endif
  kLiteRtHwAcceleratorNone = 0,
  kLiteRtHwAcceleratorCpu = 1 << 0,
  kLiteRtHwAcceleratorGpu = 1 << 1,
  kLiteRtHwAcceleratorNpu = 1 << 2,
#if defined(__EMSCRIPTEN__)
  kLiteRtHwAcceleratorWebNn = 1 << 3,
#endif
} LiteRtHwAccelerators;

// LiteRtHwAccelerators values joined with |.
typedef int LiteRtHwAcceleratorSet;

typedef enum {
  kLiteRtDelegatePrecisionDefault = 0,
  kLiteRtDelegatePrecisionFp16 = 1,
  kLiteRtDelegatePrecisionFp32 = 2,
} LiteRtDelegatePrecision;

typedef enum {
  kLiteRtGpuPriorityDefault = 0,
  kLiteRtGpuPriorityLow = 1,
  kLiteRtGpuPriorityNormal = 2,
  kLiteRtGpuPriorityHigh = 3,
} LiteRtGpuPriority;

// How a GPU keeps tensors; Default leaves it to the GPU's delegate.
typedef enum {
  kLiteRtDelegateBufferStorageTypeDefault = 0,
  kLiteRtDelegateBufferStorageTypeBuffer = 1,
  kLiteRtDelegateBufferStorageTypeTexture2D = 2,
} LiteRtDelegateBufferStorageType;

// What the holder of a locked tensor buffer will do to its bytes.
typedef enum {
  kLiteRtTensorBufferLockModeRead = 0,
  kLiteRtTensorBufferLockModeWrite = 1,
  kLiteRtTensorBufferLockModeReadWrite = 2,
} LiteRtTensorBufferLockMode;

typedef enum {
  kLiteRtGpuBackendAutomatic = 0,
  kLiteRtGpuBackendOpenCl = 1,
  kLiteRtGpuBackendWebGpu = 2,
  kLiteRtGpuBackendOpenGl = 3,
} LiteRtGpuBackend;

// How the host waits for a GPU: blocked, spinning, or not at all.
typedef enum {
  kLiteRtGpuWaitTypeDefault = 0,
  kLiteRtGpuWaitTypePassive = 1,
  kLiteRtGpuWaitTypeActive = 2,
  kLiteRtGpuWaitTypeDoNotWait = 3,
} LiteRtGpuWaitType;

// Where run-time error messages go.
typedef enum LiteRtErrorReporterMode {
  kLiteRtErrorReporterModeNone = 0,    // Dropped.
  kLiteRtErrorReporterModeStderr = 1,  // To stderr.
  kLiteRtErrorReporterModeBuffer = 2,  // Kept until asked for.
} LiteRtErrorReporterMode;

// -- Feature switches ---------------------------------------------------------
// LITERT_HAS_<X>_SUPPORT is always defined, as 0 or 1: the platform's default
// unless LITERT_DISABLE_<X>_SUPPORT is defined. Sync fences have no switch.

#if defined(__linux__) || defined(__ANDROID__)
#define LITERT_HAS_SYNC_FENCE_SUPPORT 1
#else
#define LITERT_HAS_SYNC_FENCE_SUPPORT 0
#endif

#if defined(__ANDROID__)
#define LITERT_HAS_AHWB_SUPPORT_DEFAULT 1
#define LITERT_HAS_OPENGL_SUPPORT_DEFAULT 1
#define LITERT_HAS_ION_SUPPORT_DEFAULT 1
#define LITERT_HAS_DMABUF_SUPPORT_DEFAULT 1
#define LITERT_HAS_FASTRPC_SUPPORT_DEFAULT 1
#else
#define LITERT_HAS_AHWB_SUPPORT_DEFAULT 0
#define LITERT_HAS_OPENGL_SUPPORT_DEFAULT 0
#define LITERT_HAS_ION_SUPPORT_DEFAULT 0
#define LITERT_HAS_DMABUF_SUPPORT_DEFAULT 0
#define LITERT_HAS_FASTRPC_SUPPORT_DEFAULT 0
#endif

#if defined(__APPLE__)
#define LITERT_HAS_METAL_SUPPORT_DEFAULT 1
#else
#define LITERT_HAS_METAL_SUPPORT_DEFAULT 0
#endif

#if defined(__APPLE__) || defined(LITERT_WINDOWS_OS)
#define LITERT_HAS_OPENCL_SUPPORT_DEFAULT 0
#else
#define LITERT_HAS_OPENCL_SUPPORT_DEFAULT 1
#endif

#if defined(__APPLE__)
#define LITERT_HAS_VULKAN_SUPPORT_DEFAULT 0
#else
#define LITERT_HAS_VULKAN_SUPPORT_DEFAULT 1
#endif

#define LITERT_HAS_WEBGPU_SUPPORT_DEFAULT 1

#if defined(LITERT_DISABLE_NPU)
#define LITERT_DISABLE_AHWB_SUPPORT
#define LITERT_DISABLE_ION_SUPPORT
#define LITERT_DISABLE_DMABUF_SUPPORT
#define LITERT_DISABLE_FASTRPC_SUPPORT
#endif

#if defined(LITERT_DISABLE_GPU)
#define LITERT_DISABLE_METAL_SUPPORT
#define LITERT_DISABLE_OPENCL_SUPPORT
#define LITERT_DISABLE_WEBGPU_SUPPORT
#define LITERT_DISABLE_VULKAN_SUPPORT
#define LITERT_DISABLE_OPENGL_SUPPORT
#endif

#if defined(LITERT_DISABLE_AHWB_SUPPORT)
#define LITERT_HAS_AHWB_SUPPORT 0
#else
#define LITERT_HAS_AHWB_SUPPORT LITERT_HAS_AHWB_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_ION_SUPPORT)
#define LITERT_HAS_ION_SUPPORT 0
#else
#define LITERT_HAS_ION_SUPPORT LITERT_HAS_ION_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_DMABUF_SUPPORT)
#define LITERT_HAS_DMABUF_SUPPORT 0
#else
#define LITERT_HAS_DMABUF_SUPPORT LITERT_HAS_DMABUF_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_FASTRPC_SUPPORT)
#define LITERT_HAS_FASTRPC_SUPPORT 0
#else
#define LITERT_HAS_FASTRPC_SUPPORT LITERT_HAS_FASTRPC_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_METAL_SUPPORT)
#define LITERT_HAS_METAL_SUPPORT 0
#else
#define LITERT_HAS_METAL_SUPPORT LITERT_HAS_METAL_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_OPENCL_SUPPORT)
#define LITERT_HAS_OPENCL_SUPPORT 0
#else
#define LITERT_HAS_OPENCL_SUPPORT LITERT_HAS_OPENCL_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_WEBGPU_SUPPORT)
#define LITERT_HAS_WEBGPU_SUPPORT 0
#else
#define LITERT_HAS_WEBGPU_SUPPORT LITERT_HAS_WEBGPU_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_VULKAN_SUPPORT)
#define LITERT_HAS_VULKAN_SUPPORT 0
#else
#define LITERT_HAS_VULKAN_SUPPORT LITERT_HAS_VULKAN_SUPPORT_DEFAULT
#endif

#if defined(LITERT_DISABLE_OPENGL_SUPPORT)
#define LITERT_HAS_OPENGL_SUPPORT 0
#else
#define LITERT_HAS_OPENGL_SUPPORT LITERT_HAS_OPENGL_SUPPORT_DEFAULT
#endif

// -- Aligned memory -----------------------------------------------------------
// posix_memalign and its free, under one name everywhere.

#if defined(_WIN32)
#include <errno.h>
#define posix_memalign(p, a, s) (((*(p)) = _aligned_malloc((s), (a))), *(p) ? 0 : errno)
#define litert_aligned_free _aligned_free
#else
#define litert_aligned_free free
#endif

#ifdef __cplusplus
}
#endif

// -- Enumerators of v2.2.0 alone ----------------------------------------------
// Of LiteRtElementType, in whose definition this stands.

#if defined(NPUKIT_ABI_2_2)
#define NPUKIT_ELEMENT_TYPES_SINCE_2_2                                  \
  kLiteRtElementTypeUInt4 = 21,            /* Two to a byte. */         \
      kLiteRtElementTypeFloat8E4M3FN = 22, /* No infinities, one NaN */ \
      kLiteRtElementTypeFloat8E5M2 = 23,
#else
#define NPUKIT_ELEMENT_TYPES_SINCE_2_2
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_COMMON_H_
