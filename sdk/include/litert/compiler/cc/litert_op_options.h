// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options of builtin ops for a compiler plugin of abi 2.2: the structs of
// litert/cc/internal/litert_op_options.h, read through the table of functions that the plugin was
// created with.

#ifndef ODML_LITERT_LITERT_COMPILER_CC_LITERT_OP_OPTIONS_H_
#define ODML_LITERT_LITERT_COMPILER_CC_LITERT_OP_OPTIONS_H_

#include <type_traits>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_op_options.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/abi.h"

#if !defined(NPUKIT_ABI_2_2)
#error "litert/compiler/cc is of abi 2.2: link npukit::sdk_abi2_2"
#endif

namespace litert::compiler {

struct OpOptions {
  // kLiteRtStatusErrorInvalidArgument for an op of another code.
  virtual LiteRtStatus InitFromOp(const LiteRtCompilerContext* ctx, LiteRtOp op) = 0;
  // Gives them to `op`, which a builder built. kLiteRtStatusErrorUnsupported where there is no way to.
  virtual Expected<void> SetOpOptions(const LiteRtCompilerContext* /*ctx*/,
                                      LiteRtBuilder /*builder*/) {
    return Unexpected(Status::kErrorUnsupported);
  }
  virtual ~OpOptions() = default;
};

namespace internal {

template <typename Base>
struct Options : public OpOptions, public Base {
  LiteRtStatus InitFromOp(const LiteRtCompilerContext* ctx, LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx));
    return Base::InitFromOp(op_to_read);
  }
  using Base::InitFromOp;
  using Base::SetOpOptions;
  Expected<void> SetOpOptions(const LiteRtCompilerContext* ctx, LiteRtBuilder builder) override {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx));
    return Base::SetOpOptions(builder);
  }
};

}  // namespace internal

#define LITERT_INTERNAL_COMPILER_OPTIONS(Struct, code, builder_name, FIELDS) \
  using Struct = internal::Options<::litert::Struct>;
LITERT_INTERNAL_OP_OPTIONS(LITERT_INTERNAL_COMPILER_OPTIONS)
#undef LITERT_INTERNAL_COMPILER_OPTIONS
using FullyConnectedOptions = internal::Options<::litert::FullyConnectedOptions>;
using PackOptions = internal::Options<::litert::PackOptions>;
using ReshapeOptions = internal::Options<::litert::ReshapeOptions>;
using SqueezeOptions = internal::Options<::litert::SqueezeOptions>;
using CompositeOptions = internal::Options<::litert::CompositeOptions>;
using RmsNormOpts = internal::Options<::litert::RmsNormOpts>;

// Of abi 2.2 alone, whose hosts have no function that sets them.
struct OneHotOptions : public OpOptions {
  LiteRtOp op = nullptr;
  int32_t axis{};

  LiteRtStatus InitFromOp(const LiteRtCompilerContext* ctx, LiteRtOp op_to_read) override {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx));
    LITERT_RETURN_IF_ERROR(LiteRtGetOneHotAxisOption(op_to_read, &axis));
    op = op_to_read;
    return kLiteRtStatusOk;
  }
};

template <typename OptionsT>
Expected<OptionsT> GetOptionsAs(const LiteRtCompilerContext* ctx, LiteRtOp op) {
  static_assert(std::is_base_of_v<OpOptions, OptionsT>);
  OptionsT options;
  LITERT_RETURN_IF_ERROR(options.InitFromOp(ctx, op));
  return options;
}

}  // namespace litert::compiler

#endif  // ODML_LITERT_LITERT_COMPILER_CC_LITERT_OP_OPTIONS_H_
