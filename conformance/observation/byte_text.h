// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values as bytes, for their way from a worker to where they are judged. Whoever reads expects
// anything: a count or size beyond what is there is "no", and nothing is allocated for it.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_BYTE_TEXT_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_BYTE_TEXT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace npukit::conformance {

// A struct of values. It names them once, in the order in which they are written:
//   static auto Fields(auto& self) { return std::tie(self.name, self.counts); }
// and, if not every set of them makes sense, says which one does: `bool IsSound() const`.
template <class T>
concept HasFields = requires(T& value) {
  T::Fields(value);
};

class ByteWriter {
 public:
  // With room for that many bytes; more grow it.
  explicit ByteWriter(size_t capacity = 0) { bytes_.reserve(capacity); }
  void Put(uint64_t number);
  void Put(std::unsigned_integral auto number) { Put(uint64_t{number}); }
  void Put(std::string_view bytes);
  void Put(const std::string& bytes) { Put(std::string_view(bytes)); }
  void Put(const std::vector<uint8_t>& bytes);
  template <HasFields T>
  void Put(const T& value) {
    std::apply([this](const auto&... fields) { (this->Put(fields), ...); }, T::Fields(value));
  }
  template <class First, class Second>
  void Put(const std::pair<First, Second>& values) {
    Put(values.first);
    Put(values.second);
  }
  template <class T>
  void Put(const std::vector<T>& values) {
    Put(static_cast<uint64_t>(values.size()));
    for (const T& value : values) Put(value);
  }

  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter wrote. Each Get is false, and the value undefined, if it is not there or
// not sound.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  bool Get(uint64_t& number);
  template <std::unsigned_integral T>
  bool Get(T& number) {
    uint64_t wide = 0;
    if (!Get(wide) || wide > std::numeric_limits<T>::max()) return false;
    number = static_cast<T>(wide);
    return true;
  }
  // Of what is read, which must outlive it.
  bool Get(std::string_view& bytes);
  bool Get(std::string& bytes);
  bool Get(std::vector<uint8_t>& bytes);
  template <HasFields T>
  bool Get(T& value) {
    const bool is_read = std::apply([this](auto&... fields) { return (this->Get(fields) && ...); },
                                    T::Fields(value));
    if constexpr (requires { value.IsSound(); }) {
      return is_read && value.IsSound();
    } else {
      return is_read;
    }
  }
  template <class First, class Second>
  bool Get(std::pair<First, Second>& values) {
    return Get(values.first) && Get(values.second);
  }
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
  std::string_view left_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_BYTE_TEXT_H_
