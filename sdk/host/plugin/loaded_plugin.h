// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A loaded vendor compiler plugin: its functions behind checks, so that what
// comes out of it can be trusted. Every error names the plugin's file and the
// call that went wrong.

#ifndef NPUKIT_SDK_HOST_PLUGIN_LOADED_PLUGIN_H_
#define NPUKIT_SDK_HOST_PLUGIN_LOADED_PLUGIN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/c/internal/litert_jit_executable.h"
#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/partition/selection.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

// Everything that a compiled result said, copied out of the plugin's memory.
struct CompiledPartitions {
  // A piece of bytecode and where it came from (npukit/delegate_debug.h).
  struct DebugHandle {
    uint32_t handle = 0;
    std::string name;
    std::vector<uint32_t> ops;  // positions in the partition's body
    bool operator==(const DebugHandle&) const = default;
  };
  struct Call {
    std::string entry_point;
    size_t module = 0;                       // into `modules`
    std::vector<DebugHandle> debug_handles;  // none if the plugin has no map
    std::vector<DelegateRecord::InPlace> in_place;
    bool operator==(const Call&) const = default;
  };
  std::vector<SharedBytes> modules;  // without bytes only where there is an executable
  std::vector<Call> calls;           // one per partition, in order
  // Per module: what the plugin made of it for this process (abi 2.2), null for nothing. They live
  // as long as `owner`, which keeps the plugin's result and the plugin.
  std::vector<LiteRtJitExecutable> executables;
  std::shared_ptr<void> owner;  // null if there are none
};

// Move-only. Not thread-safe; several plugins (also of one file) may be used
// side by side.
class LoadedPlugin {
 public:
  // Opens the file, or the plugin that is linked in (linked_plugins.h), resolves all functions,
  // checks the API version, creates the plugin object. `env` and `options` may be null and must
  // outlive the plugin. Never fails otherwise than by an error, whatever the file is.
  static litert::Expected<LoadedPlugin> Load(const std::string& path,
                                             LiteRtEnvironmentOptions env = nullptr,
                                             LiteRtOptions options = nullptr);
  LoadedPlugin(LoadedPlugin&&) noexcept;
  LoadedPlugin& operator=(LoadedPlugin&&) noexcept;
  ~LoadedPlugin();

  const std::string& path() const;
  const std::string& manufacturer() const;
  const std::string& abi() const;         // "2.1", "2.2" or "2.3"
  const std::string& generation() const;  // "LiteRT 2.1.2 to 2.1.4"
  // What its patterns get first; null: nothing (sdk/host/rewrite/rewrite.h).
  const void* pattern_context() const;
  const std::string& sdk_version() const;  // of the vendor's compiler; empty before abi 2.2
  const std::vector<std::string>& soc_models() const;
  // Whether it may give executables (LiteRtGetCompiledResultHandle).
  bool has_executables() const;
  LiteRtHwAccelerators supported_hardware() const;
  // "AcmeCorp (build/lib/libLiteRtCompilerPlugin_AcmeCorp.so)", for messages.
  std::string Describe() const;

  // Whether the plugin lists it; one that lists none takes any.
  bool KnowsSoc(const std::string& soc_model) const;

  // An empty SoC model is the plugin's default throughout (a null pointer for
  // the plugin). Error if the SoC is not listed by the plugin or the plugin
  // refuses it.
  litert::Expected<void> CheckCompatibility(const std::string& soc_model) const;
  // The plugin's rewrites, as it registered them when it was created.
  std::span<const LiteRtTransformation> transformations() const;
  // RewriteModel with them, wherever they are. The model may be another one then, with the same buffers.
  litert::Expected<RewriteCount> Rewrite(std::unique_ptr<Model>& model) const;
  // With the plugin's reasons if it exports npukit/extensions/explain.h.
  litert::Expected<SelectorAnswer> Partition(const std::string& soc_model,
                                             Subgraph& subgraph) const;
  // npukit/compile_spec.h. For the partition at a position of the next Compile, or
  // NPUKIT_ALL_PARTITIONS; replaces what was set before for it. Unsupported: the plugin takes no
  // specs, or does not know a key.
  litert::Expected<void> SetCompileSpecs(size_t partition,
                                         std::span<const CompileSpec> specs) const;
  // `partitions` must have a subgraph at least: plugins need not answer for
  // nothing.
  litert::Expected<CompiledPartitions> Compile(const std::string& soc_model,
                                               Model& partitions) const;

 private:
  struct State;
  explicit LoadedPlugin(std::unique_ptr<State> state);
  std::shared_ptr<State> state_;  // what it compiled keeps it
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_LOADED_PLUGIN_H_
