// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/op_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sdk/host/model/graph/op_text.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNeighbours = 3;  // on either side

bool Contains(const Json& list, size_t index) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Json& item) { return item == static_cast<int64_t>(index); });
}

Json OpsThat(const Json& ops, const char* port, size_t tensor) {
  Json found = Json::array();
  for (const Json& op : ops) {
    if (Contains(op[port], tensor)) found.push_back({{"index", op["index"]}, {"op", op["op"]}});
  }
  return found;
}

Json Ports(const Json& subgraph, const Json& list, bool are_inputs) {
  Json ports = Json::array();
  for (const Json& number : list) {
    if (!number.is_number() || number.get<int64_t>() < 0) {
      ports.push_back({{"omitted", true}});
      continue;
    }
    const auto tensor = number.get<size_t>();
    Json port = subgraph["tensors"][tensor];
    if (are_inputs) {
      const Json producers = OpsThat(subgraph["ops"], "outputs", tensor);
      if (!producers.empty()) port["producer"] = producers.front();
    } else {
      port["users"] = OpsThat(subgraph["ops"], "inputs", tensor);
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

std::string TensorText(const Json& tensor) {
  std::string shape;
  for (const Json& dim : tensor["shape"]) shape += (shape.empty() ? "" : ",") + JsonText(dim);
  std::string text =
      fmt::format("tensor {} '{}' {}[{}]", tensor["index"].get<size_t>(),
                  tensor["name"].get<std::string>(), tensor["dtype"].get<std::string>(), shape);
  if (tensor.contains("quantization"))
    text += " " + tensor["quantization"]["kind"].get<std::string>();
  return text;
}

std::string ShortOpText(const Json& op) {
  const std::string name = op["op"];
  return npukit::OpText(OpLabel{.index = op["index"].get<uint32_t>(), .op = name});
}

}  // namespace

litert::Expected<Json> OpContext(const Json& report, size_t subgraph, size_t op) {
  const auto missing = [](const char* what, size_t index, size_t count) {
    return litert::Unexpected(kLiteRtStatusErrorIndexOOB,
                              fmt::format("no {} {}: there are {}", what, index, count));
  };
  const Json& subgraphs = report["subgraphs"];
  if (subgraph >= subgraphs.size()) return missing("subgraph", subgraph, subgraphs.size());
  const Json& graph = subgraphs[subgraph];
  const Json& ops = graph["ops"];
  if (op >= ops.size()) return missing("op", op, ops.size());
  Json context = {{"subgraph", subgraph},
                  {"op", ops[op]},
                  {"inputs", Ports(graph, ops[op]["inputs"], true)},
                  {"outputs", Ports(graph, ops[op]["outputs"], false)},
                  {"neighbours", Json::array()}};
  const size_t first = op - std::min(op, kNeighbours);
  for (size_t i = first; i < std::min(op + kNeighbours + 1, ops.size()); ++i)
    context["neighbours"].push_back({{"index", i}, {"op", ops[i]["op"]}});
  return context;
}

std::string OpContextText(const Json& context) {
  const Json& op = context["op"];
  std::string text = fmt::format("subgraph {}\n", context["subgraph"].get<size_t>());
  for (const Json& neighbour : context["neighbours"]) {
    const char* arrow = neighbour["index"] == op["index"] ? "->" : "  ";
    text += fmt::format("{} {:>5}  {}\n", arrow, neighbour["index"].get<size_t>(),
                        neighbour["op"].get<std::string>());
  }
  if (op.contains("options")) {
    text += "options " + op["options"]["table"].get<std::string>() + "\n";
    for (const auto& [name, value] : op["options"]["fields"].items())
      text += fmt::format("  {} = {}\n", name, JsonText(value));
  }
  if (op.contains("custom_options_bytes"))
    text += "custom options: " + JsonText(op["custom_options_bytes"]) + " bytes\n";
  if (op.contains("dispatch"))
    text += "entry point " + op["dispatch"]["entry_point"].get<std::string>() + "\n";
  text += "inputs\n";
  for (const Json& input : context["inputs"]) {
    if (input.contains("omitted")) {
      text += "  omitted\n";
      continue;
    }
    text += "  " + TensorText(input) + " <- ";
    text += input.contains("producer") ? ShortOpText(input["producer"])
                                       : input["role"].get<std::string>();
    text += "\n";
  }
  text += "outputs\n";
  for (const Json& output : context["outputs"]) {
    text += "  " + TensorText(output) + " -> ";
    std::string users;
    for (const Json& user : output["users"])
      users += (users.empty() ? "" : ", ") + ShortOpText(user);
    const std::string role = output["role"].get<std::string>();
    if (role != "value") users += (users.empty() ? "" : ", ") + role + " of the subgraph";
    text += (users.empty() ? "no op" : users) + "\n";
  }
  return text;
}

}  // namespace npukit::tools
