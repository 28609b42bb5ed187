// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/compiler/mimic_in_place.h"

#include <algorithm>

#include "conformance/faulty_plugins/compiler/mimic_compiled_result.h"
#include "conformance/faulty_plugins/fault.h"
#include "npukit/extensions/in_place.h"

namespace npukit::conformance::mimic {

std::vector<int32_t> InPlaceInputs(const Subgraph& subgraph) {
  std::vector<int32_t> found;
  for (const Tensor* output : subgraph.outputs) {
    int32_t& input = found.emplace_back(-1);
    const Op* op = output->defining_op;
    if (op == nullptr || op->code != kLiteRtOpCodeTflDynamicUpdateSlice) continue;
    const Tensor* operand = op->inputs[0];
    const auto at = std::find(subgraph.inputs.begin(), subgraph.inputs.end(), operand);
    if (at != subgraph.inputs.end() &&
        (operand->users.size() == 1 || Has(Fault::in_place_though_read)))
      input = static_cast<int32_t>(at - subgraph.inputs.begin());
  }
  return found;
}

bool IsDecode(const Subgraph& subgraph) {
  return std::any_of(subgraph.inputs.begin(), subgraph.inputs.end(), [](const Tensor* input) {
    return input->name == "tokens" && input->shape == std::vector<int32_t>{1, 1};
  });
}

}  // namespace npukit::conformance::mimic

LiteRtStatus NpukitGetInPlaceInput(LiteRtCompiledResult result, LiteRtParamIndex call,
                                   LiteRtParamIndex output, int32_t* input) {
  if (result == nullptr || input == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (call >= result->in_place.size()) return kLiteRtStatusErrorIndexOOB;
  const std::vector<int32_t>& inputs = result->in_place[call];
  *input = output < inputs.size() ? inputs[output] : NPUKIT_NOT_IN_PLACE;
  return kLiteRtStatusOk;
}
