// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The constants of a module: weights and tables, most of a file's bytes.

#ifndef NPUKIT_SIMULATOR_MODULE_CONSTANT_BYTES_H_
#define NPUKIT_SIMULATOR_MODULE_CONSTANT_BYTES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace acme {

// Immutable; copies are the same bytes, not more memory. Any thread.
class ConstantBytes {
 public:
  ConstantBytes() = default;
  // A module's own. Not explicit: a vector is what compilers and assemblers make.
  ConstantBytes(std::vector<uint8_t> own) {  // NOLINT(google-explicit-constructor)
    const auto kept = std::make_shared<const std::vector<uint8_t>>(std::move(own));
    bytes_ = *kept;
    owner_ = kept;
  }
  ConstantBytes(std::initializer_list<uint8_t> own) : ConstantBytes(std::vector<uint8_t>(own)) {}
  // Where a file has them. The owner keeps them; without one they must outlive all copies of this.
  ConstantBytes(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner)
      : bytes_(bytes), owner_(std::move(owner)) {}

  std::span<const uint8_t> bytes() const { return bytes_; }
  const uint8_t* data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }
  // The same with an owner: a copy if they have none.
  ConstantBytes Kept() const {
    return owner_ != nullptr ? *this
                             : ConstantBytes(std::vector<uint8_t>(bytes_.begin(), bytes_.end()));
  }

  friend bool operator==(const ConstantBytes& a, const ConstantBytes& b) {
    return a.size() == b.size() &&
           (a.data() == b.data() || std::equal(a.bytes_.begin(), a.bytes_.end(), b.bytes_.begin()));
  }

 private:
  std::span<const uint8_t> bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_MODULE_CONSTANT_BYTES_H_
