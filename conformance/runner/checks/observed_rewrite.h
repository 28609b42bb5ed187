// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a plugin's transformations make of a model, before the plugin is asked which ops it takes: as in apply.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_OBSERVED_REWRITE_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_OBSERVED_REWRITE_H_

#include <memory>
#include <vector>

#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/runner/vendor/vendor_plugin.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit::conformance {

struct ObservedRewrite {
  std::unique_ptr<Model> model;  // null: nothing matched
  OpOrigins origins;             // of all its subgraphs, in the model that was given

  // The ops of the model that was given for which one of the rewritten model stands.
  std::vector<const Op*> OriginsOf(const Model& given, size_t subgraph, const Op& op) const;
};

// The compiler plugin under test.
litert::Expected<ObservedRewrite> ObserveRewrite(const PluginUnderTest& under_test,
                                                 const VendorPlugin& plugin, const Model& model);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_OBSERVED_REWRITE_H_
