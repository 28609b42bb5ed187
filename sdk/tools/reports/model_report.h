// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model as a printable value: what `npukit inspect` shows.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_MODEL_REPORT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_MODEL_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sdk/host/model/graph/model.h"

namespace npukit::tools {

// {file, file_bytes, schema_version, description, stamp {soc_manufacturer, soc_model},
//  subgraphs[] {index, name, inputs[], outputs[], ops[], tensors[]},
//  signatures[] {key, subgraph, inputs[] {name, tensor}, outputs[]},
//  metadata[] {name, bytes}, modules[] {index, bytes, offset, entry_points[]}}
// ops[]: {index, op, version, inputs[], outputs[], options {table, fields}, custom_options_bytes,
//  dispatch {entry_point, module}}; tensors[]: {index, name, dtype, shape[], shape_signature[],
//  role, constant_bytes, buffer, quantization {...}}. What does not apply is left out.
// `file` holds the bytes that the model was parsed from: module offsets count from its start.
nlohmann::ordered_json DescribeModel(const Model& model, const SharedBytes& file,
                                     const std::string& path);

// The value of ops[].options.
nlohmann::ordered_json DescribeOptions(const OpOptions& options);

// A report for people, in aligned columns.
std::string ReportText(const nlohmann::ordered_json& report);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_MODEL_REPORT_H_
