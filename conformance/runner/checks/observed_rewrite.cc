// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/observed_rewrite.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/observation/evidence.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/vendor/compile_specs.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/preparation.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit::conformance {
namespace {

// As a worker tells it.
struct ObservedBytes {
  std::vector<uint8_t> model;  // empty: nothing matched
  OpOrigins origins;
  static auto Fields(auto& self) { return std::tie(self.model, self.origins); }
};

// Most have none, and to load a device's plugin once more takes its time.
bool HasTransformations(const VendorPlugin& plugin) {
  LiteRtTransformation* list = nullptr;
  LiteRtParamIndex count = 0;
  const LiteRtStatus status =
      VendorCall("LiteRtCompilerPluginRegisterAllTransformations",
                 plugin.api().register_all_transformations, plugin.handle(), &list, &count);
  return status == kLiteRtStatusOk && count != 0;
}

litert::Expected<ObservedBytes> Rewrite(const PluginUnderTest& under_test,
                                        const VendorPlugin& asked, const Model& model) {
  if (!HasTransformations(asked)) return ObservedBytes();
  SetStage("loading the compiler plugin");
  LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin, LoadPlugin(under_test));
  SetStage("transformations");
  const LoadedPlugin* const plugins[] = {&plugin};
  LITERT_ASSIGN_OR_RETURN(RewrittenModel rewritten,
                          RewriteForPlugins(model, plugins, /*before_plugins=*/nullptr));
  if (rewritten.model == nullptr) return ObservedBytes();
  ObservedBytes observed{.model = {}, .origins = std::move(rewritten.origins)};
  LITERT_ASSIGN_OR_RETURN(observed.model, SerializeModel(*rewritten.model));
  return observed;
}

}  // namespace

std::vector<const Op*> ObservedRewrite::OriginsOf(const Model& given, size_t subgraph,
                                                  const Op& op) const {
  std::vector<const Op*> ops;
  if (subgraph >= origins.size() || subgraph >= given.subgraphs().size()) return ops;
  const auto position = static_cast<size_t>(op.index);
  if (position >= origins[subgraph].size()) return ops;
  const auto& all = given.subgraph(subgraph).ops();
  for (const uint32_t origin : origins[subgraph][position]) {
    if (origin < all.size()) ops.push_back(all[origin].get());
  }
  return ops;
}

litert::Expected<ObservedRewrite> ObserveRewrite(const PluginUnderTest& under_test,
                                                 const VendorPlugin& plugin, const Model& model) {
  LITERT_ASSIGN_OR_RETURN(ObservedBytes observed,
                          Witness::Get().Observe<ObservedBytes>("rewritten model", [&] {
                            return Rewrite(under_test, plugin, model);
                          }));
  ObservedRewrite rewrite{.model = nullptr, .origins = std::move(observed.origins)};
  if (observed.model.empty()) return rewrite;
  LITERT_ASSIGN_OR_RETURN(rewrite.model, ParseModel(SharedBytes::Take(std::move(observed.model))));
  return rewrite;
}

}  // namespace npukit::conformance
