// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The process that holds the vendor's compiler plugin: it carries out calls. Several threads may call Run(), each for
// its own calls; what they share is locked, but never while the plugin is called.

#ifndef NPUKIT_SDK_REMOTE_WORKER_COMPILER_SESSION_H_
#define NPUKIT_SDK_REMOTE_WORKER_COMPILER_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/plugin/plugin_functions.h"
#include "sdk/remote/wire/plugin_call.h"
#include "sdk/remote/worker/file_cache.h"

namespace npukit::remote {

class CompilerSession {
 public:
  static litert::Expected<std::unique_ptr<CompilerSession>> Open(const std::string& path,
                                                                 const FileCache& cache);

  PluginFacts Facts() const;
  // Errors are the desk's mistakes; what the plugin answers is in the answer, of a failed call with what
  // it said.
  litert::Expected<PluginAnswer> Run(const PluginCall& call);

 private:
  litert::Expected<PluginAnswer> Make(const PluginCall& call);

  // What a plugin compiled may point into what it was given.
  struct Compiled {
    LiteRtCompiledResult result = nullptr;
    std::shared_ptr<Model> partitions;
  };

  CompilerSession(PluginLibrary library, const PluginFunctions& functions, const FileCache& cache)
      : library_(std::move(library)), functions_(functions), cache_(cache) {}

  const LiteRtCompilerPluginApi& api() const { return functions_.litert; }
  // Null for number 0.
  litert::Expected<LiteRtCompilerPlugin> PluginOf(uint64_t number) const;
  litert::Expected<LiteRtCompiledResult> ResultOf(uint64_t number) const;
  // Null if the call says so.
  litert::Expected<std::unique_ptr<Model>> ModelOf(const PluginCall& call) const;

  // Of the library alone.
  PluginAnswer Version(const PluginCall& call) const;
  PluginAnswer Manufacturer() const;
  PluginAnswer Create(const PluginCall& call);
  // Of a plugin.
  litert::Expected<PluginAnswer> RunOnPlugin(const PluginCall& call);
  litert::Expected<PluginAnswer> Destroy(const PluginCall& call);
  PluginAnswer SocModel(const PluginCall& call, LiteRtCompilerPlugin plugin) const;
  PluginAnswer CheckCompatibility(const PluginCall& call, LiteRtCompilerPlugin plugin) const;
  PluginAnswer SetCompileSpecs(const PluginCall& call, LiteRtCompilerPlugin plugin) const;
  // What rewrites graphs (compiler_rewrites.cc).
  PluginAnswer Transformations(const PluginCall& call, LiteRtCompilerPlugin plugin);
  litert::Expected<PluginAnswer> Rewrite(const PluginCall& call);
  litert::Expected<PluginAnswer> Partition(const PluginCall& call,
                                           LiteRtCompilerPlugin plugin) const;
  litert::Expected<PluginAnswer> Explain(const PluginCall& call, LiteRtCompilerPlugin plugin) const;
  litert::Expected<PluginAnswer> Compile(const PluginCall& call, LiteRtCompilerPlugin plugin);
  // Of a compiled result (compiler_results.cc).
  litert::Expected<PluginAnswer> RunOnResult(const PluginCall& call);
  litert::Expected<PluginAnswer> DestroyResult(const PluginCall& call);
  PluginAnswer Module(const PluginCall& call, LiteRtCompiledResult result) const;
  PluginAnswer CallInfo(const PluginCall& call, LiteRtCompiledResult result) const;
  PluginAnswer NumDebugHandles(const PluginCall& call, LiteRtCompiledResult result) const;
  PluginAnswer DebugHandle(const PluginCall& call, LiteRtCompiledResult result) const;
  PluginAnswer InPlaceInput(const PluginCall& call, LiteRtCompiledResult result) const;

  const PluginLibrary library_;
  const PluginFunctions functions_;
  const FileCache& cache_;
  mutable std::mutex mutex_;  // of all that follows
  uint64_t last_object_ = 0;
  std::map<uint64_t, LiteRtCompilerPlugin> plugins_;
  std::map<uint64_t, Compiled> results_;
  // By plugin, as they were last registered: some plugins register theirs again with each call.
  std::map<uint64_t, std::vector<LiteRtTransformation>> transformations_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_COMPILER_SESSION_H_
