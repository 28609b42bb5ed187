// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Builtin options from YAML: keys are the schema's field names, enums its names ("SAME", "RELU6").

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_OP_OPTION_READER_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_OP_OPTION_READER_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/spec/text/value.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/default_op_options.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::conformance {

// DefaultOpOptions with the fields that `value`, a map, names. An unknown field is an error that
// lists the known ones.
litert::Expected<OpOptions> ReadOpOptions(LiteRtOpCode code, const Value& value);

// The text that YAML would have for a field: "RELU", "2", "true", "[1, 2]". Empty if the options
// have no such field.
std::string OptionText(const OpOptions& options, std::string_view field);

// All fields with such texts, in the schema's order.
std::vector<std::pair<std::string, std::string>> OptionTexts(const OpOptions& options);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_OP_OPTION_READER_H_
