// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/module_checksum.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/module/module_generated.h"

namespace acme {
namespace {

static_assert(std::endian::native == std::endian::little,
              "modules are read in place as little-endian words");

// A 64-bit mixing hash over 8-byte words, the tail padded with zeros; finds flips and cuts, not
// attacks.
// The constants are 2^64 over the golden ratio and a multiplier of MurmurHash3's finalizer. The
// size is part of the start, or zeros at the end would not be seen. The checksum's own eight bytes
// count as zeros.
class Hash {
 public:
  explicit Hash(size_t size_bytes) : hash_(0x9E3779B97F4A7C15u ^ size_bytes) {}

  // Of all but the last call, whole words.
  void Add(std::span<const uint8_t> bytes) {
    size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) AddWord(bytes.data() + at, 8);
    if (at < bytes.size()) AddWord(bytes.data() + at, bytes.size() - at);
  }
  uint64_t value() const { return hash_; }

 private:
  void AddWord(const uint8_t* bytes, size_t count) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    hash_ = (hash_ ^ word) * 0xFF51AFD7ED558CCDu;
    hash_ ^= hash_ >> 32;
  }

  uint64_t hash_;
};

// Where a field of eight bytes stands in verified bytes.
size_t FieldOffset(std::span<const uint8_t> bytes, const fb::Module& module,
                   flatbuffers::voffset_t which) {
  // Generated tables inherit Table privately, and only the object API would copy all the constants.
  const auto& table = reinterpret_cast<const flatbuffers::Table&>(module);
  const uint8_t* field = table.GetAddressOf(which);
  return field == nullptr ? bytes.size() : static_cast<size_t>(field - bytes.data());
}

}  // namespace

uint64_t Checksum(const ModuleSource& source, size_t at) {
  const std::span<const uint8_t> bytes = source.bytes;
  Hash hash(bytes.size());
  constexpr uint8_t kZeros[8] = {};
  for (size_t begin = 0; begin < bytes.size(); begin += kStretchBytes) {
    const auto stretch = bytes.subspan(begin, std::min(kStretchBytes, bytes.size() - begin));
    if (at >= begin && at - begin < stretch.size()) {
      hash.Add(stretch.first(at - begin));
      hash.Add(kZeros);
      hash.Add(stretch.subspan(at - begin + 8));
    } else {
      hash.Add(stretch);
    }
    if (source.passed) source.passed(stretch);
  }
  return hash.value();
}

size_t ChecksumOffset(std::span<const uint8_t> bytes, const fb::Module& module) {
  const size_t at = FieldOffset(bytes, module, fb::Module::VT_CHECKSUM);
  return at % 8 == 0 ? at : bytes.size();
}

void WriteChecksum(std::span<uint8_t> bytes, size_t at) {
  const uint64_t checksum = Checksum({.bytes = bytes}, at);
  std::memcpy(bytes.data() + at, &checksum, sizeof(checksum));
}

void Seal(std::span<uint8_t> bytes, const fb::Module& module) {
  const uint64_t size_bytes = bytes.size();
  std::memcpy(bytes.data() + FieldOffset(bytes, module, fb::Module::VT_SIZE_BYTES), &size_bytes,
              sizeof(size_bytes));
  WriteChecksum(bytes, ChecksumOffset(bytes, module));
}

}  // namespace acme
