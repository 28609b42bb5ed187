// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_CONTEXT_WRAPPER_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_CONTEXT_WRAPPER_H_

// Of abi 2.2: what the compiler's and the runtime's table of host functions have in common, so that
// one function reads options in both.

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"

namespace litert::internal {

// Copies the functions from the table, which need not live on. A function that the table lacks
// gives kLiteRtStatusErrorNotFound.
class ContextWrapper {
 public:
  explicit ContextWrapper(const LiteRtCompilerContext* ctx) { Take(*ctx); }
  explicit ContextWrapper(const LiteRtRuntimeContext* ctx) { Take(*ctx); }

  LiteRtStatus GetOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions* opaque_options) const {
    return get_opaque_options_ != nullptr ? get_opaque_options_(options, opaque_options)
                                          : kLiteRtStatusErrorNotFound;
  }
  LiteRtStatus FindOpaqueOptionsData(LiteRtOpaqueOptions options, const char* payload_identifier,
                                     void** payload_data) const {
    return find_opaque_options_data_ != nullptr
               ? find_opaque_options_data_(options, payload_identifier, payload_data)
               : kLiteRtStatusErrorNotFound;
  }
  void DestroyOptions(LiteRtOptions options) const {
    if (destroy_options_ != nullptr) destroy_options_(options);
  }

 private:
  template <typename Context>
  void Take(const Context& context) {
    get_opaque_options_ = context.get_opaque_options;
    find_opaque_options_data_ = context.find_opaque_options_data;
    destroy_options_ = context.destroy_options;
  }

  LiteRtStatus (*get_opaque_options_)(LiteRtOptions, LiteRtOpaqueOptions*) = nullptr;
  LiteRtStatus (*find_opaque_options_data_)(LiteRtOpaqueOptions, const char*, void**) = nullptr;
  void (*destroy_options_)(LiteRtOptions) = nullptr;
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_CONTEXT_WRAPPER_H_
