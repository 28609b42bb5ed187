// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/claim_draft.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <set>

#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/claims/claims.h"
#include "conformance/spec/graph/op_option_reader.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

using InputKind = OpObservation::InputKind;
using Pointers = std::vector<const OpObservation*>;

// Empty if the op's types fit no claim that could be written.
std::string TypesText(const Op& op) {
  const size_t typed = TypedInput(op.code);
  if (op.inputs.size() <= typed || op.inputs[typed] == nullptr || op.outputs.empty()) return {};
  TypeClaim types{
      .in = op.inputs[typed]->element_type, .out = op.outputs[0]->element_type, .weights = {}};
  if (!types.HasOutputs(op)) {
    for (size_t i = 1; i < op.outputs.size(); ++i)
      types.further_outs.push_back(op.outputs[i]->element_type);
  }
  const Tensor* second = op.inputs.size() > 1 ? op.inputs[1] : nullptr;
  if (second != nullptr && second->element_type != types.in &&
      !(second->is_constant() && IsIncidental(second->element_type))) {
    types.weights = second->element_type;
  }
  // Where activations are as wide as a bias may be, implementations differ in what they take.
  const Tensor* third = op.inputs.size() > 2 ? op.inputs[2] : nullptr;
  if (types.weights && third != nullptr && third->is_constant() &&
      IsIncidental(third->element_type)) {
    types.bias = third->element_type;
  }
  // The one rule by which claims are read decides.
  Claims claims;
  claims.ops.push_back({.op = ClaimName(op), .types = {types}, .limits = {}, .at = {}});
  if (!MatchClaim(claims, op).claimed) return {};
  const bool one_out = types.further_outs.empty();
  if (!types.weights && one_out && types.out == types.in) return ElementTypeName(types.in);
  std::string text = "{in: " + ElementTypeName(types.in);
  if (types.weights) text += ", weights: " + ElementTypeName(*types.weights);
  if (types.bias) text += ", bias: " + ElementTypeName(*types.bias);
  if (!one_out) {
    text += ", out: [" + ElementTypeName(types.out);
    for (LiteRtElementType further : types.further_outs) text += ", " + ElementTypeName(further);
    text += "]";
  } else if (types.out != types.in) {
    text += ", out: " + ElementTypeName(types.out);
  }
  return text + "}";
}

void NoteTensor(const Tensor& tensor, bool first, OpObservation& observed) {
  const auto rank = static_cast<int>(tensor.shape.size());
  observed.min_rank = first ? rank : std::min(observed.min_rank, rank);
  observed.max_rank = std::max(observed.max_rank, rank);
  int64_t elems = 1;
  for (int32_t dim : tensor.shape) {
    observed.max_dim = std::max<int64_t>(observed.max_dim, dim);
    elems *= dim;
  }
  observed.max_elems = std::max(observed.max_elems, elems);
}

struct Limit {
  std::string text;  // YAML
  std::function<bool(const OpObservation&)> holds;
};

void AddInputLimits(const Pointers& taken, std::vector<Limit>& limits) {
  size_t inputs = 0;
  for (const OpObservation* observed : taken) inputs = std::max(inputs, observed->inputs.size());
  for (size_t i = 0; i < inputs; ++i) {
    for (InputKind refused : {InputKind::kVariable, InputKind::kConstant}) {
      auto holds = [i, refused](const OpObservation& observed) {
        return i >= observed.inputs.size() || observed.inputs[i] != refused;
      };
      const char* name = refused == InputKind::kVariable ? "constant_inputs" : "variable_inputs";
      limits.push_back({fmt::format("{}: [{}]", name, i), holds});
    }
  }
}

template <typename Number>
void AddNumberLimit(const Pointers& taken, Number OpObservation::*field, const char* name, bool max,
                    std::vector<Limit>& limits) {
  Number limit = taken.front()->*field;
  for (const OpObservation* observed : taken)
    limit = max ? std::max(limit, observed->*field) : std::min(limit, observed->*field);
  limits.push_back(
      {fmt::format("{}: {}", name, limit), [field, limit, max](const OpObservation& observed) {
         return max ? observed.*field <= limit : observed.*field >= limit;
       }});
}

void AddOptionLimits(const Pointers& taken, std::vector<Limit>& limits) {
  std::map<std::string, std::set<std::string>> values;
  for (const OpObservation* observed : taken) {
    for (const auto& [field, text] : observed->options) values[field].insert(text);
  }
  for (const auto& [field, texts] : values) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
    limits.push_back({"options: {" + field + ": [" + list + "]}",
                      [field = field, texts = texts](const OpObservation& observed) {
                        const auto found = observed.options.find(field);
                        return found != observed.options.end() && texts.contains(found->second);
                      }});
  }
}

// Limits that hold of all that was taken.
std::vector<Limit> PossibleLimits(const Pointers& taken) {
  std::vector<Limit> limits;
  AddInputLimits(taken, limits);
  AddOptionLimits(taken, limits);
  limits.push_back({"per_channel: false", [](const OpObservation& s) { return !s.per_channel; }});
  limits.push_back({"broadcast: false", [](const OpObservation& s) { return !s.broadcast; }});
  AddNumberLimit(taken, &OpObservation::max_rank, "max_rank", true, limits);
  AddNumberLimit(taken, &OpObservation::min_rank, "min_rank", false, limits);
  AddNumberLimit(taken, &OpObservation::max_dim, "max_dim", true, limits);
  AddNumberLimit(taken, &OpObservation::max_elems, "max_elems", true, limits);
  std::erase_if(limits, [&](const Limit& limit) {
    return !std::all_of(taken.begin(), taken.end(),
                        [&](const OpObservation* observed) { return limit.holds(*observed); });
  });
  return limits;
}

struct Drafted {
  std::vector<std::string> limits;
  Pointers unexplained;  // not taken, though all limits hold
};

// Again and again the limit that explains most of what was not taken.
Drafted Explain(const Pointers& taken, Pointers left) {
  Drafted drafted;
  std::vector<Limit> limits = PossibleLimits(taken);
  while (!left.empty()) {
    auto explained = [&](const Limit& limit) {
      return std::count_if(left.begin(), left.end(),
                           [&](const OpObservation* observed) { return !limit.holds(*observed); });
    };
    const auto best = std::max_element(
        limits.begin(), limits.end(),
        [&](const Limit& a, const Limit& b) { return explained(a) < explained(b); });
    if (best == limits.end() || explained(*best) == 0) break;
    drafted.limits.push_back(best->text);
    std::erase_if(left, [&](const OpObservation* observed) { return !best->holds(*observed); });
  }
  drafted.unexplained = std::move(left);
  return drafted;
}

// {options: {a: [..]}, options: {b: [..]}} is no YAML: one map of all options.
std::string LimitsYaml(const std::vector<std::string>& limits) {
  constexpr std::string_view kOptions = "options: {";
  std::string options;
  std::map<std::string, std::string> lists;  // constant_inputs, variable_inputs
  std::string others;
  auto join = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (const std::string& limit : limits) {
    const size_t bracket = limit.find(": [");
    if (limit.starts_with(kOptions)) {
      join(options, limit.substr(kOptions.size(), limit.size() - kOptions.size() - 1));
    } else if (bracket != std::string::npos) {
      join(lists[limit.substr(0, bracket)], limit.substr(bracket + 3, limit.size() - bracket - 4));
    } else {
      join(others, limit);
    }
  }
  for (const auto& [name, indices] : lists) join(others, name + ": [" + indices + "]");
  if (!options.empty()) join(others, "options: {" + options + "}");
  return others;
}

}  // namespace

OpObservation Observe(const Op& op, bool taken, const std::string& where) {
  OpObservation observed;
  observed.op = ClaimName(op);
  observed.types = TypesText(op);
  observed.taken = taken;
  observed.where = where;
  bool first = true;
  for (const Tensor* input : op.inputs) {
    observed.inputs.push_back(input == nullptr       ? InputKind::kOmitted
                              : input->is_constant() ? InputKind::kConstant
                                                     : InputKind::kVariable);
    if (input == nullptr) continue;
    NoteTensor(*input, first, observed);
    first = false;
    observed.per_channel = observed.per_channel || input->quantization.is_per_channel();
    if (!op.outputs.empty() && !IsIncidental(input->element_type) &&
        input->shape != op.outputs[0]->shape) {
      observed.broadcast = true;
    }
  }
  for (const Tensor* output : op.outputs) {
    NoteTensor(*output, first, observed);
    first = false;
  }
  for (auto& [field, text] : OptionTexts(op.options)) observed.options[field] = text;
  // What a composite is made of is no limit.
  if (op.code == kLiteRtOpCodeShloComposite) observed.options.clear();
  return observed;
}

std::string DraftClaims(const std::string& manufacturer, const std::vector<std::string>& socs,
                        const std::vector<OpObservation>& observations) {
  std::map<std::pair<std::string, std::string>, std::pair<Pointers, Pointers>> groups;
  for (const OpObservation& observed : observations) {
    if (observed.types.empty()) continue;
    auto& [taken, left] = groups[{observed.op, observed.types}];
    (observed.taken ? taken : left).push_back(&observed);
  }
  std::string yaml = fmt::format(
      "# First draft of {}'s claims, from {} ops that the plugin was asked about.\n# What was seen "
      "is no promise: read it, and claim what you stand for.\nclaims: 1\nmanufacturer: {}\nsocs: [",
      manufacturer, observations.size(), manufacturer);
  for (size_t i = 0; i < socs.size(); ++i) yaml += (i == 0 ? "" : ", ") + socs[i];
  yaml += "]\nops:";
  std::string ops;
  for (const auto& [key, observed] : groups) {
    const auto& [taken, left] = observed;
    if (taken.empty()) continue;
    const Drafted drafted = Explain(taken, left);
    ops += "\n  - op: " + key.first + "\n    types: [" + key.second + "]";
    if (const std::string limits = LimitsYaml(drafted.limits); !limits.empty())
      ops += "\n    limits: {" + limits + "}";
    if (!drafted.unexplained.empty()) {
      ops += fmt::format("\n    # left alone all the same: {} of {}, as in {}",
                         drafted.unexplained.size(), taken.size() + left.size(),
                         drafted.unexplained.front()->where);
    }
  }
  return yaml + (ops.empty() ? " []" : ops) + "\n";
}

}  // namespace npukit::conformance
