// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values as little-endian bytes, and back. A text, a list and a block of bytes begin with their
// number as 32 bits.

#ifndef NPUKIT_SDK_REMOTE_WIRE_BYTE_STREAM_H_
#define NPUKIT_SDK_REMOTE_WIRE_BYTE_STREAM_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace npukit::remote {

class ByteWriter {
 public:
  // Room for about so many bytes, so that long ones are not moved as more are put.
  void Reserve(size_t num_bytes) { bytes_.reserve(num_bytes); }
  template <typename T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const auto* const from = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
  }
  void PutBytes(std::span<const uint8_t> bytes) {
    // What is longer than 32 bits tell is longer than a message may be, and whoever sends refuses
    // it by the number of all its bytes (frame.h): the other side never reads what was cut here.
    Put(static_cast<uint32_t>(bytes.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void PutText(std::string_view text) {
    PutBytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  template <typename T, typename PutOne>
  void PutList(const std::vector<T>& list, PutOne put_one) {
    Put(static_cast<uint32_t>(list.size()));
    for (const T& one : list) put_one(one);
  }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

// Bytes from the other side, which are not trusted: what is not there reads as zero or empty, and
// ok() stays false from then on. Nothing is allocated for what has not arrived.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  template <typename T>
  T Get() {
    // Not of a bool: a byte from the other side that is neither 0 nor 1 would be no value of one.
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T value = {};
    const std::span<const uint8_t> from = Next(sizeof value);
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  // Within what was given to the constructor.
  std::span<const uint8_t> GetBytes() { return Next(Get<uint32_t>()); }
  std::string GetText() {
    const std::span<const uint8_t> bytes = GetBytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  // Calls get_one for each element while there is something to read.
  // The count is not believed: it reserves no memory, and the first element that is not there ends
  // the list, however many were announced.
  template <typename GetOne>
  void GetList(GetOne get_one) {
    const auto count = Get<uint32_t>();
    for (uint32_t i = 0; i < count && ok_; ++i) get_one();
  }

  bool ok() const { return ok_; }
  // All was there, and nothing is left.
  bool IsAtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::span<const uint8_t> Next(size_t count) {
    if (!ok_ || count > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::span<const uint8_t> next = rest_.first(count);
    rest_ = rest_.subspan(count);
    return next;
  }

  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_BYTE_STREAM_H_
