// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/copy.h"

#include <algorithm>
#include <ostream>

#include "reference_plugin/compiler/fixed_point.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lowering.h"

namespace acme::compiler {

void Copy::Print(std::ostream& out) const { out << "copy v" << x; }

Expected<void> Copy::Lower(ValueId output, LoweringContext& context) const {
  const int64_t bytes = context.value(output).Bytes();
  const int64_t max_bytes = std::min<int64_t>(context.StepBytes() / 2 - 64, 1 << 20);
  for (int64_t done = 0; done < bytes; done += max_bytes) {
    const auto part = static_cast<int32_t>(std::min(max_bytes, bytes - done));
    const ValuePlace& from = context.place(x);
    const ValuePlace& to = context.place(output);
    const Value& operand = context.value(x);
    const bool resident = !operand.is_constant() && from.scratchpad_offset;
    const bool stays = to.scratchpad_offset.has_value();
    int64_t source = 0;
    if (resident) {
      context.MakeResident(x);
      source = *from.scratchpad_offset + done;
    } else {
      DramPlace home =
          operand.is_constant() ? context.constants().Add(operand.constant) : *from.dram;
      home.offset_bytes += done;
      source = stays ? *to.scratchpad_offset + done : context.BeginStep(part);
      context.Load(home, source, part);
    }
    int64_t result = source;
    if (resident && stays) {
      result = *to.scratchpad_offset + done;
      const ClampRange open = TypeRange(Dtype::kI8);
      Task task;
      task.config = {isa::VClamp{.lo = open.lo, .hi = open.hi},
                     isa::VShape{.n0 = static_cast<uint32_t>(part), .n1 = 1, .n2 = 1, .n3 = 1},
                     isa::VView{.view = View::kDst, .s0 = 1},
                     isa::VView{.view = View::kA, .s0 = 1}};
      task.work = isa::VUnary{.op = UnaryOp::kCopy,
                              .dtype = Dtype::kI8,
                              .dst = static_cast<uint32_t>(result),
                              .a = static_cast<uint32_t>(source)};
      task.reads = {ScratchpadRegion(source, part)};
      task.writes = {ScratchpadRegion(result, part)};
      context.Append(std::move(task));
    }
    if (to.dram) {
      context.Store(result, {to.dram->binding, to.dram->offset_bytes + done}, part);
    }
  }
  return {};
}

}  // namespace acme::compiler
