// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers of one function of each element, as the operators' files add them.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MAP_LAYER_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MAP_LAYER_H_

#include <memory>

#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {

// From the one type to the other, not limited further; the function is still to be set.
std::shared_ptr<Map> MapOf(Dtype in, Dtype out);
std::shared_ptr<Map> MapOf(const OneOperand& operands);

// Of the op's first operand. An error if the result has another shape.
Expected<void> AddMap(const litert::Op& op, const OneOperand& operands, std::shared_ptr<Map> map,
                      NetworkBuilder& builder);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MAP_LAYER_H_
