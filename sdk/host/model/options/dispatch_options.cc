// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reading is done by hand: the FlexBuffer verifier of FlatBuffers 2.0 accepts
// keys without an end, and its map lookup then compares beyond the bytes.

#include "sdk/host/model/options/dispatch_options.h"

#include <flatbuffers/flexbuffers.h>
#include <algorithm>
#include <cstring>

namespace npukit {
namespace {

constexpr char kSizeKey[] = "bytecode_size";
constexpr char kOffsetKey[] = "bytecode_offset";
constexpr char kNameKey[] = "name";

// A position in the bytes and the width of the number there.
struct Slot {
  size_t position = 0;
  size_t width_bytes = 0;
};

// Layout of a FlexBuffer map of n entries, w bytes wide, at position p:
//
//   p - 3w         distance back to the keys
//   p - 2w         width of the keys' vector
//   p - w          n
//   p + i * w      value i, or the distance from there back to it
//   p + n * w + i  type of value i
//
// The buffer ends with the distance back to the root, the root's type, and the distance's width. A
// type byte holds the kind in its upper six bits and the log2 of the width of what it describes in
// the lower two.
class FlexMap {
 public:
  // Null positions stand for "not there".
  struct Entry {
    std::string_view rest;  // the bytes from the key on, which ends at a zero
    flexbuffers::Type type = flexbuffers::FBT_NULL;
    size_t width_bytes = 0;  // of what an offset leads to
    Slot slot;               // of the value or the offset
  };

  explicit FlexMap(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  // False if the bytes are no map, or a damaged one.
  bool Parse() {
    if (bytes_.size() < 3) return false;
    const size_t root_width = bytes_[bytes_.size() - 1];
    const uint8_t root_type = bytes_[bytes_.size() - 2];
    if (!IsWidth(root_width) || root_type >> 2 != flexbuffers::FBT_MAP ||
        bytes_.size() < 2 + root_width)
      return false;
    const std::optional<size_t> map = Follow({bytes_.size() - 2 - root_width, root_width});
    const size_t width = WidthOf(root_type);
    if (!map || *map < 3 * width) return false;
    const std::optional<uint64_t> count = Number({*map - width, width});
    const std::optional<uint64_t> keys_width = Number({*map - 2 * width, width});
    const std::optional<size_t> keys = Follow({*map - 3 * width, width});
    if (!count || !keys_width || !keys || !IsWidth(*keys_width) || *count > bytes_.size())
      return false;
    if (*map + *count * (width + 1) > bytes_.size()) return false;
    // Entries may share a long key: it is neither copied nor walked to its end for each.
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    const size_t last_zero = text.rfind('\0');
    for (size_t i = 0; i < *count; ++i) {
      const std::optional<size_t> key =
          Follow({*keys + i * *keys_width, static_cast<size_t>(*keys_width)});
      if (!key || last_zero == text.npos || *key > last_zero) return false;
      const uint8_t type = bytes_[*map + *count * width + i];
      entries_.push_back({.rest = text.substr(*key),
                          .type = static_cast<flexbuffers::Type>(type >> 2),
                          .width_bytes = WidthOf(type),
                          .slot = {*map + i * width, width}});
    }
    return true;
  }

  const Entry* Find(std::string_view key) const {
    const auto place = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return e.rest.starts_with(key) && e.rest[key.size()] == '\0';
    });
    return place == entries_.end() ? nullptr : &*place;
  }

  // Where an unsigned or signed number of that key stands.
  std::optional<Slot> NumberSlot(std::string_view key) const {
    const Entry* entry = Find(key);
    if (entry == nullptr) return std::nullopt;
    switch (entry->type) {
      case flexbuffers::FBT_INT:
      case flexbuffers::FBT_UINT:
        return entry->slot;
      case flexbuffers::FBT_INDIRECT_INT:
      case flexbuffers::FBT_INDIRECT_UINT: {
        const std::optional<size_t> position = Follow(entry->slot);
        if (!position) return std::nullopt;
        return Slot{*position, entry->width_bytes};
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<uint64_t> NumberOf(std::string_view key) const {
    const std::optional<Slot> slot = NumberSlot(key);
    return slot ? Number(*slot) : std::nullopt;
  }

  std::optional<std::string> StringOf(std::string_view key) const {
    const Entry* entry = Find(key);
    if (entry == nullptr || entry->type != flexbuffers::FBT_STRING) return std::nullopt;
    const std::optional<size_t> text = Follow(entry->slot);
    if (!text || *text < entry->width_bytes) return std::nullopt;
    const std::optional<uint64_t> length = Number({*text - entry->width_bytes, entry->width_bytes});
    if (!length || *length > bytes_.size() - *text) return std::nullopt;
    const auto characters = bytes_.subspan(*text, *length);
    return std::string(characters.begin(), characters.end());
  }

 private:
  static bool IsWidth(uint64_t width) {
    return width == 1 || width == 2 || width == 4 || width == 8;
  }
  static size_t WidthOf(uint8_t packed_type) { return size_t{1} << (packed_type & 3); }

  std::optional<uint64_t> Number(Slot slot) const {
    if (slot.position > bytes_.size() || slot.width_bytes > bytes_.size() - slot.position)
      return std::nullopt;
    uint64_t value = 0;  // little-endian, like every machine this runs on
    std::memcpy(&value, bytes_.data() + slot.position, slot.width_bytes);
    return value;
  }

  // The place that a distance back leads to.
  std::optional<size_t> Follow(Slot slot) const {
    const std::optional<uint64_t> distance = Number(slot);
    if (!distance || *distance > slot.position) return std::nullopt;
    return slot.position - *distance;
  }

  std::span<const uint8_t> bytes_;
  std::vector<Entry> entries_;
};

}  // namespace

std::optional<DispatchOptions> ParseDispatchOptions(std::span<const uint8_t> custom_options) {
  FlexMap map(custom_options);
  if (!map.Parse()) return std::nullopt;
  const std::optional<uint64_t> size = map.NumberOf(kSizeKey);
  const std::optional<uint64_t> offset = map.NumberOf(kOffsetKey);
  if (!size || !offset) return std::nullopt;
  std::string name = map.StringOf(kNameKey).value_or("");
  if (name.find('\0') != std::string::npos) return std::nullopt;
  return DispatchOptions{
      .bytecode_size_bytes = *size, .bytecode_offset_bytes = *offset, .name = std::move(name)};
}

std::vector<uint8_t> MakeDispatchOptions(const DispatchOptions& options) {
  flexbuffers::Builder builder;
  builder.ForceMinimumBitWidth(flexbuffers::BIT_WIDTH_64);
  const size_t start = builder.StartMap();
  builder.UInt(kSizeKey, options.bytecode_size_bytes);
  builder.UInt(kOffsetKey, options.bytecode_offset_bytes);
  builder.String(kNameKey, options.name);
  builder.EndMap(start);
  builder.Finish();
  return builder.GetBuffer();
}

bool UpdateDispatchOptions(const DispatchOptions& options, std::span<uint8_t> custom_options) {
  FlexMap map(custom_options);
  if (!map.Parse() || map.StringOf(kNameKey).value_or("") != options.name) return false;
  const std::optional<Slot> size = map.NumberSlot(kSizeKey);
  const std::optional<Slot> offset = map.NumberSlot(kOffsetKey);
  for (const std::optional<Slot>& slot : {size, offset}) {
    if (!slot || slot->width_bytes != 8 || slot->position + 8 > custom_options.size()) return false;
  }
  std::memcpy(custom_options.data() + size->position, &options.bytecode_size_bytes, 8);
  std::memcpy(custom_options.data() + offset->position, &options.bytecode_offset_bytes, 8);
  return true;
}

}  // namespace npukit
