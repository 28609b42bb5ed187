// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model made ready to run: partitioned and compiled where that was asked for, its dispatch
// library loaded.
//
//   auto session = Session::Open("model.tflite", {.plugin_dir = "build/lib", .jit = true});
//   SignatureRunner& runner = (*session)->default_runner();
//   runner.SetInput(0, bytes);
//   runner.Run();
//   Use(runner.output(0));
//
// Threads: a session and its runners belong to one thread at a time; several sessions run side by
// side, also on one dispatch library.

#ifndef NPUKIT_SDK_HOST_SESSION_SESSION_H_
#define NPUKIT_SDK_HOST_SESSION_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/runtime/packages/op_packages.h"
#include "sdk/host/runtime/runner/session_placement.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {

class DispatchDevices;
class ModelState;
namespace kernels {
class ThreadPool;
}

// New shape of a graph input, by its name in the signature or, if that has none of the name, by tensor name.
struct ResizeRequest {
  std::string tensor;
  std::vector<int32_t> shape;
  std::optional<std::string> signature;  // its key; nothing: every one that has such an input
};

struct SessionOptions {
  // Compiler plugins and dispatch libraries, beside those that are linked into the program
  // (npukit/static_plugin.h). Empty: those alone.
  std::string plugin_dir;
  // Dispatch libraries, where they lie elsewhere: a folder, or one that is linked in ("linked:NAME").
  // Empty: in plugin_dir.
  std::string dispatch_dir;
  // Compile a plain model at load, in memory; falls back to the CPU, with the reason.
  bool jit = false;
  std::string soc;  // empty: the plugin's choice
  // Of the plugin, where there are several; empty: the first that takes the model.
  std::string manufacturer;
  std::vector<std::string> plugins;  // just in time: all of these take part, in this order
  // Just in time: what compiler plugins are created with; outlives the session. Null: nothing.
  LiteRtOptions plugin_options = nullptr;
  // Just in time: who gets which op, and compile specs. The specs go to the dispatch libraries too,
  // also of a model that was compiled before.
  PlacementRequest placement;
  OnCompileFailure on_compile_failure = OnCompileFailure::kFail;
  bool fold_constants = false;  // before plugins see the model (FoldConstants)
  // Operator packages are looked for in these folders, and in those of NPUKIT_OP_PACKAGE_PATH.
  std::vector<std::string> op_package_dirs;
  int threads = 1;  // of the CPU kernels
  kernels::HybridMode hybrid = kernels::HybridMode::kAsTflite;
  // Dispatch ops run beside other ops where the library can and the graph allows it.
  bool async = true;
  // Every tensor keeps memory of its own, so that TensorBytes() works after a run.
  bool keep_intermediates = false;
  std::vector<ResizeRequest> resizes;
  // Inputs and outputs, by their names in signatures, of which there is one for the whole session, as
  // KV caches are: what a run gives under such a name the next one takes, of whatever signature, with
  // nothing copied where the ops may write in place. ResetState() makes them zero.
  std::vector<std::string> shared_ports;
  // Just in time: each selected op is compiled by itself, so that its result is visible.
  bool one_op_per_partition = false;
  // An error above it, so that a hostile model cannot exhaust memory.
  uint64_t max_arena_bytes = uint64_t{8} << 30;
  // Turns of loops and calls of subgraphs in one run, all together: one more is an error, so that a
  // model that never ends does not hang.
  uint64_t max_calls_per_run = SignatureRunner::kDefaultMaxCallsPerRun;
};

// Whether the model is compiled, in part at least: a session runs it as it is.
bool HasDispatchOps(const Model& model);

class Session {
 public:
  // Takes the model. Errors name the file, library, op or tensor at fault:
  // - an op that no kernel knows, a shape that can't be (all unsupported ops at once);
  // - a model compiled ahead of time whose dispatch library is missing or refuses it: there is no
  // CPU fallback for it.
  static litert::Expected<std::unique_ptr<Session>> Create(std::unique_ptr<Model> model,
                                                           SessionOptions options);
  // An error if there is no input of a request's name; Create() looks, too.
  static litert::Expected<void> CheckResizes(const Model& model,
                                             const std::vector<ResizeRequest>& resizes);
  // Loads the file first.
  static litert::Expected<std::unique_ptr<Session>> Open(const std::string& path,
                                                         SessionOptions options);
  // Closes; what a dispatch library then reports wrong is lost.
  ~Session();

  // Detaches, unregisters and destroys everything on the dispatch library, in the reverse order of
  // creation and to the end even if a call fails. The errors of all calls come back as one. Nothing
  // may be used afterwards but placement().
  litert::Expected<void> Close();

  // Keys in file order; empty for a model without signatures.
  std::vector<std::string> signature_keys() const;
  // The runner of a signature, planned at first use and owned by the session. An empty key means
  // the first signature, or the main subgraph of a model that has none.
  litert::Expected<SignatureRunner*> Runner(std::string_view key = {});
  // The runner of the empty key, which Create has planned already.
  SignatureRunner& default_runner() { return *default_runner_; }

  // State tensors, variables and what CALL_ONCE has set up are as before the first run. They last
  // from run to run and are one for all signatures.
  void ResetState();

  // Where ops run. Of a model that was compiled at load: of all its ops, by the given model's numbers;
  // else of the subgraphs where signatures begin, not of those that their ops call.
  // Any thread may call it.
  const SessionPlacement& placement() const;
  // What took part in the session, and what could not.
  const OpPackages& op_packages() const { return op_packages_; }
  // What was compiled at load; null otherwise.
  const ApplyResult* applied() const { return applied_.get(); }
  // Dispatch ops that run what a plugin made in this process, in place of its bytecode (abi 2.2).
  size_t executables_in_use() const;
  // Of a model that was compiled ahead of time: the first compile spec that nothing has taken, since only
  // the dispatch libraries are left to take one. Null if there is none.
  const CompileSpecRequest* UnknownSpec() const;
  // Lets buffers in memory of the dispatch libraries' own, where they bring any, be made with the
  // environment.
  litert::Expected<void> RegisterBufferHandlers(LiteRtEnvironment environment) const;
  // As it runs: after partitioning, if there was any; else as it was given.
  const Model& model() const { return *model_; }

 private:
  Session();

  litert::Expected<void> Prepare();
  litert::Expected<void> PrepareCompiled();
  litert::Expected<void> PrepareJit();
  Fallback TryJit(std::string& reason);
  // Writes the shapes that follow from the resizes into a copy of the model.
  litert::Expected<void> WriteResizedShapes(Model& copy) const;
  // Where dispatch libraries are looked for.
  const std::string& DispatchDir() const;
  litert::Expected<void> OpenDispatch(
      const std::string& manufacturers,
      std::map<BufferStore::Id, LiteRtJitExecutable> executables = {});
  void CountPlacements(std::string cpu_reason);
  // `partitions`: how many there are before it, and then with it.
  void AddPlacements(const Subgraph& subgraph, int& partitions) const;

  SessionOptions options_;
  OpPackages op_packages_;
  std::unique_ptr<Model> model_;
  // Names and reasons of all ops take memory that few need: without JIT they are made when asked for.
  mutable SessionPlacement placement_;
  mutable std::once_flag ops_placed_;
  std::optional<std::string> cpu_reason_;      // of ops that are still to be added
  std::unique_ptr<ApplyResult> applied_;       // its model is model_
  std::unique_ptr<kernels::ThreadPool> pool_;  // null for one thread
  std::unique_ptr<DispatchDevices> devices_;   // null without dispatch ops
  std::unique_ptr<ModelState> state_;          // what lasts from run to run
  struct KeyedRunner {
    std::string key;
    std::unique_ptr<SignatureRunner> runner;
  };
  std::vector<KeyedRunner> runners_;           // closed before the devices
  SignatureRunner* default_runner_ = nullptr;  // one of them
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_SESSION_SESSION_H_
