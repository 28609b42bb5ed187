// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "simulator/isa/program_builder.h"
#include "simulator/isa/text.h"

namespace acme::compiler {

LoweringBench::LoweringBench(int64_t step_bytes) : hardware_(*BuiltinHardware("acme_a1")) {
  placement_.step_bytes = step_bytes;
}

ValueId LoweringBench::Add(Dtype dtype, std::vector<int32_t> shape) {
  Value value;
  value.dtype = dtype;
  value.shape = std::move(shape);
  network_.values.push_back(std::move(value));
  placement_.values.emplace_back();
  return static_cast<ValueId>(network_.values.size()) - 1;
}

ValueId LoweringBench::InDram(Dtype dtype, std::vector<int32_t> shape, int64_t offset_bytes) {
  const ValueId id = Add(dtype, std::move(shape));
  placement_.values.back().dram = DramPlace{kWorkspaceBinding, offset_bytes};
  return id;
}

ValueId LoweringBench::InScratchpad(Dtype dtype, std::vector<int32_t> shape) {
  const ValueId id = Add(dtype, std::move(shape));
  placement_.values.back().scratchpad_offset =
      AddBuffer(network_.value(id).Bytes(), placement_.buffers);
  return id;
}

ValueId LoweringBench::OutputInScratchpad(Dtype dtype, std::vector<int32_t> shape) {
  const ValueId id = InScratchpad(dtype, std::move(shape));
  placement_.values.back().dram = DramPlace{kFirstIoBinding + 1, 0};
  return id;
}

ValueId LoweringBench::InputInScratchpad(Dtype dtype, std::vector<int32_t> shape) {
  const ValueId id = InScratchpad(dtype, std::move(shape));
  network_.values.back().input_index = 0;
  placement_.values.back().dram = DramPlace{kFirstIoBinding, 0};
  return id;
}

ValueId LoweringBench::Constant(Dtype dtype, std::vector<int32_t> shape,
                                std::vector<uint8_t> bytes) {
  const ValueId id = Add(dtype, std::move(shape));
  Value& value = network_.values.back();
  value.owned = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  value.constant = *value.owned;
  return id;
}

std::vector<Task> LoweringBench::Tasks(const LayerOp& op, ValueId output) {
  ConstantPool constants;
  LoweringContext context(network_, placement_, hardware_, constants);
  const Expected<void> lowered = op.Lower(output, context);
  EXPECT_TRUE(lowered) << lowered.Error().Message();
  constant_bytes_ = constants.Take();
  return context.Take().tasks;
}

std::vector<std::string> LoweringBench::Lower(const LayerOp& op, ValueId output) {
  return LinesOf(Tasks(op, output));
}

std::vector<std::string> LoweringBench::LowerNetwork() {
  placement_.extremes = FindDrainedExtremes(network_);
  ConstantPool constants;
  const auto lowered = compiler::LowerNetwork(network_, placement_, hardware_, constants);
  EXPECT_TRUE(lowered) << lowered.Error().Message();
  return LinesOf(lowered->tasks);
}

std::vector<std::string> LoweringBench::LinesOf(const std::vector<Task>& tasks) {
  std::vector<std::string> lines;
  std::vector<std::string> before;
  for (const Task& task : tasks) {
    std::vector<std::string> config;
    for (const AnyInstr& instr : task.config) {
      config.push_back(TextOf(instr));
      if (std::find(before.begin(), before.end(), config.back()) == before.end())
        lines.push_back(config.back());
    }
    if (!config.empty()) before = std::move(config);
    if (task.weights) lines.push_back(TextOf(*task.weights));
    lines.push_back(TextOf(task.work));
  }
  return lines;
}

std::vector<std::string> LoweringBench::LowerWork(const LayerOp& op, ValueId output) {
  std::vector<std::string> lines;
  for (const Task& task : Tasks(op, output)) {
    if (task.weights) lines.push_back(TextOf(*task.weights));
    lines.push_back(TextOf(task.work));
  }
  return lines;
}

std::string TextOf(const AnyInstr& instr) {
  ProgramBuilder builder;
  builder.Append(Instr{{}, instr});
  const Expected<std::vector<Word>> code = builder.Finish();
  return code ? DisassembleInstruction(code->front()) : "error: " + code.Error().Message();
}

int64_t CountOf(const std::vector<std::string>& lines, const std::string& text) {
  return std::ranges::count_if(
      lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

std::vector<uint8_t> Counting(int64_t bytes) {
  std::vector<uint8_t> counting(static_cast<size_t>(bytes));
  for (size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<uint8_t>(i);
  return counting;
}

}  // namespace acme::compiler
