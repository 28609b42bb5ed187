// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "sdk/host/model/graph/op.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/text_table.h"
#include "sdk/tools/reports/model_report.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string List(const Json& values, std::string_view open, std::string_view close) {
  std::string text(open);
  for (size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ",") + JsonText(values[i]);
  return text + std::string(close);
}

std::string Operands(const Json& indices) {
  std::string text;
  for (const Json& index : indices) {
    text += (text.empty() ? "" : " ") + (index == -1 ? std::string("-") : JsonText(index));
  }
  return text.empty() ? "-" : text;
}

std::string ValueText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return JsonText(value);
  constexpr size_t kMaxShown = 8;
  if (value.size() > kMaxShown) return fmt::format("[{} values]", value.size());
  return List(value, "[", "]");
}

// Also what stands at its default: a reader need not know the schema's.
std::string OptionsText(const Json& op) {
  if (!op.contains("options")) return "";
  std::string text;
  for (const auto& [name, value] : op["options"]["fields"].items())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, ValueText(value));
  return text;
}

// What is beside its operator and operands.
std::string DetailsText(const Json& op) {
  std::string text = OptionsText(op);
  if (op.contains("dispatch")) {
    const Json& dispatch = op["dispatch"];
    text += fmt::format("entry point '{}'", dispatch["entry_point"].get<std::string>());
    if (dispatch.contains("module"))
      text += fmt::format(" of module {}", JsonText(dispatch["module"]));
  } else if (op.contains("custom_options_bytes")) {
    text += fmt::format("custom options of {} bytes", JsonText(op["custom_options_bytes"]));
  }
  return text;
}

std::string QuantizationText(const Json& tensor) {
  if (!tensor.contains("quantization")) return "";
  const Json& q = tensor["quantization"];
  const std::string kind = q["kind"];
  if (kind == "per_tensor") {
    return fmt::format("scale {} zero point {}", JsonText(q["scale"][0]),
                       q["zero_point"].empty() ? "0" : JsonText(q["zero_point"][0]));
  }
  if (kind == "per_channel") {
    return fmt::format("{} scales along dimension {}", q["scale"].size(), JsonText(q["dimension"]));
  }
  if (kind == "custom") return fmt::format("custom, {} bytes", JsonText(q["bytes"]));
  return fmt::format("blocks of {}, scales in tensor {}", JsonText(q["block_size_elems"]),
                     JsonText(q["scales_tensor"]));
}

std::string SubgraphText(const Json& subgraph) {
  size_t constants = 0;
  uint64_t constant_bytes = 0;
  for (const Json& tensor : subgraph["tensors"]) {
    if (!tensor.contains("constant_bytes")) continue;
    ++constants;
    constant_bytes += tensor["constant_bytes"].get<uint64_t>();
  }
  std::string text =
      fmt::format("\nsubgraph {} '{}': {} ops, {} tensors, of which {} constant ({} bytes)\n",
                  JsonText(subgraph["index"]), subgraph["name"].get<std::string>(),
                  subgraph["ops"].size(), subgraph["tensors"].size(), constants, constant_bytes);
  text += fmt::format("  inputs {}   outputs {}\n", Operands(subgraph["inputs"]),
                      Operands(subgraph["outputs"]));
  // The first column holds indices, which are read from the right.
  TextTable ops("><<<<<<", "  ");
  for (const Json& op : subgraph["ops"]) {
    ops.Add({JsonText(op["index"]), op["op"], "v" + JsonText(op["version"]), Operands(op["inputs"]),
             "->", Operands(op["outputs"]), DetailsText(op)});
  }
  TextTable tensors("><<<<<<", "  ");
  for (const Json& tensor : subgraph["tensors"]) {
    const Json& shape =
        tensor.contains("shape_signature") ? tensor["shape_signature"] : tensor["shape"];
    tensors.Add({JsonText(tensor["index"]), tensor["dtype"], List(shape, "[", "]"), tensor["role"],
                 tensor.contains("constant_bytes") ? JsonText(tensor["constant_bytes"]) + " B" : "",
                 QuantizationText(tensor), tensor["name"]});
  }
  if (!subgraph["ops"].empty()) text += " ops\n" + ops.Text();
  if (!subgraph["tensors"].empty()) text += " tensors\n" + tensors.Text();
  return text;
}

std::string SignaturesText(const Json& signatures) {
  std::string text;
  for (const Json& signature : signatures) {
    text += fmt::format("\nsignature '{}' of subgraph {}\n", signature["key"].get<std::string>(),
                        JsonText(signature["subgraph"]));
    TextTable table("><<", "  ");
    for (const char* key : {"inputs", "outputs"}) {
      for (const Json& named : signature[key]) {
        table.Add({key[0] == 'i' ? "input" : "output", "tensor " + JsonText(named["tensor"]),
                   named["name"]});
      }
    }
    text += table.Text();
  }
  return text;
}

std::string ModulesText(const Json& modules) {
  std::string text;
  for (const Json& module : modules) {
    text +=
        fmt::format("\nmodule {}: {} bytes", JsonText(module["index"]), JsonText(module["bytes"]));
    if (module.contains("offset")) text += fmt::format(" at offset {}", JsonText(module["offset"]));
    text += "\n";
    for (const Json& entry_point : module["entry_points"]) {
      text += fmt::format("  entry point '{}'\n", entry_point.get<std::string>());
    }
  }
  return text;
}

}  // namespace

std::string ReportText(const Json& report) {
  std::string text =
      fmt::format("{}: {} bytes, schema version {}\n", report["file"].get<std::string>(),
                  JsonText(report["file_bytes"]), JsonText(report["schema_version"]));
  if (!report["description"].empty() && report["description"] != "") {
    text += fmt::format("description: {}\n", report["description"].get<std::string>());
  }
  if (report.contains("stamp")) {
    const auto soc = report["stamp"]["soc_model"].get<std::string>();
    text +=
        fmt::format("compiled for: {} {}\n", report["stamp"]["soc_manufacturer"].get<std::string>(),
                    soc.empty() ? "(its default)" : soc);
  }
  for (const Json& subgraph : report["subgraphs"]) text += SubgraphText(subgraph);
  text += SignaturesText(report["signatures"]);
  text += ModulesText(report["modules"]);
  if (!report["metadata"].empty()) {
    TextTable table("<<", "  ");
    for (const Json& entry : report["metadata"]) {
      table.Add({entry["name"], JsonText(entry["bytes"]) + " bytes"});
    }
    text += "\nmetadata\n" + table.Text();
  }
  return text;
}

}  // namespace npukit::tools
