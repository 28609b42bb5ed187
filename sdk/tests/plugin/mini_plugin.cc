// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// A small plugin on npukit/plugin.h. What it does in Compile depends on the SoC
// model, so that the tests reach every path of the boundary.

#include <stdexcept>
#include <string>

#include "npukit/plugin.h"

namespace {

using npukit::CompiledResult;
using npukit::ElementType;
using npukit::Support;
using npukit::SupportTable;

class MiniPlugin : public npukit::CompilerPlugin {
 public:
  static constexpr const char* kManufacturer = "Mini";
  static constexpr const char* kSocModels[] = {"good", "throws", "fails", "malformed"};

  MiniPlugin() { AddTransformation(&NeverMatches, "never", 3); }

  const SupportTable* SupportFor(const std::string&) override { return &table_; }

  litert::Expected<CompiledResult> Compile(const std::string& soc_model,
                                           const litert::Model& partitions) override {
    if (soc_model == "throws") throw std::runtime_error("out of registers");
    if (soc_model == "fails") {
      return litert::Unexpected(litert::Status::kErrorCompilation, "no schedule found");
    }
    CompiledResult result;
    const size_t module = result.AddModule(soc_model + Prefix());
    if (soc_model == "malformed") return result;
    for (size_t i = 0; i < partitions.NumSubgraphs(); ++i) {
      const size_t call = result.AddCall("entry_" + std::to_string(i), module);
      result.AddDebugHandle(call, 5, "mul kernel", {0});
    }
    return result;
  }

  litert::Expected<void> CheckCompatibility(const std::string& soc_model) override {
    if (soc_model == "fails") {
      return litert::Unexpected(litert::Status::kErrorUnsupportedCompilerVersion, "too old");
    }
    return {};
  }

  bool KnowsSpec(const std::string& key) const override { return key == "prefix"; }

 private:
  static LiteRtStatus NeverMatches(LiteRtBuilder, LiteRtOp) { return kLiteRtStatusPatternNoMatch; }

  // The spec of partition 0, if there is one.
  std::string Prefix() const {
    const auto spec = Spec(0, "prefix");
    return spec ? std::string(spec->begin(), spec->end()) : "";
  }

  const SupportTable table_ =
      SupportTable().Add(Support(kLiteRtOpCodeTflMul).Types({ElementType::Float32}));
};

}  // namespace

NPUKIT_EXPORT_COMPILER_PLUGIN(MiniPlugin);
