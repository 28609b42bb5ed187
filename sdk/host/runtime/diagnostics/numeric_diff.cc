// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/numeric_diff.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <unordered_map>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

class Differ {
 public:
  Differ(const Model& given, SignatureRunner& cpu, SignatureRunner& npu)
      : cpu_(cpu), npu_(npu), bounds_(given, cpu) {
    auto add = [&](const PortInfo& port) {
      if (port.tensor->name.empty()) return;
      const auto [known, is_new] = by_name_.emplace(port.tensor->name, port.tensor);
      if (!is_new && known->second != port.tensor) known->second = nullptr;  // not unique
    };
    for (const PortInfo& input : cpu.inputs()) add(input);
    for (const StepInfo& step : cpu.steps()) {
      for (const PortInfo& input : step.inputs) add(input);
      for (const PortInfo& output : step.outputs) add(output);
    }
  }

  litert::Expected<NumericDiff> Run() {
    LITERT_RETURN_IF_ERROR(cpu_.Run());
    const bool records = npu_.SetRecording(kNpukitRecordIntermediates).HasValue();
    LITERT_RETURN_IF_ERROR(npu_.Run());
    if (records) {
      for (size_t i = 0; i < npu_.steps().size(); ++i) AddOps(i);
      LITERT_RETURN_IF_ERROR(npu_.SetRecording(kNpukitRecordNothing));
    }
    // Before the steps run alone below, since that overwrites what they gave in this run.
    for (const StepInfo& step : npu_.steps()) {
      for (const PortInfo& output : step.outputs) AddEndToEnd(step, output);
    }
    for (size_t i = 0; i < npu_.steps().size(); ++i) {
      if (npu_.steps()[i].target != Target::kNpu) continue;
      LITERT_RETURN_IF_ERROR(AddIsolated(i));
    }
    return std::move(diff_);
  }

 private:
  static const DelegateRecord::SourceOp& SourceOfValue(const DelegateRecord& delegate,
                                                       const DelegateRecord::Handle& handle) {
    for (uint32_t op : handle.ops) {
      if (delegate.ops[op].name == handle.value) return delegate.ops[op];
    }
    return delegate.ops[handle.ops.back()];
  }

  // What the ops of a partition computed. Pieces that stand for several ops give the value of the
  // one that puts it out; those whose value the model does not have, as a transformation may make
  // them, are left out.
  void AddOps(size_t index) {
    const StepInfo& step = npu_.steps()[index];
    if (step.delegate == nullptr) return;
    for (const DelegateRecord::Handle& handle : step.delegate->handles) {
      if (handle.ops.empty()) continue;
      const DelegateRecord::SourceOp& op = SourceOfValue(*step.delegate, handle);
      const auto known = by_name_.find(handle.value);
      if (known == by_name_.end() || known->second == nullptr) continue;
      const auto value = npu_.StepIntermediate(index, handle.handle, 0);
      if (!value || value->type.element_type != known->second->element_type) continue;
      const auto shape = cpu_.TensorShape(*known->second);
      const std::span<const uint8_t> expected = cpu_.TensorBytes(*known->second);
      if (!shape || expected.size() != value->bytes.size()) continue;
      OpDiff diff{.op = op, .step = step.op + " " + step.name, .handle = handle.handle};
      diff.gap = MeasureGap(*known->second, *shape, expected, value->bytes);
      if (diff_.first_op_divergence < 0 && diff.gap && !diff.gap->is_exact())
        diff_.first_op_divergence = static_cast<int>(diff_.ops.size());
      diff_.ops.push_back(std::move(diff));
    }
  }

  // The CPU's value of a tensor of the NPU run; empty if it is not known or has another shape.
  std::span<const uint8_t> CpuBytes(const PortInfo& port) const {
    const auto known = by_name_.find(port.tensor->name);
    if (known == by_name_.end() || known->second == nullptr) return {};
    if (known->second->element_type != port.element_type ||
        cpu_.TensorShape(*known->second) != port.shape)
      return {};
    return cpu_.TensorBytes(*known->second);
  }

  void AddEndToEnd(const StepInfo& step, const PortInfo& output) {
    const std::span<const uint8_t> expected = CpuBytes(output);
    if (expected.size() != output.size_bytes || expected.empty()) {
      diff_.unmatched.push_back(output.tensor->name);
      return;
    }
    TensorDiff entry{.port = output, .step = step.op, .target = step.target};
    if (step.target == Target::kNpu) entry.step += " " + step.name;
    if (step.delegate != nullptr) entry.sources = step.delegate->ops;
    entry.end_to_end =
        MeasureGap(*output.tensor, output.shape, expected, npu_.TensorBytes(*output.tensor));
    if (diff_.first_divergence < 0 && entry.end_to_end && !entry.end_to_end->is_exact()) {
      diff_.first_divergence = static_cast<int>(diff_.tensors.size());
    }
    diff_.tensors.push_back(std::move(entry));
  }

  litert::Expected<void> AddIsolated(size_t index) {
    const StepInfo& step = npu_.steps()[index];
    for (const PortInfo& input : step.inputs) {
      const std::span<uint8_t> memory = npu_.MutableTensorBytes(*input.tensor);
      if (memory.empty()) continue;  // a constant
      const std::span<const uint8_t> correct = CpuBytes(input);
      if (correct.size() != memory.size())
        return {};  // cannot be fed; its inputs are listed as unmatched
      std::memcpy(memory.data(), correct.data(), correct.size());
    }
    LITERT_RETURN_IF_ERROR(npu_.RunStep(index));
    for (const PortInfo& output : step.outputs) {
      for (TensorDiff& entry : diff_.tensors) {
        if (entry.port.tensor != output.tensor) continue;
        const std::span<const uint8_t> actual = npu_.TensorBytes(*output.tensor);
        entry.isolated = MeasureGap(*output.tensor, output.shape, CpuBytes(output), actual);
        entry.verdict = entry.isolated && entry.isolated->is_exact()
                            ? BoundVerdict{.kind = BoundVerdict::Kind::kWithin, .detail = {}}
                            : bounds_.Judge(step, entry.port, actual);
      }
    }
    return {};
  }

  SignatureRunner& cpu_;
  SignatureRunner& npu_;
  PartitionBounds bounds_;
  std::unordered_map<std::string, const Tensor*> by_name_;  // null: the name is not unique
  NumericDiff diff_;
};

}  // namespace

size_t NumericDiff::CountBeyond() const {
  return static_cast<size_t>(
      std::count_if(tensors.begin(), tensors.end(), [](const TensorDiff& tensor) {
        return tensor.verdict && tensor.verdict->kind == BoundVerdict::Kind::kBeyond;
      }));
}

litert::Expected<NumericDiff> DiffRuns(const Model& given, SignatureRunner& cpu,
                                       SignatureRunner& npu) {
  return Differ(given, cpu, npu).Run();
}

}  // namespace npukit
