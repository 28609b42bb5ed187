// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// AcmeCorp's compiler plugin: what LiteRT loads.

#include "npukit/plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "npukit/compile_spec.h"
#include "reference_plugin/compiler/compile.h"
#include "reference_plugin/compiler/intermediates.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/plugin_options.h"
#include "reference_plugin/module/jit_executable.h"

namespace acme::compiler {
namespace {

litert::Unexpected Failure(const Error& error, const std::string& where) {
  const auto status = error.Code() == ErrorCode::kInvalidArgument
                          ? litert::Status::kErrorUnsupported
                          : litert::Status::kErrorCompilation;
  return litert::Unexpected(status, fmt::format("{}: {}", where, error.Message()));
}

class AcmePlugin : public npukit::CompilerPlugin {
 public:
  static constexpr const char* kManufacturer = "AcmeCorp";
  static constexpr const char* kSocModels[] = {"acme_a1", "acme_a0", "acme_a2", "acme_edge128",
                                               "acme_edge256"};
  static constexpr const char* kOptionsIdentifier = kOpaqueOptionsIdentifier;

  // What the options' payload asks for holds where no compile spec says otherwise. One that makes
  // no sense is an error of whatever is asked first.
  explicit AcmePlugin(const npukit::PluginConfig& config) {
    LiteRtOpaqueOptions opaque = nullptr;
    void* payload = nullptr;
    if (config.options == nullptr ||
        LiteRtGetOpaqueOptions(config.options, &opaque) != kLiteRtStatusOk || opaque == nullptr ||
        LiteRtFindOpaqueOptionsData(opaque, kOpaqueOptionsIdentifier, &payload) !=
            kLiteRtStatusOk ||
        payload == nullptr)
      return;
    // The payload ends in a zero, as plugin_options.h asks: LiteRT gives no length with it.
    auto options = ParsePluginOptions(static_cast<const char*>(payload));
    if (options) {
      options_ = std::move(*options);
    } else {
      options_error_ = fmt::format("opaque options '{}': {}", kOpaqueOptionsIdentifier,
                                   options.Error().Message());
    }
  }

  litert::Expected<void> CheckCompatibility(const std::string&) override { return CheckOptions(); }

  // Which chip: described by the file of the spec "soc_file", else the SoC model.
  //
  // An op is taken if it can be legalised: Partition, Explain and Compile ask the same functions.
  litert::Expected<void> Partition(const std::string& soc_model, const litert::Subgraph& subgraph,
                                   npukit::OpSelection& selection) override {
    LITERT_RETURN_IF_ERROR(CheckOptions());
    const auto index = Option(kAllPartitions, kForcePartitionIndexKey);
    for (const litert::Op& op : subgraph.Ops()) {
      if (!WhyNot(soc_model, op).empty()) continue;
      LITERT_RETURN_IF_ERROR(selection.Select(op, index ? PluginOptionNumber(*index) : 0));
    }
    return {};
  }

  std::string Explain(const std::string& soc_model, const litert::Subgraph&,
                      const litert::Op& op) override {
    return WhyNot(soc_model, op);
  }

  litert::Expected<npukit::CompiledResult> Compile(const std::string& soc_model,
                                                   const litert::Model& partitions) override {
    LITERT_RETURN_IF_ERROR(CheckOptions());
    std::vector<Network> networks;
    LiteRtParamIndex count = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetNumModelSubgraphs(partitions.Get(), &count));
    const auto hardware = HardwareFor(soc_model, 0);
    if (!hardware) return Failure(hardware.Error(), soc_model);
    for (LiteRtParamIndex i = 1; i < count; ++i) {
      if (TextSpec(i, NPUKIT_SPEC_SOC_FILE) == TextSpec(0, NPUKIT_SPEC_SOC_FILE)) continue;
      return litert::Unexpected(litert::Status::kErrorInvalidArgument, NPUKIT_SPEC_SOC_FILE
                                ": all partitions are one module, and a module is for one SoC");
    }
    for (LiteRtParamIndex i = 0; i < count; ++i) {
      LiteRtSubgraph subgraph = nullptr;
      LITERT_RETURN_IF_ERROR(LiteRtGetModelSubgraph(partitions.Get(), i, &subgraph));
      const std::string name = fmt::format("acme_partition_{}", i);
      auto network = LegalizeSubgraph(litert::Subgraph(subgraph), *hardware, name);
      if (!network) return Failure(network.Error(), name);
      networks.push_back(std::move(*network));
    }
    const size_t num_calls = networks.size();
    AddIntermediateEntries(KeepIntermediates(num_calls), networks);
    auto compiled = CompileNetworks(networks, *hardware, OptionsOf(num_calls));
    if (!compiled) return Failure(compiled.Error(), "module");
    LITERT_RETURN_IF_ERROR(WriteDumps(std::span(networks).first(num_calls), compiled->dumps));
    return Result(std::span(networks).first(num_calls), std::move(compiled->module));
  }

  // The last two are the dispatch library's and pass through the compiler.
  bool KnowsSpec(const std::string& key) const override {
    return key == NPUKIT_SPEC_KEEP_INTERMEDIATES || key == NPUKIT_SPEC_DUMP_DIR ||
           key == NPUKIT_SPEC_SOC_FILE || key == kOptimizationLevelKey ||
           key == kForcePartitionIndexKey || key == kShorterContextsKey ||
           key == NPUKIT_SPEC_SOC_MODEL || key == "check_races" || key == "device_memory";
  }

  // Of a file that describes a SoC, what follows uses what it says now.
  litert::Expected<void> CheckSpec(const std::string& key,
                                   litert::internal::Span<const uint8_t> bytes) override {
    const std::string path(bytes.begin(), bytes.end());
    if (key == kOptimizationLevelKey || key == kForcePartitionIndexKey ||
        key == kShorterContextsKey || key == NPUKIT_SPEC_DUMP_DIR) {
      const auto checked = CheckPluginOption(key, path);
      if (checked) return {};
      return litert::Unexpected(litert::Status::kErrorInvalidArgument, checked.Error().Message());
    }
    if (key != NPUKIT_SPEC_SOC_FILE) return {};
    auto hardware = ReadHardwareFile(path);
    if (!hardware) {
      const auto status = hardware.Error().Code() == ErrorCode::kIo
                              ? litert::Status::kErrorFileIO
                              : litert::Status::kErrorInvalidArgument;
      return litert::Unexpected(status, hardware.Error().Message());
    }
    hardware_files_[path] = std::move(*hardware);
    return {};
  }

 private:
  litert::Expected<void> CheckOptions() const {
    if (options_error_.empty()) return {};
    return litert::Unexpected(litert::Status::kErrorInvalidArgument, options_error_);
  }

  // The spec, or else what the opaque options say.
  std::optional<std::string> Option(size_t partition, const std::string& key) const {
    if (auto spec = TextSpec(partition, key)) return spec;
    const auto option = options_.find(key);
    return option != options_.end() ? std::optional(option->second) : std::nullopt;
  }

  std::optional<std::string> TextSpec(size_t partition, const std::string& key) const {
    const auto bytes = Spec(partition, key);
    if (!bytes) return std::nullopt;
    return std::string(bytes->begin(), bytes->end());
  }

  Expected<Hardware> HardwareFor(const std::string& soc_model, size_t partition) const {
    const auto file = TextSpec(partition, NPUKIT_SPEC_SOC_FILE);
    if (!file) return BuiltinHardware(soc_model);
    const auto read = hardware_files_.find(*file);
    return read != hardware_files_.end() ? read->second : ReadHardwareFile(*file);
  }

  // Which partitions are to keep what their layers compute.
  std::vector<bool> KeepIntermediates(size_t num_partitions) const {
    std::vector<bool> keep(num_partitions);
    for (size_t i = 0; i < num_partitions; ++i)
      keep[i] = TextSpec(i, NPUKIT_SPEC_KEEP_INTERMEDIATES) == "1";
    return keep;
  }

  // All partitions are planned with the largest of their levels, and printed if one is to be.
  CompileOptions OptionsOf(size_t num_partitions) const {
    CompileOptions options;
    std::optional<int> level;
    for (size_t i = 0; i < num_partitions; ++i) {
      if (Option(i, NPUKIT_SPEC_DUMP_DIR)) options.dump = true;
      if (const auto text = Option(i, kOptimizationLevelKey))
        level = std::max(level.value_or(0), static_cast<int>(PluginOptionNumber(*text)));
      if (const auto text = Option(i, kShorterContextsKey))
        options.shorter_contexts = options.shorter_contexts && PluginOptionNumber(*text) == 1;
    }
    options.optimization_level = level.value_or(options.optimization_level);
    return options;
  }

  // The stages of each partition that has a folder for them, in all its entry points.
  litert::Expected<void> WriteDumps(std::span<const Network> partitions,
                                    std::span<const NetworkDump> dumps) const {
    for (size_t i = 0; i < partitions.size(); ++i) {
      const auto folder = Option(i, NPUKIT_SPEC_DUMP_DIR);
      if (!folder) continue;
      for (const NetworkDump& dump : dumps) {
        if (dump.network.substr(0, dump.network.find('#')) != partitions[i].name) continue;
        const auto written = WriteDump(dump, *folder);
        if (!written) {
          return litert::Unexpected(litert::Status::kErrorFileIO,
                                    NPUKIT_SPEC_DUMP_DIR ": " + written.Error().Message());
        }
      }
    }
    return {};
  }

  // Empty if the op is taken.
  std::string WhyNot(const std::string& soc_model, const litert::Op& op) const {
    const auto hardware = HardwareFor(soc_model, kAllPartitions);
    if (!hardware) return hardware.Error().Message();
    NetworkBuilder builder;
    const auto legal = LegalizeOp(op, 0, *hardware, builder);
    return legal ? "" : legal.Error().Message();
  }

  // With the module that it points to.
  struct OwningExecutable : JitExecutable {
    explicit OwningExecutable(std::vector<uint8_t> moved) : bytes(std::move(moved)) {
      module = bytes.data();
      module_bytes = bytes.size();
    }
    std::vector<uint8_t> bytes;
  };

  // What the driver lets be one buffer.
  static void AddInPlace(const ModuleEntry& entry, size_t num_inputs, size_t call,
                         npukit::CompiledResult& result) {
    for (size_t i = num_inputs; i < entry.bindings.size(); ++i) {
      if (entry.bindings[i].initial > 0)
        result.AddInPlace(call, i - num_inputs, entry.bindings[i].initial - 1);
    }
  }

  npukit::CompiledResult Result(std::span<const Network> networks, Module module) const {
    npukit::CompiledResult result;
    std::vector<uint8_t> bytes = SerializeModule(module);
    module.constants = {};  // of gigabytes no copy more than needed
    const size_t index =
        result.AddModule(litert::internal::Span<const uint8_t>(bytes.data(), bytes.size()));
    if (IsForJit()) {
      result.SetExecutable(
          index, std::shared_ptr<JitExecutable>(
                     new OwningExecutable(std::move(bytes)),
                     [](JitExecutable* made) { delete static_cast<OwningExecutable*>(made); }));
    }
    for (const Network& network : networks) {
      const size_t call = result.AddCall(network.name, index);
      for (const Layer& layer : network.layers) {
        const DebugRecord& record = module.debug[layer.handle - 1];
        result.AddDebugHandle(call, layer.handle, record.name, record.op_indices);
      }
      AddInPlace(*module.FindEntry(network.name), network.inputs.size(), call, result);
    }
    return result;
  }

  PluginOptions options_;
  std::string options_error_;
  std::map<std::string, Hardware> hardware_files_;  // by path, as they were when the spec was set
};

}  // namespace
}  // namespace acme::compiler

NPUKIT_EXPORT_COMPILER_PLUGIN(acme::compiler::AcmePlugin);
