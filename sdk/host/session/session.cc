// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/kernels/thread_pool.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/model/graph/fixed_shapes.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/state/model_state.h"
#include "sdk/host/session/entries.h"
#include "sdk/host/session/jit.h"

namespace npukit {

bool HasDispatchOps(const Model& model) {
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      if (op->is_dispatch()) return true;
    }
  }
  return false;
}

Session::Session() = default;

Session::~Session() { (void)Close(); }

litert::Expected<void> Session::Close() {
  ErrorCollector errors;
  // Runners first: their invocations and buffers are of the devices.
  for (KeyedRunner& keyed : runners_) errors.Add(keyed.runner->Close());
  runners_.clear();
  if (devices_ != nullptr) errors.Add(devices_->Close());
  devices_.reset();
  return errors.Result();
}

litert::Expected<std::unique_ptr<Session>> Session::Create(std::unique_ptr<Model> model,
                                                           SessionOptions options) {
  if (model == nullptr || model->subgraphs().empty()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "the model has no subgraph");
  }
  std::unique_ptr<Session> session(new Session);
  session->options_ = std::move(options);
  session->model_ = std::move(model);
  LITERT_RETURN_IF_ERROR(session->Prepare());
  return session;
}

litert::Expected<std::unique_ptr<Session>> Session::Open(const std::string& path,
                                                         SessionOptions options) {
  LITERT_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, LoadModel(path, {.calibration = false}));
  litert::Expected<std::unique_ptr<Session>> session = Create(std::move(model), std::move(options));
  if (!session)
    return litert::Unexpected(session.Error().Status(),
                              fmt::format("{}: {}", path, session.Error().Message()));
  return session;
}

litert::Expected<void> Session::Prepare() {
  if (options_.threads < 1) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "threads must be at least 1");
  }
  state_ = std::make_unique<ModelState>(options_.max_calls_per_run);
  op_packages_ = LoadOpPackages(options_.op_package_dirs);
  if (options_.threads > 1) pool_ = kernels::ThreadPool::Create(options_.threads);
  LITERT_RETURN_IF_ERROR(CheckResizes(*model_, options_.resizes));
  if (HasDispatchOps(*model_)) return PrepareCompiled();
  if (options_.jit) return PrepareJit();
  if (!options_.plugin_dir.empty()) {
    placement_.fallback_reason =
        "the model is not compiled; compile it first or ask for compiling at load (--jit)";
  }
  CountPlacements(options_.plugin_dir.empty() ? "no plugin asked for" : placement_.fallback_reason);
  LITERT_ASSIGN_OR_RETURN(default_runner_, Runner());
  return {};
}

litert::Expected<void> Session::CheckResizes(const Model& model,
                                             const std::vector<ResizeRequest>& resizes) {
  std::set<size_t> found;
  std::map<const Tensor*, kernels::Shape> shapes;
  std::vector<std::string> inputs;
  for (const std::string& key :
       model.signatures.empty() ? std::vector<std::string>{""} : KeysOf(model)) {
    LITERT_ASSIGN_OR_RETURN(Entry entry, FindEntry(model, key));
    FindResizes(entry, resizes, shapes, found);
    for (const Tensor* input : entry.subgraph->inputs) {
      const auto name = entry.names.find(input);
      inputs.push_back(fmt::format("'{}'{}", name == entry.names.end() ? input->name : name->second,
                                   kernels::ShapeText(input->shape)));
    }
  }
  for (size_t i = 0; i < resizes.size(); ++i) {
    if (!found.contains(i)) {
      return litert::Unexpected(
          kLiteRtStatusErrorNotFound,
          fmt::format("there is no input '{}' to resize; there {} {}", resizes[i].tensor,
                      inputs.size() == 1 ? "is" : "are",
                      inputs.empty() ? "none" : fmt::format("{}", fmt::join(inputs, ", "))));
    }
  }
  return {};
}

litert::Expected<void> Session::PrepareCompiled() {
  const std::optional<BuildStamp> stamp = GetBuildStamp(*model_);
  const std::string manufacturer = stamp ? stamp->soc_manufacturer : options_.manufacturer;
  if (DispatchDir().empty() && LinkedPaths(kNpukitStaticPluginDispatch).empty()) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        fmt::format("the model is compiled for {} and its ops cannot run on the CPU: name the "
                    "folder of its dispatch library (--plugin-dir)",
                    manufacturer.empty() ? "an NPU" : manufacturer));
  }
  LITERT_RETURN_IF_ERROR(OpenDispatch(manufacturer));
  CountPlacements("was left on the CPU when the model was compiled");
  return {};
}

litert::Expected<void> Session::PrepareJit() {
  std::string reason;
  const Fallback fallback = TryJit(reason);
  if (fallback == Fallback::kNone) return {};
  placement_ = {};
  placement_.fallback = fallback;
  placement_.fallback_reason = reason;
  CountPlacements(reason);
  LITERT_ASSIGN_OR_RETURN(default_runner_, Runner());
  return {};
}

// With a fallback the session keeps its model as it was given.
Fallback Session::TryJit(std::string& reason) {
  if (options_.plugin_dir.empty() && LinkedPaths(kNpukitStaticPluginCompiler).empty()) {
    reason = "compiling at load needs a plugin folder (--plugin-dir)";
    return Fallback::kNotLoaded;
  }
  // A copy, so that a fallback runs the model as it was given, with its open dimensions.
  const std::unique_ptr<Model> fixed = CopyModel(*model_);
  if (litert::Expected<void> resized = WriteResizedShapes(*fixed); !resized) {
    reason = resized.Error().Message();
    return Fallback::kNotCompiled;
  }
  FixDynamicShapes(*fixed);
  JitResult jit = CompileInMemory(*fixed, {.plugin_dir = options_.plugin_dir,
                                           .manufacturer = options_.manufacturer,
                                           .soc = options_.soc,
                                           .plugins = options_.plugins,
                                           .plugin_options = options_.plugin_options,
                                           .placement = options_.placement,
                                           .one_op_per_partition = options_.one_op_per_partition,
                                           .on_compile_failure = options_.on_compile_failure,
                                           .fold_constants = options_.fold_constants});
  if (jit.fallback != Fallback::kNone) {
    reason = std::move(jit.reason);
    return jit.fallback;
  }
  ApplyResult& applied = jit.applied;
  // Opening plans *model_; where that fails the given one comes back.
  std::unique_ptr<Model> given = std::exchange(model_, std::move(applied.model));
  std::map<BufferStore::Id, LiteRtJitExecutable> executables;
  for (const ApplyResult::Module& module : applied.modules) {
    if (module.executable != nullptr) executables[module.buffer] = module.executable;
  }
  if (litert::Expected<void> opened = OpenDispatch(jit.manufacturer, std::move(executables));
      !opened) {
    (void)Close();
    // Only then: runners point into the model, devices run what jit.applied holds.
    state_ = std::make_unique<ModelState>(options_.max_calls_per_run);  // of that model's tensors
    model_ = std::move(given);
    reason = opened.Error().Message();
    return Fallback::kNotDispatched;
  }
  placement_.plugin = jit.manufacturer;
  placement_.partitions = applied.partitions.size();
  for (const PlacedOp& op : applied.ops) {
    const bool on_npu = op.partition >= 0;
    (on_npu ? placement_.npu_ops : placement_.cpu_ops) += 1;
    placement_.ops.push_back({.subgraph = op.subgraph,
                              .index = op.index,
                              .op = op.op,
                              .name = op.name,
                              .target = on_npu ? Target::kNpu : Target::kCpu,
                              .partition = op.partition,
                              .reason = op.reason,
                              .plugin = op.plugin});
  }
  // Keeps executables alive as long as the devices (ApplyResult::executable_owners).
  applied_ = std::make_unique<ApplyResult>(std::move(jit.applied));
  return Fallback::kNone;
}

// A plugin compiles for the shapes that stand in the model, so those that follow from resizing are
// written into it.
litert::Expected<void> Session::WriteResizedShapes(Model& copy) const {
  if (options_.resizes.empty()) return {};
  for (const std::string& key :
       copy.signatures.empty() ? std::vector<std::string>{""} : signature_keys()) {
    LITERT_ASSIGN_OR_RETURN(Entry entry, FindEntry(copy, key));
    // Planned for its shapes alone: without devices, and never run.
    SignatureRunner::Options options{.threads = 1,
                                     .resized_inputs = {},
                                     .max_arena_bytes = options_.max_arena_bytes,
                                     .port_names = {}};
    std::set<size_t> ignored;
    FindResizes(entry, options_.resizes, options.resized_inputs, ignored);
    LITERT_ASSIGN_OR_RETURN(
        auto runner,
        SignatureRunner::Create(copy, *entry.subgraph, std::move(options), nullptr, nullptr));
    for (const auto& subgraph : copy.subgraphs()) {
      for (const auto& tensor : subgraph->tensors()) {
        std::optional<kernels::Shape> shape = runner->TensorShape(*tensor);
        if (!shape) continue;
        tensor->shape = std::move(*shape);
        tensor->shape_signature.clear();
      }
    }
  }
  return {};
}

const std::string& Session::DispatchDir() const {
  return options_.dispatch_dir.empty() ? options_.plugin_dir : options_.dispatch_dir;
}

// Plans the default signature: a library that can not run it is refused here.
litert::Expected<void> Session::OpenDispatch(
    const std::string& manufacturers, std::map<BufferStore::Id, LiteRtJitExecutable> executables) {
  std::vector<std::string> paths = {DispatchDir()};
  if (LinkedName(paths.front()).empty()) {
    LITERT_ASSIGN_OR_RETURN(paths, RankDispatchLibraries(DispatchDir(), manufacturers));
  }
  devices_ =
      std::make_unique<DispatchDevices>(std::move(paths), options_.soc, options_.placement.specs);
  devices_->SetExecutables(std::move(executables));
  LITERT_ASSIGN_OR_RETURN(default_runner_, Runner());
  placement_.dispatch = devices_->Describe();
  return {};
}

litert::Expected<void> Session::RegisterBufferHandlers(LiteRtEnvironment environment) const {
  return devices_ == nullptr ? litert::Expected<void>()
                             : devices_->RegisterBufferHandlers(environment);
}

const CompileSpecRequest* Session::UnknownSpec() const {
  return devices_ == nullptr || applied_ != nullptr ? nullptr : devices_->UnknownSpec();
}

void Session::ResetState() { state_->Reset(); }

size_t Session::executables_in_use() const {
  return devices_ == nullptr ? 0 : devices_->executables_in_use();
}

std::vector<std::string> Session::signature_keys() const { return KeysOf(*model_); }

litert::Expected<SignatureRunner*> Session::Runner(std::string_view key) {
  if (key.empty() && !model_->signatures.empty()) key = model_->signatures.front()->key;
  for (KeyedRunner& keyed : runners_) {
    if (keyed.key == key) return keyed.runner.get();
  }
  LITERT_ASSIGN_OR_RETURN(Entry entry, FindEntry(*model_, key));
  SignatureRunner::Options options{
      .threads = options_.threads,
      .hybrid = options_.hybrid,
      .resized_inputs = {},
      .max_arena_bytes = options_.max_arena_bytes,
      .keep_intermediates = options_.keep_intermediates,
      .async = options_.async,
      .port_names = entry.names,
      .shared_ports = {options_.shared_ports.begin(), options_.shared_ports.end()},
      .state = state_.get()};
  std::set<size_t> ignored;
  FindResizes(entry, options_.resizes, options.resized_inputs, ignored);
  LITERT_ASSIGN_OR_RETURN(auto runner,
                          SignatureRunner::Create(*model_, *entry.subgraph, std::move(options),
                                                  pool_.get(), devices_.get()));
  runners_.push_back({std::string(key), std::move(runner)});
  return runners_.back().runner.get();
}

void Session::CountPlacements(std::string cpu_reason) {
  cpu_reason_ = std::move(cpu_reason);
  for (const Subgraph* subgraph : EntrySubgraphs(*model_)) {
    for (const auto& op : subgraph->ops()) {
      (op->is_dispatch() ? placement_.npu_ops : placement_.cpu_ops) += 1;
      placement_.partitions += op->is_dispatch() ? 1 : 0;
    }
  }
}

const SessionPlacement& Session::placement() const {
  std::call_once(ops_placed_, [this] {
    if (!cpu_reason_) return;
    int partitions = 0;
    for (const Subgraph* subgraph : EntrySubgraphs(*model_)) AddPlacements(*subgraph, partitions);
  });
  return placement_;
}

void Session::AddPlacements(const Subgraph& subgraph, int& partitions) const {
  size_t number = 0;
  while (number < model_->subgraphs().size() && &model_->subgraph(number) != &subgraph) ++number;
  placement_.ops.reserve(placement_.ops.size() + subgraph.ops().size());
  for (const auto& op : subgraph.ops()) {
    OpPlacement entry{.subgraph = number,
                      .index = op->index,
                      .op = OpName(*op),
                      .name = {},
                      .reason = *cpu_reason_};
    if (!op->outputs.empty()) entry.name = op->outputs.front()->name;
    if (op->is_dispatch()) {
      entry.target = Target::kNpu;
      entry.partition = partitions++;
      entry.reason.clear();
    }
    placement_.ops.push_back(std::move(entry));
  }
}

}  // namespace npukit
