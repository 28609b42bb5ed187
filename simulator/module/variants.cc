// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace acme {
namespace {

using Kind = ModuleGuard::Kind;

uint64_t ElemBytes(Kind kind) { return kind == Kind::kUnset ? 1 : 4; }

// Element i of bytes that need not be aligned.
template <class T>
T At(std::span<const uint8_t> bytes, size_t i) {
  T elem;
  std::memcpy(&elem, bytes.data() + i * sizeof(T), sizeof(T));
  return elem;
}

bool AllBelow(std::span<const uint8_t> bytes, uint32_t limit) {
  // A negative number is a large one without its sign.
  for (size_t i = 0; i < bytes.size() / sizeof(uint32_t); ++i) {
    if (At<uint32_t>(bytes, i) >= limit) return false;
  }
  return true;
}

// Not so with a NaN anywhere, or where nothing is seen.
bool IsHidden(std::span<const uint8_t> row, const ModuleGuard& guard) {
  float before = At<float>(row, 0);
  for (size_t i = 0; i < guard.limit; ++i) {
    const float elem = At<float>(row, i);
    if (std::isnan(elem)) return false;
    before = std::max(before, elem);
  }
  if (!std::isfinite(before)) return false;
  for (size_t i = guard.limit; i < guard.row_elems; ++i) {
    if (!(At<float>(row, i) <= before - guard.margin)) return false;
  }
  return true;
}

bool IsUnset(std::span<const uint8_t> row, const ModuleGuard& guard) {
  const auto is_set = [](uint8_t elem) { return elem != 0; };
  const auto limit = row.begin() + guard.limit;
  return std::any_of(row.begin(), limit, is_set) && std::none_of(limit, row.end(), is_set);
}

}  // namespace

Expected<void> CheckGuards(const ModuleEntry& entry) {
  for (const ModuleVariant& variant : entry.variants) {
    for (const ModuleGuard& guard : variant.guards) {
      const bool is_input =
          guard.binding < entry.bindings.size() && !entry.bindings[guard.binding].output;
      const uint64_t row_bytes = guard.kind == Kind::kBelow
                                     ? ElemBytes(guard.kind)
                                     : uint64_t{guard.row_elems} * ElemBytes(guard.kind);
      const bool fits =
          is_input && row_bytes > 0 && entry.bindings[guard.binding].size_bytes % row_bytes == 0 &&
          (guard.kind == Kind::kBelow || (guard.limit > 0 && guard.limit <= guard.row_elems));
      if (!fits) {
        return Error(
            ErrorCode::kInvalidProgram,
            fmt::format("entry point {}: a variant is guarded by binding {}, of which that "
                        "can't be asked",
                        entry.name, guard.binding));
      }
    }
  }
  return {};
}

bool Passes(const ModuleGuard& guard, std::span<const uint8_t> bytes) {
  if (guard.kind == Kind::kBelow) return AllBelow(bytes, guard.limit);
  const size_t row_bytes = size_t{guard.row_elems} * ElemBytes(guard.kind);
  for (; !bytes.empty(); bytes = bytes.subspan(row_bytes)) {
    const std::span<const uint8_t> row = bytes.first(row_bytes);
    if (!(guard.kind == Kind::kHidden ? IsHidden(row, guard) : IsUnset(row, guard))) return false;
  }
  return true;
}

std::optional<size_t> ChooseVariant(const ModuleEntry& entry,
                                    std::span<const uint8_t* const> bindings) {
  const auto passes = [&](const ModuleGuard& guard) {
    return Passes(guard, {bindings[guard.binding], entry.bindings[guard.binding].size_bytes});
  };
  for (size_t i = 0; i < entry.variants.size(); ++i) {
    const std::vector<ModuleGuard>& guards = entry.variants[i].guards;
    if (std::all_of(guards.begin(), guards.end(), passes)) return i;
  }
  return std::nullopt;
}

std::string Describe(const ModuleGuard& guard, const ModuleEntry& entry) {
  const std::string& name = entry.bindings[guard.binding].name;
  switch (guard.kind) {
    case Kind::kBelow:
      return fmt::format("'{}' is in [0, {})", name, guard.limit);
    case Kind::kHidden:
      return fmt::format("of each {} of '{}' those from {} on are {} below the largest",
                         guard.row_elems, name, guard.limit, guard.margin);
    case Kind::kUnset:
      return fmt::format("of each {} of '{}' none from {} on is set, and one before",
                         guard.row_elems, name, guard.limit);
  }
  return "";
}

}  // namespace acme
