// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// A small dispatch library on npukit/dispatch.h. A module is "scale NAME
// FACTOR\n" for each entry point, which multiplies a float tensor by the factor.

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "npukit/dispatch.h"
#include "npukit/metrics.h"

namespace {

class ScaleInvocation : public npukit::Invocation {
 public:
  ScaleInvocation(float factor, std::string label) : factor_(factor), label_(std::move(label)) {}

  litert::Expected<void> Run(npukit::InputViews inputs, npukit::OutputViews outputs) override {
    if (factor_ == 13) throw std::runtime_error("bad luck");
    if (factor_ == 64) std::this_thread::sleep_for(std::chrono::milliseconds(100));  // slow
    const auto in = inputs[0].As<float>();
    const auto out = outputs[0].As<float>();
    if (in.size() != out.size()) {
      return litert::Unexpected(litert::Status::kErrorInvalidArgument, "the sizes differ");
    }
    for (size_t i = 0; i < in.size(); ++i) out[i] = in[i] * factor_;
    ++runs_;
    events_ = {{1, "vector", 0, in.size()}};
    return {};
  }

  // As the tests have them: four floats.
  litert::Expected<size_t> OutputBytes(size_t) override { return 4 * sizeof(float); }

  litert::Expected<void> StartMetrics(int detail_level) override {
    level_ = detail_level;
    runs_ = 0;
    return {};
  }
  litert::Expected<std::vector<npukit::Metric>> StopMetrics() override {
    return std::vector<npukit::Metric>{{"runs", int64_t{runs_}},
                                       {"factor", double{factor_}},
                                       {"label", label_},
                                       {"detailed", level_ > 0},
                                       {NPUKIT_METRIC_SCRATCHPAD_BYTES, int64_t{64}},
                                       {NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE, int64_t{64}}};
  }

  litert::Expected<void> SetRecording(uint32_t) override { return {}; }
  litert::internal::Span<const npukit::ProfileEvent> Profile() const override { return events_; }

 private:
  float factor_;
  std::string label_;
  int level_ = 0;
  int runs_ = 0;
  std::vector<npukit::ProfileEvent> events_;
};

class ScaleDevice : public npukit::Device {
 public:
  static constexpr const char* kVendorId = "Mini";
  static constexpr const char* kBuildId = "1.2.3";
  static constexpr bool kRunsAsync = true;
  static constexpr bool kRunsGraphs = true;

  static litert::Expected<std::unique_ptr<ScaleDevice>> Open(const npukit::DeviceConfig&) {
    if (std::getenv("MINI_DISPATCH_NO_DEVICE") != nullptr) {
      return litert::Unexpected(litert::Status::kErrorNotFound, "no device is plugged in");
    }
    return std::make_unique<ScaleDevice>();
  }

  litert::Expected<std::unique_ptr<npukit::Invocation>> Load(
      const npukit::LoadRequest& request) override {
    const std::string code(request.bytecode.begin(), request.bytecode.end());
    const size_t at = code.find("scale " + request.function_name + " ");
    if (request.num_inputs != 1 || request.num_outputs != 1 || at == std::string::npos) {
      return litert::Unexpected(litert::Status::kErrorInvalidArgument,
                                "no entry point '" + request.function_name + "'");
    }
    const size_t number = at + 7 + request.function_name.size();
    return std::make_unique<ScaleInvocation>(std::strtof(code.c_str() + number, nullptr), label_);
  }

  litert::Expected<void> CheckModule(LiteRtDispatchExecutableType,
                                     litert::internal::Span<const uint8_t> bytecode) override {
    if (bytecode.size() > 6 && std::string(bytecode.begin(), bytecode.begin() + 6) == "scale ")
      return {};
    return litert::Unexpected(litert::Status::kErrorInvalidArgument, "not a module");
  }

  litert::Expected<uint64_t> Register(LiteRtTensorBuffer) override { return uint64_t{77}; }
  litert::Expected<void> Unregister(uint64_t registration) override {
    if (registration == 77) return {};
    return litert::Unexpected(litert::Status::kErrorUnknown, "not what Register() returned");
  }

  litert::Expected<void> SetSpec(const std::string& key,
                                 litert::internal::Span<const uint8_t> bytes) override {
    if (key != "label") return npukit::Device::SetSpec(key, bytes);
    label_.assign(bytes.begin(), bytes.end());
    return {};
  }

 private:
  std::string label_;
};

}  // namespace

NPUKIT_EXPORT_DISPATCH(ScaleDevice);
