// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operand of a few channels that meets every pixel of the other: a row for each pixel fills few
// lanes. Where the operand stands several times, one behind the other, so many pixels are one row.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_REPEATED_ROW_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_REPEATED_ROW_H_

#include <cstdint>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

// How often a row should stand behind itself when it meets `rows` rows of as many elements: 1 if
// repeating it takes as long as it saves. At most max_elems elements in all, but one row.
int32_t ChooseRepetitions(int64_t row_elems, int64_t rows, int64_t lanes, int64_t startup_cycles,
                          int64_t max_elems);

// The first row_elems elements from base_elems on of a value, so many times: constants as they are
// loaded, others are copied by the vector engine.
ScratchpadBox RepeatRow(ValueId value, int64_t base_elems, int32_t row_elems, int32_t repetitions,
                        LoweringContext& context);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_REPEATED_ROW_H_
