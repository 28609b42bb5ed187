// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor whose NPU knows one operator of two float tensors: compiler plugin and device, for
// traits with kName, kOp, kActivation (the getter of the fused activation) and Apply(a, b).
//
// The bytecode is text: the vendor's name, then for each partition a line "NAME INPUTS" and pairs
// of values, counted from the first input. What a pair gives is the next value; the last is the
// output.

#ifndef NPUKIT_SDK_TESTS_LINKED_BINARY_VENDOR_H_
#define NPUKIT_SDK_TESTS_LINKED_BINARY_VENDOR_H_

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "litert/cc/litert_macros.h"
#include "npukit/dispatch.h"
#include "npukit/plugin.h"
#include "sdk/tests/linked/behaviour.h"

namespace linked_vendors {

template <class Traits>
class BinaryPlugin : public npukit::CompilerPlugin {
 public:
  static constexpr const char* kManufacturer = Traits::kName;
  static constexpr const char* kSocModels[] = {"one"};

  BinaryPlugin() { NoteLinkedEvent(Traits::kName, "create plugin"); }
  ~BinaryPlugin() override { NoteLinkedEvent(Traits::kName, "destroy plugin"); }

  const npukit::SupportTable* SupportFor(const std::string&) override { return &table_; }

  litert::Expected<void> CheckCompatibility(const std::string&) override {
    if (!HasLinkedFault(kLinkedFaultIncompatible)) return {};
    return litert::Unexpected(litert::Status::kErrorUnsupportedCompilerVersion, "too old");
  }

  litert::Expected<npukit::CompiledResult> Compile(const std::string&,
                                                   const litert::Model& partitions) override {
    NoteLinkedEvent(Traits::kName, "compile");
    std::string code = std::string(Traits::kName) + "\n";
    npukit::CompiledResult result;
    for (size_t i = 0; i < partitions.NumSubgraphs(); ++i) {
      LITERT_ASSIGN_OR_RETURN(const auto partition, partitions.Subgraph(i));
      code += EntryPoint(i) + " " + std::to_string(partition.Inputs().size());
      std::vector<litert::Tensor> values = partition.Inputs();
      for (const litert::Op& op : partition.Ops()) {
        for (const litert::Tensor& input : op.Inputs()) {
          size_t at = 0;
          while (at < values.size() && !(values[at] == input)) ++at;
          code += " " + std::to_string(at);
        }
        values.push_back(op.Outputs()[0]);
      }
      code += "\n";
    }
    const size_t module = result.AddModule(code);
    for (size_t i = 0; i < partitions.NumSubgraphs(); ++i) result.AddCall(EntryPoint(i), module);
    return result;
  }

 private:
  static std::string EntryPoint(size_t partition) { return "p" + std::to_string(partition); }

  const npukit::SupportTable table_ =
      npukit::SupportTable().Add(npukit::Support(Traits::kOp)
                                     .Types({npukit::ElementType::Float32})
                                     .Where(npukit::InputIsNotConstant(0))
                                     .Where(npukit::InputIsNotConstant(1))
                                     .Where(npukit::FusedActivationIn(Traits::kActivation, {0}))
                                     .Where(npukit::OperandsHaveOneShape()));
};

template <class Traits>
class BinaryInvocation : public npukit::Invocation {
 public:
  explicit BinaryInvocation(std::vector<size_t> operands) : operands_(std::move(operands)) {}
  ~BinaryInvocation() override { NoteLinkedEvent(Traits::kName, "unload"); }

  litert::Expected<void> Run(npukit::InputViews inputs, npukit::OutputViews outputs) override {
    NoteLinkedEvent(Traits::kName, "run");
    if (HasLinkedFault(kLinkedFaultRun)) {
      return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "it caught fire");
    }
    std::vector<std::vector<float>> values;
    for (const npukit::InputView& input : inputs) {
      const auto view = input.As<float>();
      values.emplace_back(view.begin(), view.end());
    }
    for (size_t i = 0; i + 1 < operands_.size(); i += 2) {
      std::vector<float> result = values.at(operands_[i]);
      const std::vector<float>& b = values.at(operands_[i + 1]);
      for (size_t at = 0; at < result.size(); ++at) result[at] = Traits::Apply(result[at], b[at]);
      values.push_back(std::move(result));
    }
    const auto out = outputs[0].template As<float>();
    for (size_t at = 0; at < out.size(); ++at) out[at] = values.back()[at];
    return {};
  }

 private:
  const std::vector<size_t> operands_;
};

template <class Traits>
class BinaryDevice : public npukit::Device {
 public:
  static constexpr const char* kVendorId = Traits::kName;
  static constexpr const char* kBuildId = "linked-1";

  static litert::Expected<std::unique_ptr<BinaryDevice>> Open(const npukit::DeviceConfig& config) {
    if (HasLinkedFault(kLinkedFaultNoDevice)) {
      return litert::Unexpected(litert::Status::kErrorNotFound, "no device is plugged in");
    }
    NoteLinkedEvent(Traits::kName, "open");
    NoteLinkedEnvironment(Traits::kName, config.environment);
    return std::make_unique<BinaryDevice>();
  }
  ~BinaryDevice() override { NoteLinkedEvent(Traits::kName, "close"); }

  litert::Expected<std::unique_ptr<npukit::Invocation>> Load(
      const npukit::LoadRequest& request) override {
    if (HasLinkedFault(kLinkedFaultLoad)) return NotOurs("this is a bad day");
    std::istringstream lines(std::string(request.bytecode.begin(), request.bytecode.end()));
    std::string line;
    if (!std::getline(lines, line) || line != Traits::kName) return NotOurs("foreign bytecode");
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      std::string name;
      size_t num_inputs = 0;
      words >> name >> num_inputs;
      if (name != request.function_name) continue;
      std::vector<size_t> operands;
      for (size_t value = 0; words >> value;) operands.push_back(value);
      NoteLinkedEvent(Traits::kName, "load");
      return std::make_unique<BinaryInvocation<Traits>>(std::move(operands));
    }
    return NotOurs("no such entry point");
  }

  litert::Expected<uint64_t> Register(LiteRtTensorBuffer) override {
    NoteLinkedEvent(Traits::kName, "register");
    return uint64_t{1};
  }
  litert::Expected<void> Unregister(uint64_t) override {
    NoteLinkedEvent(Traits::kName, "unregister");
    return {};
  }

 private:
  static litert::Unexpected NotOurs(const char* why) {
    return litert::Unexpected(litert::Status::kErrorInvalidArgument, why);
  }
};

}  // namespace linked_vendors

#endif  // NPUKIT_SDK_TESTS_LINKED_BINARY_VENDOR_H_
