// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_EXTENSIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_EXTENSIONS_H_

// npukit's optional exports of a compiler plugin (explain.h, delegate_debug.h,
// compile_spec.h), written once for every class derived from CompilerPlugin.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/explain.h"
#include "npukit/in_place.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/plugin_boundary.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The specs of a C array. kErrorInvalidArgument for null and repeated keys.
inline ::litert::Expected<std::vector<CompilerPlugin::CompileSpec>> ReadSpecs(
    size_t partition, const NpukitCompileSpec* specs, size_t num_specs) {
  using ::litert::Status;
  using ::litert::Unexpected;
  std::vector<CompilerPlugin::CompileSpec> read;
  if (specs == nullptr && num_specs > 0) {
    return Unexpected(Status::kErrorInvalidArgument, "specs is null");
  }
  for (size_t i = 0; i < num_specs; ++i) {
    const NpukitCompileSpec& spec = specs[i];
    if (spec.key == nullptr || (spec.data == nullptr && spec.size_bytes > 0)) {
      return Unexpected(Status::kErrorInvalidArgument,
                        ::litert::internal::Text({"spec ", i, " has a null pointer"}));
    }
    for (const auto& earlier : read) {
      if (earlier.key == spec.key) {
        return Unexpected(Status::kErrorInvalidArgument,
                          ::litert::internal::Text({"the key '", earlier.key, "' occurs twice"}));
      }
    }
    const auto* data = static_cast<const uint8_t*>(spec.data);
    read.push_back({partition, spec.key, {data, data + spec.size_bytes}});
  }
  return read;
}

template <class P>
struct PluginExtensions {
  using Boundary = PluginBoundary<P>;
  template <class T>
  using Expected = ::litert::Expected<T>;
  using Unexpected = ::litert::Unexpected;
  using Status = ::litert::Status;

  static LiteRtStatus ExplainOp(LiteRtCompilerPlugin handle, const char* soc_model,
                                LiteRtSubgraph subgraph, LiteRtOp op, char* buffer, size_t size) {
    return Guard("NpukitExplainOp", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, subgraph, op, buffer);
      if (size == 0) {
        return Unexpected(Status::kErrorInvalidArgument, "buffer_size is 0");
      }
      const auto soc = Boundary::Soc(soc_model);
      CopyText(soc ? Boundary::From(handle)->Explain(*soc, ::litert::Subgraph(subgraph),
                                                     ::litert::Op(op))
                   : soc.Error().Message(),
               buffer, size);
      return {};
    });
  }

#if defined(NPUKIT_ABI_2_2)
  static constexpr bool kHasExecutables = true;
#else
  static constexpr bool kHasExecutables = false;
#endif

  static Expected<void> CheckJitSpec(const CompilerPlugin::CompileSpec& spec) {
    const std::string value(spec.bytes.begin(), spec.bytes.end());
    if (value == "true" || value == "false") return {};
    return Unexpected(Status::kErrorInvalidArgument,
                      ::litert::internal::Text({"compile spec '", spec.key, "': '", value,
                                                "' is neither true nor false"}));
  }

  static LiteRtStatus SetSpecs(LiteRtCompilerPlugin handle, size_t partition,
                               const NpukitCompileSpec* specs, size_t num_specs) {
    return Guard("NpukitSetCompileSpecs", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle);
      LITERT_ASSIGN_OR_RETURN(auto read, ReadSpecs(partition, specs, num_specs));
      for (const auto& spec : read) {
        if (spec.key == NPUKIT_SPEC_ENABLE_JIT && kHasExecutables) {
          LITERT_RETURN_IF_ERROR(CheckJitSpec(spec));
          continue;
        }
        if (!Boundary::From(handle)->KnowsSpec(spec.key)) {
          return Unexpected(Status::kErrorUnsupported,
                            ::litert::internal::Text({"unknown compile spec '", spec.key, "'"}));
        }
        LITERT_RETURN_IF_ERROR(Boundary::From(handle)->CheckSpec(
            spec.key, ::litert::internal::Span<const uint8_t>(spec.bytes)));
      }
      Boundary::From(handle)->SetSpecs(partition, std::move(read));
      return {};
    });
  }

  static LiteRtStatus GetNumDebugHandles(LiteRtCompiledResult handle, LiteRtParamIndex call,
                                         size_t* num) {
    return Guard("NpukitGetNumDebugHandles", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, num);
      LITERT_ASSIGN_OR_RETURN(const auto* found, Boundary::CallAt(handle, call));
      *num = found->debug_handles.size();
      return {};
    });
  }

  static LiteRtStatus GetDebugHandle(LiteRtCompiledResult handle, LiteRtParamIndex call,
                                     size_t position, NpukitDebugHandleInfo* info) {
    return Guard("NpukitGetDebugHandle", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, info);
      LITERT_ASSIGN_OR_RETURN(const auto* found, Boundary::CallAt(handle, call));
      if (position >= found->debug_handles.size()) {
        return OutOfBounds("debug handle", position, found->debug_handles.size());
      }
      if (info->struct_size < sizeof(NpukitDebugHandleInfo)) {
        return Unexpected(Status::kErrorWrongVersion, "struct_size is too small");
      }
      const auto& debug = found->debug_handles[position];
      info->handle = debug.handle;
      info->name = debug.name.c_str();
      info->op_indices = debug.op_indices.data();
      info->num_ops = debug.op_indices.size();
      return {};
    });
  }

  static LiteRtStatus GetInPlaceInput(LiteRtCompiledResult handle, LiteRtParamIndex call,
                                      LiteRtParamIndex output, int32_t* input) {
    return Guard("NpukitGetInPlaceInput", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, input);
      LITERT_ASSIGN_OR_RETURN(const auto* found, Boundary::CallAt(handle, call));
      *input = NPUKIT_NOT_IN_PLACE;
      for (const auto& pair : found->in_place) {
        if (pair.first == output) *input = static_cast<int32_t>(pair.second);
      }
      return {};
    });
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_EXTENSIONS_H_
