// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/compiled_model/compiled_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <variant>

#include "litert/c/internal/litert_logging.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/c_api/compiled_model/metrics.h"
#include "sdk/host/c_api/compiled_model/profiler.h"
#include "sdk/host/c_api/environment/environment.h"
#include "sdk/host/c_api/options/host_options.h"
#include "sdk/host/c_api/options/options.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/host/partition/copy.h"

namespace {

using npukit::PortInfo;
using npukit::SignatureRunner;

constexpr size_t kProfilerCapacity = 4096;

std::string Folder(LiteRtEnvironment environment, LiteRtEnvOptionTag tag) {
  if (environment == nullptr) return {};
  const LiteRtAny* value = environment->options().Find(tag);
  return value != nullptr && value->type == kLiteRtAnyTypeString ? value->str_value : "";
}

LiteRtAny ToAny(const npukit::DispatchMetrics::Value& value) {
  LiteRtAny any = {};
  any.type = kLiteRtAnyTypeNone;
  if (const auto* flag = std::get_if<bool>(&value)) {
    any.type = kLiteRtAnyTypeBool;
    any.bool_value = *flag;
  } else if (const auto* whole = std::get_if<int64_t>(&value)) {
    any.type = kLiteRtAnyTypeInt;
    any.int_value = *whole;
  } else if (const auto* real = std::get_if<double>(&value)) {
    any.type = kLiteRtAnyTypeReal;
    any.real_value = *real;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    any.type = kLiteRtAnyTypeString;
    any.str_value = text->c_str();
  }
  return any;
}

}  // namespace

litert::Expected<std::unique_ptr<LiteRtCompiledModelT>> LiteRtCompiledModelT::Create(
    LiteRtEnvironment environment, const npukit::Model& model, LiteRtOptions options) {
  std::unique_ptr<LiteRtCompiledModelT> compiled(new LiteRtCompiledModelT);
  compiled->environment_ = environment;
  compiled->model_ = npukit::CopyModel(model);
  const LiteRtHwAcceleratorSet accelerators =
      options != nullptr && options->hardware_accelerators != kLiteRtHwAcceleratorNone
          ? options->hardware_accelerators
          : LiteRtHwAcceleratorSet{kLiteRtHwAcceleratorCpu};
  compiled->cpu_is_allowed_ = (accelerators & kLiteRtHwAcceleratorCpu) != 0;
  const bool npu = (accelerators & kLiteRtHwAcceleratorNpu) != 0;
  const bool is_compiled = npukit::HasDispatchOps(model);
  // As LiteRT looks for them.
  const std::string plugins =
      npukit::WithFoldersBelow(Folder(environment, kLiteRtEnvOptionTagCompilerPluginLibraryDir));
  const std::string dispatch =
      npukit::WithFoldersBelow(Folder(environment, kLiteRtEnvOptionTagDispatchLibraryDir));
  if (npu || is_compiled) {
    compiled->options_.plugin_dir = plugins.empty() ? dispatch : plugins;
    compiled->options_.dispatch_dir = dispatch;
  }
  compiled->options_.jit = npu && !is_compiled;
  LITERT_ASSIGN_OR_RETURN(const npukit::HostOptions host, npukit::ReadHostOptions(options));
  compiled->options_.threads = host.threads;
  compiled->options_.placement.max_partitions = host.max_partitions;
  compiled->error_reporter_ = host.error_reporter.value_or(kLiteRtErrorReporterModeBuffer);
  // A resized model is compiled again when the caller's may be gone.
  if (options != nullptr) compiled->plugin_options_ = options->Share();
  compiled->options_.plugin_options = compiled->plugin_options_.get();
  LITERT_RETURN_IF_ERROR(compiled->OpenSession());
  return compiled;
}

LiteRtCompiledModelT::~LiteRtCompiledModelT() {
  Settle();
  DropRequirements();
  if (profiler_ != nullptr) LiteRtDestroyProfiler(profiler_);
}

litert::Expected<void> LiteRtCompiledModelT::OpenSession() {
  LITERT_ASSIGN_OR_RETURN(auto opened,
                          npukit::Session::Create(npukit::CopyModel(*model_), options_));
  // The old session stays until the new one is whole: a resize that fails leaves the model as it
  // was.
  const npukit::SessionPlacement& placement = opened->placement();
  if (!cpu_is_allowed_ && placement.cpu_ops > 0) {
    return litert::Unexpected(
        kLiteRtStatusErrorCompilation,
        fmt::format(
            "{} ops have to stay on the CPU, which is not among the accelerators asked for{}{}",
            placement.cpu_ops, placement.fallback_reason.empty() ? "" : ": ",
            placement.fallback_reason));
  }
  if (!placement.fallback_reason.empty()) {
    Report(placement.fallback_reason);
    LITERT_LOG(LITERT_WARNING, "nothing runs on the NPU: %s", placement.fallback_reason.c_str());
  } else if (placement.npu_ops > 0 && placement.cpu_ops > 0) {
    LITERT_LOG(LITERT_INFO, "%zu ops run on the NPU, %zu on the CPU", placement.npu_ops,
               placement.cpu_ops);
  }
  if (environment_ != nullptr) LITERT_RETURN_IF_ERROR(opened->RegisterBufferHandlers(environment_));
  DropRequirements();
  // They are the old session's.
  runners_.clear();
  session_ = std::move(opened);
  if (!metrics_level_) return {};
  // The collection goes on.
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, Runner(0));
  litert::Expected<void> started = runner->StartMetrics(*metrics_level_);
  if (!started) {
    metrics_level_.reset();
    Report(started.Error().Message());
  }
  return {};
}

bool LiteRtCompiledModelT::IsFullyAccelerated() const {
  const npukit::SessionPlacement& placement = session_->placement();
  return placement.cpu_ops == 0 && placement.npu_ops > 0;
}

litert::Expected<std::string> LiteRtCompiledModelT::KeyOf(size_t signature) const {
  if (model_->signatures.empty() && signature == 0) return std::string();
  if (signature < model_->signatures.size()) return model_->signatures[signature]->key;
  return litert::Unexpected(kLiteRtStatusErrorIndexOOB,
                            fmt::format("there is no signature {}", signature));
}

const npukit::Subgraph& LiteRtCompiledModelT::GivenSubgraph(size_t signature) const {
  return model_->signatures.empty() ? model_->main_subgraph()
                                    : *model_->signatures[signature]->subgraph;
}

litert::Expected<SignatureRunner*> LiteRtCompiledModelT::Runner(size_t signature) {
  Settle();
  return KnownRunner(signature);
}

litert::Expected<SignatureRunner*> LiteRtCompiledModelT::KnownRunner(size_t signature) {
  // Without waiting: the list changes on the caller's thread alone, so an asynchronous run can be
  // submitted while others are under way.
  if (const auto known = runners_.find(signature); known != runners_.end()) return known->second;
  Settle();  // what follows may plan a signature
  LITERT_ASSIGN_OR_RETURN(const std::string key, KeyOf(signature));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner(key));
  if (environment_ != nullptr)
    LITERT_RETURN_IF_ERROR(session_->RegisterBufferHandlers(environment_));
  runners_[signature] = runner;
  return runner;
}

void LiteRtCompiledModelT::DropRequirements() {
  for (const auto& [port, lent] : requirements_)
    LiteRtDestroyTensorBufferRequirements(lent.requirements);
  requirements_.clear();
}

litert::Expected<LiteRtTensorBufferRequirements> LiteRtCompiledModelT::Requirements(
    size_t signature, bool is_input, size_t index) {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, Runner(signature));
  const std::span<const PortInfo> ports = is_input ? runner->inputs() : runner->outputs();
  if (index >= ports.size()) return litert::Unexpected(kLiteRtStatusErrorIndexOOB);
  const size_t size_bytes = ports[index].size_bytes;
  // Lent, not given: what was handed out before must stay while it still says the same.
  Lent& lent = requirements_[{signature, 2 * index + is_input}];
  if (lent.requirements == nullptr || lent.size_bytes != size_bytes) {
    LiteRtDestroyTensorBufferRequirements(std::exchange(lent.requirements, nullptr));
    // As in LiteRT the library's own memory first; a run copies where it gets host memory.
    std::vector<LiteRtTensorBufferType> types = {ports[index].buffer_type};
    if (types.front() != kLiteRtTensorBufferTypeHostMemory)
      types.push_back(kLiteRtTensorBufferTypeHostMemory);
    LITERT_RETURN_IF_ERROR(LiteRtCreateTensorBufferRequirements(
        static_cast<int>(types.size()), types.data(), size_bytes, /*num_strides=*/0,
        /*strides=*/nullptr, &lent.requirements));
    lent.size_bytes = size_bytes;
  }
  return lent.requirements;
}

litert::Expected<void> LiteRtCompiledModelT::Resize(size_t signature, size_t input,
                                                    std::span<const int> dims, bool strict) {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, Runner(signature));
  if (input >= runner->inputs().size()) return litert::Unexpected(kLiteRtStatusErrorIndexOOB);
  const PortInfo& port = runner->inputs()[input];
  // Where the session compiled the model, or resized it before, its own has no open ones any more.
  const npukit::Tensor& given = *GivenSubgraph(signature).inputs[input];
  const std::vector<int32_t>& open =
      given.shape_signature.empty() ? given.shape : given.shape_signature;
  if (strict) {
    bool fits = open.size() == dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i) fits = open[i] == -1 || open[i] == dims[i];
    if (!fits) return BadBuffer(port, "only dimensions that the model leaves open may change");
  }
  // A resize that fails leaves the options as they were, too.
  npukit::SessionOptions before = options_;
  LITERT_ASSIGN_OR_RETURN(std::string key, KeyOf(signature));
  std::erase_if(options_.resizes, [&](const auto& other) {
    return other.tensor == port.name && other.signature == key;
  });
  options_.resizes.push_back(
      {port.name, std::vector<int32_t>(dims.begin(), dims.end()), std::move(key)});
  auto opened = OpenSession();
  if (!opened) options_ = std::move(before);
  return opened;
}

litert::Expected<void> LiteRtCompiledModelT::SetScheduling(const LiteRtSchedulingInfo* info) {
  Settle();
  if (info == nullptr) {
    scheduling_.reset();
  } else {
    scheduling_ = *info;
  }
  return {};
}

litert::Expected<void> LiteRtCompiledModelT::StartMetrics(int detail_level) {
  if (detail_level < 0) return litert::Unexpected(kLiteRtStatusErrorInvalidArgument);
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, Runner(0));
  metrics_level_.reset();
  LITERT_RETURN_IF_ERROR(runner->StartMetrics(detail_level));
  metrics_level_ = detail_level;
  return {};
}

litert::Expected<void> LiteRtCompiledModelT::StopMetrics(LiteRtMetrics metrics) {
  if (!std::exchange(metrics_level_, std::nullopt)) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "no collection was started");
  }
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, Runner(0));
  LITERT_ASSIGN_OR_RETURN(const auto steps, runner->StopMetrics());
  npukit::DispatchMetrics all;
  for (const npukit::DispatchMetrics& step : steps) all.Merge(step);
  metrics->Clear();
  for (const auto& metric : all.all()) metrics->Add(metric.name, ToAny(metric.value));
  return {};
}

void LiteRtCompiledModelT::Report(const std::string& message) {
  if (error_reporter_ == kLiteRtErrorReporterModeStderr)
    std::fprintf(stderr, "%s\n", message.c_str());
  // A run's own thread reports, too.
  const std::lock_guard lock(errors_mutex_);
  if (error_reporter_ == kLiteRtErrorReporterModeBuffer) errors_ += message + "\n";
}

litert::Expected<void> LiteRtCompiledModelT::CheckKeepsErrors() const {
  if (error_reporter_ == kLiteRtErrorReporterModeBuffer) return {};
  if (error_reporter_ == kLiteRtErrorReporterModeStderr)
    return litert::Unexpected(kLiteRtStatusErrorUnsupported);
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument);
}

litert::Expected<std::string> LiteRtCompiledModelT::Errors() const {
  LITERT_RETURN_IF_ERROR(CheckKeepsErrors());
  const std::lock_guard lock(errors_mutex_);
  return errors_;
}

litert::Expected<void> LiteRtCompiledModelT::ClearErrors() {
  LITERT_RETURN_IF_ERROR(CheckKeepsErrors());
  const std::lock_guard lock(errors_mutex_);
  errors_.clear();
  return {};
}

LiteRtProfiler LiteRtCompiledModelT::profiler() {
  Settle();
  if (profiler_ == nullptr) profiler_ = new LiteRtProfilerT(kProfilerCapacity);
  return profiler_;
}
