// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// In which order a vector instruction walks its four dimensions. The result does not depend on it, the
// time does: lanes are filled along the first.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_DIMENSION_ORDER_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_DIMENSION_ORDER_H_

#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Puts another dimension first where that takes fewer cycles: of elementwise instructions and
// reductions whose rows are short. Dimensions that are reduced keep their order, and with it that
// of a float sum.
void OrderDimensions(Task& task, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_DIMENSION_ORDER_H_
