// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OPTIONS_WRAPPER_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OPTIONS_WRAPPER_H_

// Of abi 2.2: options, read through a table of host functions.

#include <memory>
#include <type_traits>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_context_wrapper.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_opaque_options_wrapper.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert::internal {

// Owns the options only if told so. The table must outlive it if it does.
class OptionsWrapper {
 public:
  explicit OptionsWrapper(ContextWrapper ctx, LiteRtOptions options, OwnHandle own = OwnHandle::kNo)
      : ctx_(ctx), options_(options, Destroy{ctx, own == OwnHandle::kYes}) {}

  LiteRtOptions Get() const noexcept { return options_.get(); }
  bool IsOwned() const noexcept { return options_ != nullptr && options_.get_deleter().owns; }
  LiteRtOptions Release() noexcept { return options_.release(); }
  explicit operator bool() const noexcept { return options_ != nullptr; }

  Expected<OpaqueOptionsWrapper> GetOpaqueOptions() const {
    LiteRtOpaqueOptions opaque_options = nullptr;
    LITERT_RETURN_IF_ERROR(ctx_.GetOpaqueOptions(Get(), &opaque_options));
    return OpaqueOptionsWrapper(ctx_, opaque_options);
  }
  // The payload, which stays with the options, under that identifier.
  Expected<void*> FindOpaqueOptionsData(const char* payload_identifier) const {
    LITERT_ASSIGN_OR_RETURN(auto opaque_options, GetOpaqueOptions());
    return opaque_options.FindOpaqueOptions(payload_identifier);
  }

 private:
  struct Destroy {
    ContextWrapper ctx;
    bool owns;
    void operator()(LiteRtOptions options) const {
      if (owns) ctx.DestroyOptions(options);
    }
  };

  ContextWrapper ctx_;
  std::unique_ptr<std::remove_pointer_t<LiteRtOptions>, Destroy> options_;
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OPTIONS_WRAPPER_H_
