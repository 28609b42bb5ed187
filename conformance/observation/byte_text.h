// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values as bytes, for their way from a worker to where they are judged. Whoever reads expects
// anything: a count or size beyond what is there is "no", and nothing is allocated for it.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_BYTE_TEXT_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_BYTE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npukit::conformance {

class ByteWriter {
 public:
  void Put(uint64_t number);
  void Put(std::string_view bytes);
  void Put(const std::string& bytes) { Put(std::string_view(bytes)); }
  void Put(const std::vector<uint8_t>& bytes);
  template <class T>
  requires requires(const T& value, ByteWriter& writer) { value.WriteTo(writer); }
  void Put(const T& value) { value.WriteTo(*this); }
  template <class T>
  void Put(const std::vector<T>& values) {
    Put(static_cast<uint64_t>(values.size()));
    for (const T& value : values) Put(value);
  }

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter wrote. Each Get is false, and the value undefined, if it is not there.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  bool Get(uint64_t& number);
  bool Get(std::string& bytes);
  bool Get(std::vector<uint8_t>& bytes);
  template <class T>
  requires requires(T& value, ByteReader& reader) { value.ReadFrom(reader); }
  bool Get(T& value) { return value.ReadFrom(*this); }
  template <class T>
  bool Get(std::vector<T>& values) {
    uint64_t count = 0;
    // Every value takes a byte at least.
    if (!Get(count) || count > left_.size()) return false;
    values.clear();
    for (uint64_t i = 0; i < count; ++i) {
      if (!Get(values.emplace_back())) return false;
    }
    return true;
  }
  bool at_end() const { return left_.empty(); }

 private:
  bool GetView(std::string_view& bytes);

  std::string_view left_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_BYTE_TEXT_H_
