// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CUSTOMIZED_OP_H_
#define NPUKIT_CUSTOMIZED_OP_H_

// C++ over npukit/op_package.h:
//
//   class Attention : public npukit::CustomizedOp {
//     litert::Expected<void> Trace(Inputs in, Inputs out) override;
//     litert::Expected<void> Reshape(Inputs in, Outputs out) override;
//     litert::Expected<void> Forward(Inputs in, Inputs out, void* scratch) override;
//   };
//   NPUKIT_OP_PACKAGE_BEGIN("contoso.ops", kNpukitOpDeviceCpu)
//   NPUKIT_OP_PACKAGE_OPERATOR("contoso.attention", Attention)
//   NPUKIT_OP_PACKAGE_END()
//
// The macros stand once in a library, outside any namespace.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "npukit/internal/namespace.h"
#include "npukit/op_package.h"

NPUKIT_NAMESPACE_BEGIN

// See op_package.h for what each function is to do; by itself an op has no
// attributes, takes any tensors and needs no preparation. Exceptions are turned
// into errors.
class CustomizedOp {
 public:
  using Inputs = ::litert::internal::Span<const NpukitOpTensor>;
  using Outputs = ::litert::internal::Span<NpukitOpTensor>;

  CustomizedOp() = default;
  CustomizedOp(const CustomizedOp&) = delete;
  CustomizedOp& operator=(const CustomizedOp&) = delete;
  virtual ~CustomizedOp() = default;

  virtual ::litert::Expected<void> Load(const NpukitOpAttributes& attributes) {
    (void)attributes;
    return {};
  }
  virtual ::litert::Expected<void> Trace(Inputs inputs, Inputs outputs) {
    (void)inputs;
    (void)outputs;
    return {};
  }
  virtual ::litert::Expected<void> Reshape(Inputs inputs, Outputs outputs) = 0;
  // Gives the bytes of scratch memory that Forward wants.
  virtual ::litert::Expected<size_t> Setup(Inputs inputs, Inputs outputs) {
    (void)inputs;
    (void)outputs;
    return size_t{0};
  }
  virtual ::litert::Expected<void> Forward(Inputs inputs, Inputs outputs, void* scratch) = 0;

 protected:
  static ::litert::Unexpected Unsupported(std::string why) {
    return ::litert::Unexpected(::litert::Status::kErrorUnsupported, std::move(why));
  }
  static ::litert::Unexpected Invalid(std::string why) {
    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument, std::move(why));
  }
  static void CopyShape(const NpukitOpTensor& from, NpukitOpTensor& to) {
    to.rank = from.rank;
    std::memcpy(to.dims, from.dims, sizeof(to.dims));
  }
};

// Whether an input was given, and the values of a tensor in Forward().
inline bool IsGiven(const NpukitOpTensor& tensor) {
  return tensor.element_type != kLiteRtElementTypeNone;
}
template <class T>
::litert::internal::Span<T> Values(const NpukitOpTensor& tensor) {
  return ::litert::internal::Span<T>(static_cast<T*>(tensor.data), tensor.size_bytes / sizeof(T));
}

namespace internal {

// A CustomizedOp behind the C vtable.
template <class Op>
class OpBoundary : public NpukitOp {
 public:
  static NpukitOp* Create() {
#if defined(__cpp_exceptions)
    try {
#endif
      return new OpBoundary;
#if defined(__cpp_exceptions)
    } catch (...) {
      return nullptr;
    }
#endif
  }
  static void Free(NpukitOp* op) { delete static_cast<OpBoundary*>(op); }

  static NpukitOpFactory Factory(const char* name) {
    NpukitOpFactory factory = {};
    std::strncpy(factory.name, name, sizeof(factory.name) - 1);
    factory.create = Create;
    factory.free_op = Free;
    return factory;
  }

 private:
  OpBoundary() : NpukitOp{&kVtable} {}

  template <class Body>
  static LiteRtStatus Guard(NpukitOp* base, Body body) {
    auto* self = static_cast<OpBoundary*>(base);
    LiteRtStatus status = kLiteRtStatusErrorRuntimeFailure;
#if defined(__cpp_exceptions)
    try {
#endif
      self->error_.clear();
      const ::litert::Expected<void> result = body(self->op_);
      if (result) return kLiteRtStatusOk;
      self->error_ = result.Error().Message();
      status = result.Error().Status();
#if defined(__cpp_exceptions)
    } catch (const std::exception& e) {
      self->error_ = e.what();
    } catch (...) {
      self->error_ = "exception of an unknown type";
    }
#endif
    return status;
  }

  static LiteRtStatus Load(NpukitOp* op, const NpukitOpAttributes* attributes) {
    return Guard(op, [&](Op& self) { return Base(self).Load(*attributes); });
  }
  static LiteRtStatus Trace(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                            const NpukitOpTensor* outputs, size_t num_outputs) {
    return Guard(op, [&](Op& self) {
      return Base(self).Trace({inputs, num_inputs}, {outputs, num_outputs});
    });
  }
  static LiteRtStatus Reshape(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                              NpukitOpTensor* outputs, size_t num_outputs) {
    return Guard(op, [&](Op& self) {
      return Base(self).Reshape({inputs, num_inputs}, {outputs, num_outputs});
    });
  }
  static LiteRtStatus Setup(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                            const NpukitOpTensor* outputs, size_t num_outputs,
                            size_t* scratch_bytes) {
    return Guard(op, [&](Op& self) -> ::litert::Expected<void> {
      auto bytes = Base(self).Setup({inputs, num_inputs}, {outputs, num_outputs});
      if (!bytes) return bytes.Error();
      *scratch_bytes = *bytes;
      return {};
    });
  }
  static LiteRtStatus Forward(NpukitOp* op, const NpukitOpTensor* inputs, size_t num_inputs,
                              const NpukitOpTensor* outputs, size_t num_outputs, void* scratch) {
    return Guard(op, [&](Op& self) {
      return Base(self).Forward({inputs, num_inputs}, {outputs, num_outputs}, scratch);
    });
  }
  static const char* LastError(const NpukitOp* op) {
    return static_cast<const OpBoundary*>(op)->error_.c_str();
  }
  // A vendor's overrides may be private.
  static CustomizedOp& Base(Op& op) { return op; }

  static constexpr NpukitOpVtable kVtable = {Load, Trace, Reshape, Setup, Forward, LastError};
  Op op_;
  std::string error_;
};

}  // namespace internal

// In-tree registration: the program that links the host offers `Op` itself.
template <class Op>
LiteRtStatus RegisterCustomizedOp(NpukitOpDevice device, const char* name) {
  const NpukitOpFactory factory = internal::OpBoundary<Op>::Factory(name);
  return NpukitRegisterCustomizedOp(device, &factory);
}

NPUKIT_NAMESPACE_END

// clang-format off
#define NPUKIT_OP_PACKAGE_BEGIN(package_name, package_device)                             \
  extern "C" LITERT_CAPI_EXPORT const NpukitOpPackageDescriptor* opPackageDescriptor() {  \
    static const char* const kPackageName = package_name;                                 \
    static const int32_t kPackageDevice = package_device;                                 \
    static const NpukitOpFactory kOperators[] = {
#define NPUKIT_OP_PACKAGE_OPERATOR(name, Class) ::npukit::internal::OpBoundary<Class>::Factory(name),
#define NPUKIT_OP_PACKAGE_END()                                                           \
    };                                                                                    \
    static const NpukitOpPackageDescriptor kDescriptor = [] {                             \
      NpukitOpPackageDescriptor made = {};                                                \
      made.version = NPUKIT_OP_PACKAGE_VERSION;                                           \
      made.struct_size = sizeof(made);                                                    \
      std::strncpy(made.name, kPackageName, sizeof(made.name) - 1);                       \
      made.device = kPackageDevice;                                                       \
      made.num_operators = static_cast<uint32_t>(std::size(kOperators));                  \
      made.operators = kOperators;                                                        \
      return made;                                                                        \
    }();                                                                                  \
    return &kDescriptor;                                                                  \
  }
// clang-format on

#endif  // NPUKIT_CUSTOMIZED_OP_H_
