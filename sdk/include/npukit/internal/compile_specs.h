// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_COMPILE_SPECS_H_
#define NPUKIT_INTERNAL_COMPILE_SPECS_H_

// What npukit/compile_spec.h asks of an array of specs, whoever gets it.

#include <cstddef>
#include <cstring>

#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "npukit/compile_spec.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// kErrorInvalidArgument for null pointers and repeated keys.
inline ::litert::Expected<void> CheckSpecs(const NpukitCompileSpec* specs, size_t num_specs) {
  using ::litert::Status;
  using ::litert::Unexpected;
  if (specs == nullptr && num_specs > 0)
    return Unexpected(Status::kErrorInvalidArgument, "specs is null");
  for (size_t i = 0; i < num_specs; ++i) {
    const NpukitCompileSpec& spec = specs[i];
    if (spec.key == nullptr || (spec.data == nullptr && spec.size_bytes > 0)) {
      return Unexpected(Status::kErrorInvalidArgument,
                        ::litert::internal::Text({"spec ", i, " has a null pointer"}));
    }
    for (size_t earlier = 0; earlier < i; ++earlier) {
      if (std::strcmp(specs[earlier].key, spec.key) == 0) {
        return Unexpected(Status::kErrorInvalidArgument,
                          ::litert::internal::Text({"the key '", spec.key, "' occurs twice"}));
      }
    }
  }
  return {};
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_COMPILE_SPECS_H_
