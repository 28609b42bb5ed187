// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Options of the host's own compilation steps. They travel as opaque options
// whose payload is TOML text. As in LiteRT the functions are linked statically
// (target npukit::sdk), not exported by the host library.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_OPTIONS_LITERT_COMPILER_OPTIONS_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_OPTIONS_LITERT_COMPILER_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LrtCompilerOptions LrtCompilerOptions;

// How selected ops are grouped. npukit forms largest convex groups under either
// value.
typedef enum LiteRtCompilerOptionsPartitionStrategy {
  kLiteRtCompilerOptionsPartitionStrategyDefault = 0,
  kLiteRtCompilerOptionsPartitionStrategyWeaklyConnected = 1,
} LiteRtCompilerOptionsPartitionStrategy;

LiteRtStatus LrtCreateCompilerOptions(LrtCompilerOptions** options);
void LrtDestroyCompilerOptions(LrtCompilerOptions* options);

// What LiteRtCreateOpaqueOptions takes: the identifier (static storage) and a
// payload that the caller owns, with the function that releases it.
LiteRtStatus LrtGetOpaqueCompilerOptionsData(const LrtCompilerOptions* options,
                                             const char** identifier, void** payload,
                                             void (**payload_deleter)(void*));

const char* LrtGetCompilerOptionsIdentifier(void);

// Getters fail with kLiteRtStatusErrorNotFound for what was never set.
LiteRtStatus LrtSetCompilerOptionsPartitionStrategy(
    LrtCompilerOptions* options, LiteRtCompilerOptionsPartitionStrategy partition_strategy);
LiteRtStatus LrtGetCompilerOptionsPartitionStrategy(
    const LrtCompilerOptions* options, LiteRtCompilerOptionsPartitionStrategy* partition_strategy);

// Means nothing; there for tests.
LiteRtStatus LrtSetCompilerOptionsDummyOption(LrtCompilerOptions* options, bool dummy_option);
LiteRtStatus LrtGetCompilerOptionsDummyOption(const LrtCompilerOptions* options,
                                              bool* dummy_option);

// Since v2.2.0. 0: any number.
LiteRtStatus LrtSetCompilerOptionsMaxPartitions(LrtCompilerOptions* options, size_t max_partitions);
LiteRtStatus LrtGetCompilerOptionsMaxPartitions(const LrtCompilerOptions* options,
                                                size_t* max_partitions);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_OPTIONS_LITERT_COMPILER_OPTIONS_H_
