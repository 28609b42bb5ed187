// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_FLEX_MAP_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_FLEX_MAP_H_

// Reads a FlexBuffer, which is how composites and custom ops carry attributes.
// Every read is checked against the buffer: a value that is absent, malformed
// or of another type reads as null, 0 or empty. Does not own the buffer.
//
// Layout, from the end: [...data][root value][root type byte][root width byte].
// A vector is [size][elements][one type byte per element], addressed by its
// first element. A map is a vector whose size is preceded by the offset back to
// its vector of keys (strings ending in zero) and that vector's width.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "litert/cc/internal/litert_string_view.h"

namespace litert::internal {

class FlexValue {
 public:
  FlexValue() = default;

  // The root of a buffer.
  static FlexValue Root(const uint8_t* data, size_t size) {
    if (data == nullptr || size < 3) return FlexValue();
    const uint8_t width = data[size - 1];
    if (!IsWidth(width) || size - 2 < width) return FlexValue();
    return FlexValue(data, size, size - 2 - width, width, data[size - 2]);
  }

  bool IsNull() const { return type_ == kNull; }
  bool IsMap() const { return type_ == kMap; }
  bool IsVector() const {
    return type_ == kMap || type_ == kVector || type_ == kVectorBool ||
           (type_ >= kVectorInt && type_ <= kVectorString);
  }
  bool IsString() const { return type_ == kString || type_ == kKey; }
  bool IsBool() const { return type_ == kBool; }
  bool IsInt() const {
    return type_ == kInt || type_ == kUInt || type_ == kIndirectInt || type_ == kIndirectUInt;
  }
  bool IsFloat() const { return type_ == kFloat || type_ == kIndirectFloat; }
  bool IsNumeric() const { return IsInt() || IsFloat(); }

  int64_t AsInt64() const {
    switch (type_) {
      case kInt:
        return ReadInt(at_, width_);
      case kUInt:
      case kBool:
        return static_cast<int64_t>(ReadUInt(at_, width_));
      case kIndirectInt:
        return ReadInt(Target(), child_width_);
      case kIndirectUInt:
        return static_cast<int64_t>(ReadUInt(Target(), child_width_));
      case kFloat:
      case kIndirectFloat:
        return FromDouble(AsDouble());
      default:
        return 0;
    }
  }
  int32_t AsInt32() const { return static_cast<int32_t>(AsInt64()); }
  uint64_t AsUInt64() const { return static_cast<uint64_t>(AsInt64()); }
  bool AsBool() const { return IsFloat() ? AsDouble() != 0 : AsInt64() != 0; }
  double AsDouble() const {
    if (type_ == kFloat) return ReadFloat(at_, width_);
    if (type_ == kIndirectFloat) return ReadFloat(Target(), child_width_);
    return static_cast<double>(AsInt64());
  }
  float AsFloat() const { return static_cast<float>(AsDouble()); }
  StringView AsStringView() const {
    if (type_ == kKey) return CString(Target());
    if (type_ != kString) return {};
    const size_t target = Target();
    const size_t length = SizeBefore(target, child_width_);
    if (!Has(target, length)) return {};
    return {reinterpret_cast<const char*>(data_) + target, length};
  }
  std::string AsString() const { return std::string(AsStringView()); }

  // Elements of a vector or map; 0 for anything else.
  size_t size() const {
    if (!IsVector()) return 0;
    const size_t n = SizeBefore(Target(), child_width_);
    return n <= size_ ? n : 0;
  }
  FlexValue AsMap() const { return IsMap() ? *this : FlexValue(); }
  FlexValue AsVector() const { return IsVector() ? *this : FlexValue(); }

  FlexValue operator[](size_t i) const {
    const size_t n = size();
    if (i >= n) return FlexValue();
    const size_t target = Target();
    const size_t at = target + i * child_width_;
    if (!Has(at, child_width_)) return FlexValue();
    if (type_ == kVectorBool) return Child(at, kBool << 2);
    if (type_ >= kVectorInt && type_ <= kVectorString) {
      return Child(at, static_cast<uint8_t>((type_ - kVectorInt + kInt) << 2));
    }
    const size_t type_at = target + n * child_width_ + i;
    return Has(type_at, 1) ? Child(at, data_[type_at]) : FlexValue();
  }
  FlexValue operator[](int i) const {
    return i < 0 ? FlexValue() : (*this)[static_cast<size_t>(i)];
  }
  // The value of a map under `key`.
  FlexValue operator[](const char* key) const { return Find(key); }
  FlexValue operator[](const std::string& key) const { return Find(key); }

  // The i-th key of a map, in the buffer's order, which is sorted.
  StringView Key(size_t i) const {
    const size_t target = Target();
    if (!IsMap() || i >= size() || target < size_t{3} * child_width_) return {};
    const size_t link = target - size_t{3} * child_width_;
    const uint64_t back = ReadUInt(link, child_width_);
    const uint64_t key_width = ReadUInt(link + child_width_, child_width_);
    if (back > link || !IsWidth(key_width)) return {};
    const size_t at = link - back + i * key_width;
    if (!Has(at, key_width)) return {};
    const uint64_t to_key = ReadUInt(at, key_width);
    return to_key <= at ? CString(at - to_key) : StringView();
  }

 private:
  enum Type : uint8_t {
    kNull = 0,
    kInt = 1,
    kUInt = 2,
    kFloat = 3,
    kKey = 4,
    kString = 5,
    kIndirectInt = 6,
    kIndirectUInt = 7,
    kIndirectFloat = 8,
    kMap = 9,
    kVector = 10,
    kVectorInt = 11,
    kVectorString = 15,
    kBool = 26,
    kVectorBool = 36,
  };

  // `packed`: type << 2 | log2 of the width of what the value points to.
  FlexValue(const uint8_t* data, size_t size, size_t at, size_t width, uint8_t packed)
      : data_(data),
        size_(size),
        at_(at),
        width_(width),
        child_width_(size_t{1} << (packed & 3)),
        type_(packed >> 2) {}

  static bool IsWidth(uint64_t w) { return w == 1 || w == 2 || w == 4 || w == 8; }
  static int64_t FromDouble(double v) {
    return std::isfinite(v) && std::fabs(v) < 9.2e18 ? static_cast<int64_t>(v) : 0;
  }

  bool Has(size_t at, size_t length) const { return at <= size_ && length <= size_ - at; }
  template <class T>
  T Load(size_t at) const {
    T value;
    std::memcpy(&value, data_ + at, sizeof(T));
    return value;
  }
  uint64_t ReadUInt(size_t at, size_t width) const {
    if (!Has(at, width)) return 0;
    switch (width) {
      case 1:
        return data_[at];
      case 2:
        return Load<uint16_t>(at);
      case 4:
        return Load<uint32_t>(at);
      default:
        return Load<uint64_t>(at);
    }
  }
  int64_t ReadInt(size_t at, size_t width) const {
    const unsigned shift = static_cast<unsigned>(64 - 8 * width);
    return static_cast<int64_t>(ReadUInt(at, width) << shift) >> shift;
  }
  double ReadFloat(size_t at, size_t width) const {
    if (!Has(at, width)) return 0;
    if (width == 4) return static_cast<double>(Load<float>(at));
    return width == 8 ? Load<double>(at) : 0;
  }
  // Where an offset value points; past the end if it is malformed.
  size_t Target() const {
    const uint64_t back = ReadUInt(at_, width_);
    return back != 0 && back <= at_ ? at_ - back : size_;
  }
  size_t SizeBefore(size_t at, size_t width) const {
    return at >= width && at < size_ ? ReadUInt(at - width, width) : 0;
  }
  StringView CString(size_t at) const {
    if (at >= size_) return {};
    const void* end = std::memchr(data_ + at, 0, size_ - at);
    if (end == nullptr) return {};
    const size_t length = static_cast<size_t>(static_cast<const uint8_t*>(end) - (data_ + at));
    return {reinterpret_cast<const char*>(data_) + at, length};
  }
  FlexValue Child(size_t at, uint8_t packed) const {
    return FlexValue(data_, size_, at, child_width_, packed);
  }
  FlexValue Find(StringView key) const {
    const size_t n = IsMap() ? size() : 0;
    for (size_t i = 0; i < n; ++i) {
      if (Key(i) == key) return (*this)[i];
    }
    return FlexValue();
  }

  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t at_ = 0;
  size_t width_ = 1;
  size_t child_width_ = 1;
  uint8_t type_ = kNull;
};

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_FLEX_MAP_H_
