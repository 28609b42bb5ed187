// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_EXTENSION_FUNCTIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_EXTENSION_FUNCTIONS_H_

// What npukit/extensions/explain.h, npukit/compile_spec.h and npukit/extensions/last_error.h ask of a compiler plugin.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "npukit/compiler_plugin.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/compile_specs.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin/handles.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The specs of a C array. kErrorInvalidArgument for null and repeated keys.
inline ::litert::Expected<std::vector<CompilerPlugin::CompileSpec>> ReadSpecs(
    size_t partition, const NpukitCompileSpec* specs, size_t num_specs) {
  LITERT_RETURN_IF_ERROR(CheckSpecs(specs, num_specs));
  std::vector<CompilerPlugin::CompileSpec> read;
  for (size_t i = 0; i < num_specs; ++i) {
    const auto* data = static_cast<const uint8_t*>(specs[i].data);
    read.push_back({partition, specs[i].key, {data, data + specs[i].size_bytes}});
  }
  return read;
}

#if defined(NPUKIT_ABI_2_2)
inline constexpr bool kHasExecutables = true;
#else
inline constexpr bool kHasExecutables = false;
#endif

inline ::litert::Expected<void> CheckJitSpec(const CompilerPlugin::CompileSpec& spec) {
  const std::string value(spec.bytes.begin(), spec.bytes.end());
  if (value == "true" || value == "false") return {};
  return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                              ::litert::internal::Text({"compile spec '", spec.key, "': '", value,
                                                        "' is neither true nor false"}));
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::ExplainOp(const Facts& facts,
                                                               LiteRtCompilerPlugin handle,
                                                               const char* soc_model,
                                                               LiteRtSubgraph subgraph, LiteRtOp op,
                                                               char* buffer, size_t size) {
  return Guard("NpukitExplainOp", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, subgraph, op, buffer);
    if (size == 0) {
      return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument, "buffer_size is 0");
    }
    const auto soc = SocOf(facts, soc_model);
    CopyText(soc ? PluginOf(handle)->Explain(*soc, ::litert::Subgraph(subgraph), ::litert::Op(op))
                 : soc.Error().Message(),
             buffer, size);
    return {};
  });
}

NPUKIT_INTERNAL_INLINE const char* PluginFunctions::LastError() { return internal::LastError(); }

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::SetSpecs(LiteRtCompilerPlugin handle,
                                                              size_t partition,
                                                              const NpukitCompileSpec* specs,
                                                              size_t num_specs) {
  bool is_unknown = false;  // which is an answer, and no error: hosts ask every plugin
  const LiteRtStatus status = Guard("NpukitSetCompileSpecs", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle);
    LITERT_ASSIGN_OR_RETURN(auto read, ReadSpecs(partition, specs, num_specs));
    for (const auto& spec : read) {
      if (spec.key == NPUKIT_SPEC_ENABLE_JIT && kHasExecutables) {
        LITERT_RETURN_IF_ERROR(CheckJitSpec(spec));
        continue;
      }
      is_unknown = !PluginOf(handle)->KnowsSpec(spec.key);
      if (is_unknown) return {};
      LITERT_RETURN_IF_ERROR(PluginOf(handle)->CheckSpec(
          spec.key, ::litert::internal::Span<const uint8_t>(spec.bytes)));
    }
    PluginOf(handle)->SetSpecs(partition, std::move(read));
    return {};
  });
  return is_unknown ? kLiteRtStatusErrorUnsupported : status;
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_EXTENSION_FUNCTIONS_H_
