// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_parts.h"

#include <fmt/format.h>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

LayerWork ConvParts::Work(const Network& network, ValueId output) const {
  return {.macs = macs,
          .vector_elems = static_cast<uint64_t>(network.value(output).Elems()),
          .dtype = parts[0].dtype};
}

std::string ConvParts::Describe() const {
  std::string text =
      fmt::format("{} of {} parts x v{} w v{} bias v{}", name, parts.size(), parts[0].x, w, bias);
  for (const Conv& conv : parts) {
    const ConvPart& part = conv.part;
    text += "; ";
    if (part.x_channels > 0)
      text += fmt::format("channels {} of {} ", part.first_x_channel, part.x_channels);
    text += fmt::format("to rows {}+{} columns {}+{} channels {} {}", part.first_row, part.row_step,
                        part.first_col, part.col_step, part.first_channel, conv.Describe());
  }
  return text;
}

Expected<void> ConvParts::Lower(ValueId output, LoweringContext& context) const {
  for (const Conv& conv : parts) ACME_RETURN_IF_ERROR(conv.Lower(output, context));
  const ValuePlace& place = context.place(output);
  if (place.scratchpad_offset && place.dram)
    context.Store(*place.scratchpad_offset, *place.dram, context.value(output).Bytes());
  return {};
}

}  // namespace acme::compiler
