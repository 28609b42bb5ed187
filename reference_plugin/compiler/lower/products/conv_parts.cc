// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_parts.h"

#include <ostream>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

LayerWork ConvParts::Work(const Network& network, ValueId output) const {
  return {.macs = macs,
          .vector_elems = static_cast<uint64_t>(network.value(output).Elems()),
          .dtype = parts[0].dtype};
}

void ConvParts::Print(std::ostream& out) const {
  out << name << " of " << parts.size() << " parts x v" << parts[0].x << " w v" << w << " bias v"
      << bias;
  for (const Conv& conv : parts) {
    const ConvPart& part = conv.part;
    out << "; ";
    if (part.x_channels > 0)
      out << "channels " << part.first_x_channel << " of " << part.x_channels << " ";
    out << "to rows " << part.first_row << "+" << part.row_step << " columns " << part.first_col
        << "+" << part.col_step << " channels " << part.first_channel << " ";
    conv.Print(out);
  }
}

Expected<void> ConvParts::Lower(ValueId output, LoweringContext& context) const {
  for (const Conv& conv : parts) ACME_RETURN_IF_ERROR(conv.Lower(output, context));
  const ValuePlace& place = context.place(output);
  if (place.scratchpad_offset && place.dram)
    context.Store(*place.scratchpad_offset, *place.dram, context.value(output).Bytes());
  return {};
}

}  // namespace acme::compiler
