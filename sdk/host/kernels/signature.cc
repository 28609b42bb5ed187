// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operand_check.h"

namespace npukit::kernels {
namespace {

using Slot = Signature::Slot;
using Clause = Signature::Clause;

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at != std::string_view::npos;) {
    at = text.find(separator);
    parts.push_back(Trimmed(text.substr(0, at)));
    if (at != std::string_view::npos) text.remove_prefix(at + separator.size());
  }
  return parts;
}

litert::Unexpected BadText(std::string_view message, std::string_view text) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("signature: {} '{}'", message, text));
}

litert::Expected<TypeSet> ParseTypes(std::string_view text) {
  if (text == "any") return TypeSet{.group = TypeSet::Group::kAny, .named = {}};
  if (text == "bytes") return TypeSet{.group = TypeSet::Group::kWholeBytes, .named = {}};
  if (text == "bytes8") return TypeSet{.group = TypeSet::Group::kUpTo8Bytes, .named = {}};
  TypeSet types;
  for (std::string_view name : SplitAt(text, "|")) {
    std::optional<LiteRtElementType> found;
    for (int value = 1; value < kElementTypeLimit && !found; ++value) {
      const auto type = static_cast<LiteRtElementType>(value);
      if (ElementTypeName(type) == name) found = type;
    }
    if (!found) return BadText("no element type", name);
    types.named.push_back(*found);
  }
  return types;
}

// "types", "types?", "types+", "types*", "types?{23}".
litert::Expected<Slot> ParseSlot(std::string_view text, const std::optional<TypeSet>& variable) {
  Slot slot;
  if (text.ends_with('}')) {
    const size_t open = text.find('{');
    if (open == std::string_view::npos) return BadText("no { in", text);
    const std::string_view count = text.substr(open + 1, text.size() - open - 2);
    const auto read = std::from_chars(count.data(), count.data() + count.size(), slot.max_count);
    if (read.ec != std::errc() || read.ptr != count.data() + count.size())
      return BadText("no number in", text);
    slot.min_count = 0;
    text = text.substr(0, open);
  }
  if (text.ends_with('?')) {
    slot.is_optional = true;
    slot.min_count = 0;
    text.remove_suffix(1);
  } else if (text.ends_with('+') || text.ends_with('*')) {
    slot.max_count = kNoLimit;
    if (text.ends_with('*')) slot.min_count = 0;
    text.remove_suffix(1);
  }
  slot.is_variable = text == "T";
  if (!slot.is_variable) {
    LITERT_ASSIGN_OR_RETURN(slot.types, ParseTypes(text));
  } else if (!variable) {
    return BadText("T is not defined for", text);
  } else {
    slot.types = *variable;
  }
  return slot;
}

litert::Expected<std::vector<Slot>> ParseSlots(std::string_view text,
                                               const std::optional<TypeSet>& variable) {
  std::vector<Slot> slots;
  for (std::string_view part : SplitAt(text, ",")) {
    LITERT_ASSIGN_OR_RETURN(Slot slot, ParseSlot(part, variable));
    // Which slot a tensor belongs to follows from its place alone.
    if (!slots.empty() && slots.back().max_count > 1)
      return BadText("nothing may follow before", part);
    slots.push_back(std::move(slot));
  }
  return slots;
}

const Slot& SlotAt(const std::vector<Slot>& slots, size_t place) {
  return slots[std::min(place, slots.size() - 1)];
}

// An optional one before one that is needed has a place, if only to say that it is omitted.
size_t MinCount(const std::vector<Slot>& slots) {
  size_t places = 0;
  size_t min = 0;
  for (const Slot& slot : slots) {
    places += slot.is_optional ? slot.max_count : slot.min_count;
    if (slot.min_count > 0) min = places;
  }
  return min;
}

size_t MaxCount(const std::vector<Slot>& slots) {
  size_t count = 0;
  for (const Slot& slot : slots) {
    if (slot.max_count == kNoLimit) return kNoLimit;
    count += slot.max_count;
  }
  return count;
}

litert::Expected<void> CheckCount(const Node& node, std::string_view what, size_t count,
                                  const std::vector<Slot>& slots) {
  const size_t min = MinCount(slots);
  const size_t max = MaxCount(slots);
  if (count >= min && count <= max) return {};
  if (max == kNoLimit) {
    return InvalidNode(node, fmt::format("has {} {}, needs at least {}", count, what, min));
  }
  if (min == max) return InvalidNode(node, fmt::format("has {} {}, needs {}", count, what, min));
  return InvalidNode(node, fmt::format("has {} {}, needs {} to {}", count, what, min, max));
}

bool TakesCounts(const Clause& clause, size_t inputs, size_t outputs) {
  return inputs >= MinCount(clause.inputs) && inputs <= MaxCount(clause.inputs) &&
         outputs >= MinCount(clause.outputs) && outputs <= MaxCount(clause.outputs);
}

// Some clause takes as many tensors. Where all take the same numbers, the error says them.
litert::Expected<void> CheckCounts(const Node& node, const std::vector<Clause>& clauses) {
  const size_t inputs = node.inputs.size();
  const size_t outputs = node.outputs.size();
  if (std::any_of(clauses.begin(), clauses.end(),
                  [&](const Clause& clause) { return TakesCounts(clause, inputs, outputs); })) {
    return {};
  }
  const auto same = [](const std::vector<Slot>& a, const std::vector<Slot>& b) {
    return MinCount(a) == MinCount(b) && MaxCount(a) == MaxCount(b);
  };
  const Clause& first = clauses.front();
  const bool alike = std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
    return same(clause.inputs, first.inputs) && same(clause.outputs, first.outputs);
  });
  if (alike) {
    LITERT_RETURN_IF_ERROR(CheckCount(node, "inputs", inputs, first.inputs));
    return CheckCount(node, "outputs", outputs, first.outputs);
  }
  return InvalidNode(node,
                     fmt::format("has {} inputs and {} outputs, which no form of the operator "
                                 "takes",
                                 inputs, outputs));
}

std::vector<bool> GivenInputs(const Node& node) {
  std::vector<bool> given;
  for (const Operand* input : node.inputs) given.push_back(input != nullptr);
  return given;
}

// The first input that is omitted though the clause needs it.
std::optional<size_t> FirstMissing(const Clause& clause, const std::vector<bool>& is_given_input) {
  for (size_t i = 0; i < is_given_input.size(); ++i) {
    if (!is_given_input[i] && !SlotAt(clause.inputs, i).is_optional) return i;
  }
  return std::nullopt;
}

// The clauses that fit the tensors seen so far, and what T is in each.
struct Candidate {
  const Clause* clause = nullptr;
  const Operand* bound = nullptr;
};

bool Fits(const Slot& slot, const Candidate& candidate, LiteRtElementType type) {
  if (slot.is_variable && candidate.bound != nullptr) return candidate.bound->type() == type;
  return slot.types.Contains(type);
}

litert::Unexpected WrongType(const Node& node, const Operand& operand,
                             std::span<const Candidate> candidates,
                             std::span<const Slot* const> slots) {
  TypeSet wanted;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (slots[i]->is_variable && candidates[i].bound != nullptr) {
      return InvalidNode(
          node, &operand,
          fmt::format("must have the element type of {}", OperandName(candidates[i].bound)));
    }
    if (slots[i]->types.group != TypeSet::Group::kNamed) wanted.group = slots[i]->types.group;
    for (LiteRtElementType type : slots[i]->types.named) {
      if (!wanted.Contains(type)) wanted.named.push_back(type);
    }
  }
  return UnsupportedNode(
      node, &operand, fmt::format("has an unsupported element type; supported: {}", wanted.Text()));
}

// Leaves the candidates whose slot takes the operand.
litert::Expected<void> Narrow(const Node& node, const Operand& operand,
                              std::vector<Slot> Clause::*side, size_t place,
                              std::vector<Candidate>& candidates) {
  std::vector<Candidate> left;
  std::vector<const Slot*> slots;
  for (const Candidate& candidate : candidates) {
    const Slot& slot = *slots.emplace_back(&SlotAt(candidate.clause->*side, place));
    if (!Fits(slot, candidate, operand.type())) continue;
    left.push_back(candidate);
    if (slot.is_variable && candidate.bound == nullptr) left.back().bound = &operand;
  }
  if (left.empty()) return WrongType(node, operand, candidates, slots);
  candidates = std::move(left);
  return {};
}

std::vector<const Slot*> SlotsOf(const Clause& clause, const std::vector<bool>& is_given_input,
                                 size_t num_outputs) {
  std::vector<const Slot*> slots;
  for (size_t i = 0; i < is_given_input.size(); ++i) {
    if (is_given_input[i]) slots.push_back(&SlotAt(clause.inputs, i));
  }
  for (size_t i = 0; i < num_outputs; ++i) slots.push_back(&SlotAt(clause.outputs, i));
  return slots;
}

using ChoiceFunction = std::function<void(std::span<const LiteRtElementType>)>;

void Choose(std::span<const Slot* const> slots, std::span<const LiteRtElementType> candidates,
            std::optional<LiteRtElementType> bound, std::vector<LiteRtElementType>& types,
            const ChoiceFunction& fn) {
  if (types.size() == slots.size()) return fn(types);
  const Slot& slot = *slots[types.size()];
  for (LiteRtElementType type : candidates) {
    const bool is_bound = slot.is_variable && bound.has_value();
    if (is_bound ? type != *bound : !slot.types.Contains(type)) continue;
    types.push_back(type);
    Choose(slots, candidates, slot.is_variable ? type : bound, types, fn);
    types.pop_back();
  }
}

}  // namespace

bool TypeSet::Contains(LiteRtElementType type) const {
  const int bits = ElementBits(type);
  switch (group) {
    case Group::kNamed:
      return std::find(named.begin(), named.end(), type) != named.end();
    case Group::kAny:
      return true;
    case Group::kWholeBytes:
      return bits > 0 && bits % 8 == 0;
    case Group::kUpTo8Bytes:
      return bits > 0 && bits % 8 == 0 && bits <= 64;
  }
  return false;
}

std::string TypeSet::Text() const {
  switch (group) {
    case Group::kNamed:
      break;
    case Group::kAny:
      return "any";
    case Group::kWholeBytes:
      return "any of whole bytes";
    case Group::kUpTo8Bytes:
      return "any of 1, 2, 4 or 8 bytes";
  }
  std::vector<std::string> names;
  for (LiteRtElementType type : named) names.push_back(ElementTypeName(type));
  return fmt::format("{}", fmt::join(names, ", "));
}

litert::Expected<Signature> Signature::Parse(std::string_view text) {
  const std::vector<std::string_view> parts = SplitAt(text, ";");
  std::optional<TypeSet> variable;
  for (std::string_view part : parts) {
    if (!part.starts_with("T =")) continue;
    LITERT_ASSIGN_OR_RETURN(variable, ParseTypes(Trimmed(part.substr(3))));
  }
  Signature signature;
  for (std::string_view part : parts) {
    if (part.starts_with("T =")) continue;
    const std::vector<std::string_view> sides = SplitAt(part, "->");
    if (sides.size() != 2) return BadText("must have one -> in", part);
    Clause clause;
    LITERT_ASSIGN_OR_RETURN(clause.inputs, ParseSlots(sides[0], variable));
    LITERT_ASSIGN_OR_RETURN(clause.outputs, ParseSlots(sides[1], variable));
    signature.clauses_.push_back(std::move(clause));
  }
  return signature;
}

litert::Expected<void> Signature::Check(const Node& node) const {
  if (clauses_.empty()) return {};
  LITERT_RETURN_IF_ERROR(CheckCounts(node, clauses_));
  for (const Operand* input : node.inputs) {
    if (input != nullptr) LITERT_RETURN_IF_ERROR(CheckOperand(node, *input));
  }
  std::vector<Candidate> candidates;
  std::optional<size_t> missing;
  for (const Clause& clause : clauses_) {
    if (!TakesCounts(clause, node.inputs.size(), node.outputs.size())) continue;
    const std::optional<size_t> lacks = FirstMissing(clause, GivenInputs(node));
    if (lacks) {
      missing = lacks;
    } else {
      candidates.push_back({.clause = &clause});
    }
  }
  if (candidates.empty()) {
    return NodeError(node, kLiteRtStatusErrorMissingInputTensor,
                     fmt::format("input {} is missing; it is not optional", *missing));
  }
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == nullptr) continue;
    LITERT_RETURN_IF_ERROR(Narrow(node, *node.inputs[i], &Clause::inputs, i, candidates));
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    LITERT_RETURN_IF_ERROR(Narrow(node, *node.outputs[i], &Clause::outputs, i, candidates));
  }
  return {};
}

void Signature::ForEachChoice(const std::vector<bool>& is_given_input, size_t num_outputs,
                              std::span<const LiteRtElementType> candidates,
                              const ChoiceFunction& fn) const {
  for (const Clause& clause : clauses_) {
    if (!TakesCounts(clause, is_given_input.size(), num_outputs)) continue;
    if (FirstMissing(clause, is_given_input)) continue;
    std::vector<LiteRtElementType> types;
    Choose(SlotsOf(clause, is_given_input, num_outputs), candidates, std::nullopt, types, fn);
  }
}

}  // namespace npukit::kernels
