// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One op of a model in its context: `npukit inspect --op N`.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_OP_CONTEXT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_OP_CONTEXT_H_

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// {subgraph, op {as in DescribeModel}, inputs[] {index, name, dtype, shape, role, quantization,
// producer {index, op}}, outputs[] {..., users[] {index, op}}, neighbours[] {index, op}}.
// `report` is DescribeModel's. Error: there is no such subgraph or op.
litert::Expected<nlohmann::ordered_json> OpContext(const nlohmann::ordered_json& report,
                                                   size_t subgraph, size_t op);

// The neighbouring ops with an arrow at the op, then options, inputs with their producers, outputs
// with their users.
std::string OpContextText(const nlohmann::ordered_json& context);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_OP_CONTEXT_H_
