// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Boxes: rectangular parts of values of up to four dimensions, and how to bring them into the
// scratchpad and back. Extents, strides and origins are innermost first.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_BOX_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_BOX_H_

#include <array>
#include <cstdint>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

inline constexpr size_t kVectorRank = 4;  // dimensions that an instruction walks
using Extent4 = std::array<int32_t, kVectorRank>;

// Strides of a dense array of those extents, in elements.
Extent4 DenseStrides(const Extent4& extent);
int64_t BoxElems(const Extent4& extent);
// The largest part of `extent` whose elements number at most `max_elems`: outer dimensions are cut
// first.
Extent4 ChooseBox(Extent4 extent, int64_t max_elems);

// A part of an operand in the scratchpad, as the vector engine views it.
struct ScratchpadBox {
  int64_t offset = 0;         // bytes
  Extent4 stride_bytes = {};  // 0 broadcasts
};

// How one operand of an elementwise operation is stored: element strides over the operation's
// extents, 0 where it is broadcast. A dimension that is not broadcast has the dense stride of its
// value.
struct OperandLayout {
  ValueId value = kNoValue;
  Extent4 stride_elems = {};
  int64_t base_elems = 0;  // where the first element stands in the value
};

// Extents of the part that is stored: 1 where broadcast.
Extent4 StoredExtent(const OperandLayout& layout, const Extent4& box);

// Bytes that the part needs in a step: 0 for values that live in the scratchpad.
int64_t StepBytesOf(const OperandLayout& layout, const Extent4& box,
                    const LoweringContext& context);

// Where all of a value's elements stand one after the other: in the value, or loaded for this step.
int64_t ReadAll(ValueId value, LoweringContext& context);

// The part at `origin`: a view of the value where it lives in the scratchpad, else loaded to
// `buffer`.
ScratchpadBox ReadBox(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
                      int64_t buffer, LoweringContext& context);

// Where the part of a result is written: in place, or in `buffer` for StoreBox to bring to DRAM.
// Results are never broadcast.
ScratchpadBox ResultBox(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
                        int64_t buffer, const LoweringContext& context);
// Brings the part to the value's home in DRAM, if it has one.
void StoreBox(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
              const ScratchpadBox& from, LoweringContext& context);

// Calls visit(origin, box) for each part of `extent`, clipped at the ends.
template <class Visit>
void ForEachBox(const Extent4& extent, const Extent4& box, Visit&& visit) {
  Extent4 at = {};
  for (at[3] = 0; at[3] < extent[3]; at[3] += box[3]) {
    for (at[2] = 0; at[2] < extent[2]; at[2] += box[2]) {
      for (at[1] = 0; at[1] < extent[1]; at[1] += box[1]) {
        for (at[0] = 0; at[0] < extent[0]; at[0] += box[0]) {
          Extent4 part;
          for (size_t d = 0; d < 4; ++d)
            part[d] = box[d] < extent[d] - at[d] ? box[d] : extent[d] - at[d];
          visit(at, part);
        }
      }
    }
  }
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_BOX_H_
