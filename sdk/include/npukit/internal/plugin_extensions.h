// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_EXTENSIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_EXTENSIONS_H_

// npukit's optional exports of a compiler plugin (explain.h, delegate_debug.h,
// compile_spec.h, in_place.h, last_error.h).

#include "npukit/extensions/explain.h"
#include "npukit/extensions/in_place.h"
#include "npukit/extensions/last_error.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin_boundary.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `P` is the vendor's class.
template <class P>
struct PluginExtensions {
  using Functions = PluginFunctions;

  static constexpr auto ExplainOp =
      &PluginBoundary<P>::template WithFacts<&Functions::ExplainOp>::Call;
  static constexpr auto SetSpecs = &Functions::SetSpecs;
  static constexpr auto GetNumDebugHandles = &Functions::GetNumDebugHandles;
  static constexpr auto GetDebugHandle = &Functions::GetDebugHandle;
  static constexpr auto GetInPlaceInput = &Functions::GetInPlaceInput;
  static constexpr auto LastError = &Functions::LastError;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_EXTENSIONS_H_
