// @Name@'s dispatch library: runs the bytecode on a device made of software.
// Replace it by calls of your driver.

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "@name@/module.h"
#include "npukit/dispatch.h"
#include "npukit/metrics.h"

namespace @name@ {
namespace {

using litert::Expected;

float Apply(Opcode opcode, float a, float b) {
  switch (opcode) {
    case Opcode::kAdd:
      return a + b;
    case Opcode::kSub:
      return a - b;
    case Opcode::kMul:
      return a * b;
  }
  return 0;
}

float Clamp(float x, float min, float max) { return x < min ? min : (x > max ? max : x); }

class @Name@Invocation : public npukit::Invocation {
 public:
  explicit @Name@Invocation(Function function) : function_(std::move(function)) {
    values_.resize(function_.tensors.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      values_[i] = function_.tensors[i].values;
      values_[i].resize(function_.tensors[i].num_elems);
    }
  }

  Expected<void> Run(npukit::InputViews inputs, npukit::OutputViews outputs) override {
    for (size_t i = 0; i < inputs.size(); ++i) {
      std::vector<float>& to = values_[function_.inputs[i]];
      LITERT_RETURN_IF_ERROR(CheckSize("input", i, inputs[i].size_bytes, to));
      if (!to.empty()) std::memcpy(to.data(), inputs[i].data, to.size() * sizeof(float));
    }
    for (const Instruction& instruction : function_.code) Execute(instruction);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::vector<float>& from = values_[function_.outputs[i]];
      LITERT_RETURN_IF_ERROR(CheckSize("output", i, outputs[i].size_bytes, from));
      if (!from.empty()) std::memcpy(outputs[i].data, from.data(), from.size() * sizeof(float));
    }
    ++invocations_;
    return {};
  }

  Expected<void> StartMetrics(int) override {
    invocations_ = 0;
    cycles_ = 0;
    return {};
  }
  Expected<std::vector<npukit::Metric>> StopMetrics() override {
    return std::vector<npukit::Metric>{{NPUKIT_METRIC_SOC, std::string("@name@_1")},
                                       {NPUKIT_METRIC_INVOCATIONS, invocations_},
                                       {NPUKIT_METRIC_CYCLES, cycles_}};
  }

 private:
  static Expected<void> CheckSize(const char* side, size_t index, size_t size_bytes,
                                  const std::vector<float>& values) {
    if (size_bytes >= values.size() * sizeof(float)) return {};
    return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                              std::string(side) + " " + std::to_string(index) + " has " +
                                  std::to_string(size_bytes) + " bytes, expected " +
                                  std::to_string(values.size() * sizeof(float)));
  }

  // One element a cycle.
  void Execute(const Instruction& i) {
    const std::vector<float>& a = values_[i.a];
    const std::vector<float>& b = values_[i.b];
    std::vector<float>& out = values_[i.out];
    for (size_t n = 0; n < out.size(); ++n) {
      out[n] = Clamp(Apply(i.opcode, a[n], b[n]), i.min, i.max);
    }
    cycles_ += static_cast<int64_t>(out.size());
  }

  const Function function_;
  std::vector<std::vector<float>> values_;  // by tensor
  int64_t invocations_ = 0;
  int64_t cycles_ = 0;
};

class @Name@Device : public npukit::Device {
 public:
  static constexpr const char* kVendorId = "@Name@";
  static constexpr const char* kBuildId = "0.1.0";

  static Expected<std::unique_ptr<@Name@Device>> Open(const npukit::DeviceConfig&) {
    return std::make_unique<@Name@Device>();
  }

  Expected<std::unique_ptr<npukit::Invocation>> Load(const npukit::LoadRequest& request) override {
    LITERT_ASSIGN_OR_RETURN(const Module module, Decode(request.bytecode));
    const Function* function = module.Find(request.function_name);
    if (function == nullptr) {
      return litert::Unexpected(litert::Status::kErrorNotFound,
                                "no function '" + request.function_name + "' in the module");
    }
    if (function->inputs.size() != request.num_inputs ||
        function->outputs.size() != request.num_outputs) {
      return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                                "'" + function->name + "' has another number of tensors");
    }
    return std::make_unique<@Name@Invocation>(*function);
  }
};

}  // namespace
}  // namespace @name@

NPUKIT_EXPORT_DISPATCH(@name@::@Name@Device);
