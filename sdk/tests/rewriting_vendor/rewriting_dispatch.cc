// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A device that runs the programs of rewriting_plugin.cc on dense float tensors:
//
//   fn NAME
//   in TENSOR ...
//   INSTRUCTION HANDLE RESULT OPERAND ...     the name may end with ! or ?
//   out TENSOR ...
//
// Each instruction takes 100 cycles. It gives profile events, intermediate values, the place of an
// error, and a trace whose slices hold handles.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "npukit/dispatch.h"
#include "npukit/metrics.h"

namespace {

constexpr uint64_t kCyclesPerInstruction = 100;

struct Instruction {
  std::string name;
  uint32_t handle = 0;
  int result = 0;
  std::vector<int> operands;
};

struct Program {
  std::vector<int> inputs;
  std::vector<Instruction> instructions;
  std::vector<int> outputs;
};

std::vector<int> ReadNumbers(std::istream& words) {
  std::vector<int> numbers;
  for (int number = 0; words >> number;) numbers.push_back(number);
  return numbers;
}

// False if there is no such function.
bool ParseProgram(const std::string& text, const std::string& function, Program& program) {
  std::istringstream lines(text);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string keyword;
    words >> keyword;
    if (keyword == "fn") {
      if (found) break;
      std::string name;
      found = words >> name && name == function;
    } else if (!found) {
      continue;
    } else if (keyword == "in") {
      program.inputs = ReadNumbers(words);
    } else if (keyword == "out") {
      program.outputs = ReadNumbers(words);
    } else {
      Instruction& instruction = program.instructions.emplace_back();
      instruction.name = keyword;
      words >> instruction.handle >> instruction.result;
      instruction.operands = ReadNumbers(words);
    }
  }
  return found;
}

float Compute(const std::string& name, float a, float b) {
  if (name == "add") return a + b;
  if (name == "maximum") return std::max(a, b);
  if (name == "neg") return -a;
  return (a - b) * (a - b);
}

class RewritingInvocation : public npukit::Invocation {
 public:
  explicit RewritingInvocation(Program program) : program_(std::move(program)) {}

  litert::Expected<void> Run(npukit::InputViews inputs, npukit::OutputViews outputs) override {
    values_.clear();
    events_.clear();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto floats = inputs[i].As<float>();
      values_[program_.inputs[i]].assign(floats.begin(), floats.end());
    }
    for (const Instruction& instruction : program_.instructions) {
      if (instruction.name.back() == '?') {
        failed_at_ = instruction.handle;
        return litert::Unexpected(litert::Status::kErrorRuntimeFailure, "the unit is on fire");
      }
      RunInstruction(instruction);
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::vector<float>& from = values_[program_.outputs[i]];
      std::memcpy(outputs[i].data, from.data(), from.size() * sizeof(float));
    }
    return {};
  }

  litert::Expected<void> SetRecording(uint32_t) override { return {}; }
  litert::internal::Span<const npukit::ProfileEvent> Profile() const override { return events_; }
  npukit::InvocationError LastError() const override { return {failed_at_, "smoke"}; }

  litert::Expected<npukit::Intermediate> GetIntermediate(uint32_t handle, size_t) override {
    for (const Instruction& instruction : program_.instructions) {
      if (instruction.handle != handle) continue;
      const std::vector<float>& value = values_[instruction.result];
      return npukit::Intermediate{
          litert::MakeRankedTensorType<float>({static_cast<int32_t>(value.size())}), value.data(),
          value.size() * sizeof(float)};
    }
    return litert::Unexpected(litert::Status::kErrorNotFound, "no such handle");
  }

  litert::Expected<std::vector<npukit::Metric>> StopMetrics() override {
    std::string slices;
    for (const npukit::ProfileEvent& event : events_) {
      slices += slices.empty() ? "[" : ",";
      slices += R"({"ph":"X","name":"slice","ts":0,"dur":1,"tid":0,"args":{"handle":)" +
                std::to_string(event.handle) + "}}";
    }
    const auto cycles = static_cast<int64_t>(events_.size() * kCyclesPerInstruction);
    return std::vector<npukit::Metric>{{NPUKIT_METRIC_CYCLES, cycles},
                                       {NPUKIT_METRIC_TRACE_EVENTS, slices + "]"}};
  }

 private:
  void RunInstruction(const Instruction& instruction) {
    std::string name = instruction.name;
    const bool is_wrong = name.back() == '!';
    if (is_wrong) name.pop_back();
    const std::vector<float>& a = values_[instruction.operands.front()];
    const std::vector<float>& b = values_[instruction.operands.back()];
    std::vector<float> result(a.size());
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = Compute(name, a[i], b[i]) + (is_wrong ? 1.0f : 0.0f);
    values_[instruction.result] = std::move(result);
    const uint64_t start_cycle = events_.size() * kCyclesPerInstruction;
    events_.push_back(
        {instruction.handle, "vector", start_cycle, start_cycle + kCyclesPerInstruction});
  }

  const Program program_;
  std::map<int, std::vector<float>> values_;
  std::vector<npukit::ProfileEvent> events_;
  uint32_t failed_at_ = 0;
};

class RewritingDevice : public npukit::Device {
 public:
  static constexpr const char* kVendorId = "Rewriting";
  static constexpr const char* kBuildId = "1";

  static litert::Expected<std::unique_ptr<RewritingDevice>> Open(const npukit::DeviceConfig&) {
    return std::make_unique<RewritingDevice>();
  }

  litert::Expected<std::unique_ptr<npukit::Invocation>> Load(
      const npukit::LoadRequest& request) override {
    Program program;
    if (!ParseProgram({request.bytecode.begin(), request.bytecode.end()}, request.function_name,
                      program) ||
        program.inputs.size() != request.num_inputs ||
        program.outputs.size() != request.num_outputs) {
      return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                                "no program '" + request.function_name + "'");
    }
    return std::make_unique<RewritingInvocation>(std::move(program));
  }
};

}  // namespace

NPUKIT_EXPORT_DISPATCH(RewritingDevice);
