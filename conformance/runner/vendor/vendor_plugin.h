// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compiler plugin under test, through its C functions, without the checks by which the host
// protects itself: the kit must see what the plugin really answers. All that it answers goes through
// the witness (conformance/observation/evidence.h); where observations are judged there is no
// library, all handles are null, and only what the functions below give may be used.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_PLUGIN_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_PLUGIN_H_

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/metadata/compile_spec.h"
#include "sdk/host/partition/selection.h"
#include "sdk/host/plugin/plugin_functions.h"

namespace npukit::conformance {

// The library's functions; it stays loaded.
litert::Expected<PluginFunctions> OpenPlugin(const std::string& path);

// What a compiled result says, copied.
struct Artifacts {
  struct Call {
    std::string entry_point;
    size_t module = 0;
    bool operator==(const Call&) const = default;
    static auto Fields(auto& self) { return std::tie(self.entry_point, self.module); }
  };
  std::vector<std::vector<uint8_t>> modules;
  std::vector<Call> calls;
  bool operator==(const Artifacts&) const = default;
  static auto Fields(auto& self) { return std::tie(self.modules, self.calls); }
  bool IsSound() const;  // every call is into a module that is there
};

// "module 0 differs at byte 17"; empty if the two are equal.
std::string ArtifactDifference(const Artifacts& a, const Artifacts& b);

class VendorResult {
 public:
  VendorResult(const LiteRtCompilerPluginApi& api, LiteRtCompiledResult handle)
      : api_(&api), handle_(handle) {}
  VendorResult(VendorResult&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  VendorResult& operator=(VendorResult&&) = delete;
  ~VendorResult();

  LiteRtCompiledResult handle() const { return handle_; }
  // Errors: an accessor fails, gives null, or names a module that does not exist.
  litert::Expected<Artifacts> Read() const;

 private:
  litert::Expected<Artifacts> ReadNow() const;

  const LiteRtCompilerPluginApi* api_;
  LiteRtCompiledResult handle_;
};

// A selection by positions: what of it can leave the process. A null op and one that is not of the
// subgraph come back as such.
struct ObservedSelection {
  std::vector<uint64_t> ops;
  std::vector<uint64_t> indices;

  static ObservedSelection Of(const Subgraph& subgraph, const Selection& selection);
  Selection In(const Subgraph& subgraph) const;
  static auto Fields(auto& self) { return std::tie(self.ops, self.indices); }
  bool IsSound() const { return ops.size() == indices.size(); }
};

// One plugin object. Keeps a reference to the table.
class VendorPlugin {
 public:
  static litert::Expected<VendorPlugin> Create(const LiteRtCompilerPluginApi& api);
  VendorPlugin(VendorPlugin&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  VendorPlugin& operator=(VendorPlugin&&) = delete;
  ~VendorPlugin();

  const LiteRtCompilerPluginApi& api() const { return *api_; }
  LiteRtCompilerPlugin handle() const { return handle_; }

  litert::Expected<std::vector<std::string>> SocModels() const;
  // For each Partition and Compile that follows (npukit/compile_spec.h); `set` may be null if there are none.
  litert::Expected<void> SetSpecs(NpukitSetCompileSpecsT set,
                                  std::span<const CompileSpec> specs) const;
  // `soc` may be null: the default. The selection is not checked: its pointers may be anything.
  litert::Expected<Selection> Partition(const char* soc, Subgraph& subgraph) const;
  litert::Expected<VendorResult> Compile(const char* soc, Model& partitions) const;

 private:
  VendorPlugin(const LiteRtCompilerPluginApi& api, LiteRtCompilerPlugin handle)
      : api_(&api), handle_(handle) {}
  litert::Expected<std::vector<std::string>> AskSocModels() const;

  const LiteRtCompilerPluginApi* api_;
  LiteRtCompilerPlugin handle_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_PLUGIN_H_
