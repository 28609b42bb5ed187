// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_COMPILE_SPEC_H_
#define NPUKIT_COMPILE_SPEC_H_

// Compile specs: keys with bytes that the user hands to a vendor's compiler
// and, at run time, to its dispatch library, without the host's knowing what
// they mean. Optional exports, looked up by name. C11.

#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_dispatch.h"

#ifdef __cplusplus
extern "C" {
#endif

// Neither pointer is owned. `key` ends in a zero; `data` may be null if
// `size_bytes` is 0.
typedef struct NpukitCompileSpec {
  const char* key;
  const void* data;
  size_t size_bytes;
} NpukitCompileSpec;

// Specs whose meaning npukit fixes. A plugin that does not know them answers
// Unsupported, and the host goes on without.
//
// "soc_model", set by the host at run time: the SoC model that the user named.
#define NPUKIT_SPEC_SOC_MODEL "soc_model"
// "npukit.keep_intermediates" = "1", at compile time: the bytecode must be able to
// keep what NpukitDispatchGetIntermediate gives.
#define NPUKIT_SPEC_KEEP_INTERMEDIATES "npukit.keep_intermediates"
// "dump_dir", at compile time: a folder into which the compiler writes the values
// of its stages, for people. `npukit apply --dump-dir` sets it, and refuses
// plugins that do not know it.
#define NPUKIT_SPEC_DUMP_DIR "dump_dir"
// "soc_file", at compile time and at run time: a file, in the vendor's own format,
// that describes the SoC; it takes the place of the SoC model. The tools' --soc-file
// sets it.
#define NPUKIT_SPEC_SOC_FILE "soc_file"

// "enable_just_in_time" = "true", at compile time, for all partitions: what is compiled stays in
// this process, so that LiteRtGetCompiledResultHandle may give executables. npukit's host sets it
// where it compiles at load. LiteRT's vendors have an option of this name; without being asked a
// plugin must not give a handle, since LiteRT 2.2.0 then drops the bytecode, also when it compiles
// ahead of time, and writes a model that nothing can run.
#define NPUKIT_SPEC_ENABLE_JIT "enable_just_in_time"

// In place of a partition's index: the specs hold for every partition.
#define NPUKIT_ALL_PARTITIONS ((size_t)-1)

// Sets the specs of one partition of the next LiteRtCompilerPluginCompile, by
// its position among the partitions, or of all. Where both have a key the
// partition's own holds. Those of all partitions hold for
// LiteRtCompilerPluginPartition and NpukitExplainOp, too. Replaces what an earlier
// call set for the same `partition`; `num_specs` 0 clears it. The plugin copies
// what it keeps.
//
// Called from one thread at a time per plugin object.
// kLiteRtStatusErrorInvalidArgument: null arguments, a null or repeated key.
// kLiteRtStatusErrorUnsupported: a key that the plugin does not know. Others: a
// value that the plugin cannot use. Nothing is replaced then.
LITERT_CAPI_EXPORT LiteRtStatus NpukitSetCompileSpecs(LiteRtCompilerPlugin compiler_plugin,
                                                      size_t partition,
                                                      const NpukitCompileSpec* specs,
                                                      size_t num_specs);

// The same for the invocation contexts that are then created on a device. But
// for null or repeated keys, an error leaves open which of the specs the device
// has: set them anew.
LITERT_CAPI_EXPORT LiteRtStatus NpukitDispatchSetCompileSpecs(
    LiteRtDispatchDeviceContext device_context, const NpukitCompileSpec* specs, size_t num_specs);

typedef LiteRtStatus (*NpukitSetCompileSpecsT)(LiteRtCompilerPlugin, size_t,
                                               const NpukitCompileSpec*, size_t);
typedef LiteRtStatus (*NpukitDispatchSetCompileSpecsT)(LiteRtDispatchDeviceContext,
                                                       const NpukitCompileSpec*, size_t);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_COMPILE_SPEC_H_
