// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_OPTIONS_LITERT_OWNED_OPTIONS_H_
#define ODML_LITERT_LITERT_CC_OPTIONS_LITERT_OWNED_OPTIONS_H_

// What the C++ classes of vendors' options have in common.

#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/options/litert_concrete_options_base.h"

namespace litert::internal {

// Owns options of the C API. Movable; what was moved from has a null handle, which the C functions
// answer with kLiteRtStatusErrorInvalidArgument. Not thread-safe.
template <typename Handle, LiteRtStatus (*kCreate)(Handle*), void (*kDestroy)(Handle),
          auto kGetOpaqueData>
class OwnedOptions : public ConcreteOptionsBase {
 public:
  OwnedOptions(OwnedOptions&& other) noexcept : options_(other.Release()) {}
  OwnedOptions& operator=(OwnedOptions&& other) noexcept {
    std::swap(options_, other.options_);
    return *this;
  }
  ~OwnedOptions() override {
    if (options_ != nullptr) kDestroy(options_);
  }

  Handle Get() const { return options_; }
  // The caller destroys them.
  Handle Release() { return std::exchange(options_, nullptr); }

  LiteRtStatus GetOpaqueOptionsData(const char** identifier, void** payload,
                                    void (**payload_deleter)(void*)) const override {
    return kGetOpaqueData(options_, identifier, payload, payload_deleter);
  }

 protected:
  explicit OwnedOptions(Handle options = nullptr) : options_(options) {}

  static Expected<Handle> CreateHandle() {
    Handle options = nullptr;
    LITERT_RETURN_IF_ERROR(kCreate(&options));
    return options;
  }

  // The value that a C function gives; Type is an enum of the class, a number or text.
  template <typename Type, typename CType>
  Type Value(LiteRtStatus (*get)(Handle, CType*)) const {
    CType value{};
    get(options_, &value);
    return static_cast<Type>(value);
  }

 private:
  Handle options_ = nullptr;
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_OPTIONS_LITERT_OWNED_OPTIONS_H_
