// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_COMPILER_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_COMPILER_OPTIONS_H_

// Options of partitioning and compiling.

#include <cstdint>
#include <memory>

#include "litert/c/litert_common.h"
#include "litert/c/options/litert_compiler_options.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// Getters fail with Status::kErrorNotFound for what was never set.
class CompilerOptions {
 public:
  static Expected<CompilerOptions> Create() {
    LrtCompilerOptions* options = nullptr;
    LITERT_RETURN_IF_ERROR(LrtCreateCompilerOptions(&options));
    return CompilerOptions(options);
  }

  Expected<void> SetPartitionStrategy(LiteRtCompilerOptionsPartitionStrategy value) {
    LITERT_RETURN_IF_ERROR(LrtSetCompilerOptionsPartitionStrategy(Get(), value));
    return {};
  }
  Expected<LiteRtCompilerOptionsPartitionStrategy> GetPartitionStrategy() const {
    LiteRtCompilerOptionsPartitionStrategy value{};
    LITERT_RETURN_IF_ERROR(LrtGetCompilerOptionsPartitionStrategy(Get(), &value));
    return value;
  }
  Expected<void> SetDummyOption(bool value) {
    LITERT_RETURN_IF_ERROR(LrtSetCompilerOptionsDummyOption(Get(), value));
    return {};
  }
  Expected<bool> GetDummyOption() const {
    bool value{};
    LITERT_RETURN_IF_ERROR(LrtGetCompilerOptionsDummyOption(Get(), &value));
    return value;
  }

  Expected<void> SetMaxPartitions(size_t value) {
    LITERT_RETURN_IF_ERROR(LrtSetCompilerOptionsMaxPartitions(Get(), value));
    return {};
  }
  Expected<size_t> GetMaxPartitions() const {
    size_t value{};
    LITERT_RETURN_IF_ERROR(LrtGetCompilerOptionsMaxPartitions(Get(), &value));
    return value;
  }

  LrtCompilerOptions* Get() { return options_.get(); }
  const LrtCompilerOptions* Get() const { return options_.get(); }

 private:
  struct Deleter {
    void operator()(LrtCompilerOptions* options) const { LrtDestroyCompilerOptions(options); }
  };
  explicit CompilerOptions(LrtCompilerOptions* options) : options_(options) {}

  std::unique_ptr<LrtCompilerOptions, Deleter> options_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_COMPILER_OPTIONS_H_
