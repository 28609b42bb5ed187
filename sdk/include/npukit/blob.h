// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's bytecode as bytes and back, for formats that need no FlatBuffers: written by the compiler
// plugin, read by the dispatch library, which trusts no byte of it.
//
//   npukit::BlobWriter out;
//   out.PutText(function.name);
//   out.PutList(function.inputs);            // std::vector<uint32_t>
//   std::string bytecode = out.Seal(kMagic, kVersion);
//
//   auto opened = npukit::BlobReader::Open(bytes, kMagic, kVersion);
//   LITERT_ASSIGN_OR_RETURN(npukit::BlobReader in, std::move(opened));
//   function.name = in.GetText();
//   function.inputs = in.GetList<uint32_t>();
//   LITERT_RETURN_IF_ERROR(in.Finish());     // all was there, and nothing more
//
// All numbers are little-endian and unaligned: magic, version, FNV-1a checksum of all that follows,
// 32 bits each; then what was put. A list or text is its count in 32 bits and its elements. The
// checksum finds bytes that were damaged, not those that someone changed with intent.
//
// Objects of these classes belong to one thread.

#ifndef NPUKIT_BLOB_H_
#define NPUKIT_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_expected.h"

namespace npukit {

// FNV-1a of 32 bits: hash = (hash ^ byte) * 16777619, beginning with 2166136261.
inline uint32_t Fnv1a(litert::internal::Span<const uint8_t> bytes) {
  uint32_t hash = 2166136261U;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 16777619U;
  return hash;
}

class BlobWriter {
 public:
  // T: an integer, enumeration or float.
  template <typename T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "numbers and enumerations");
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    body_.append(bytes, sizeof(T));
  }
  void PutText(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    body_ += text;
  }
  template <typename T>
  void PutList(const std::vector<T>& list) {
    Put(static_cast<uint32_t>(list.size()));
    for (const T value : list) Put(value);
  }

  // The whole blob. Lists and texts must have had fewer than 2^32 elements.
  std::string Seal(uint32_t magic, uint32_t version) const {
    BlobWriter head;
    head.Put(magic);
    head.Put(version);
    head.Put(Fnv1a({reinterpret_cast<const uint8_t*>(body_.data()), body_.size()}));
    return head.body_ + body_;
  }

 private:
  std::string body_;
};

// Reads until something is missing or was refused; from there on everything reads as 0 or empty, and
// Finish() gives the first error with its offset. So that a reader need not ask after each number,
// but must before it uses one as an index, or in a loop that costs.
class BlobReader {
 public:
  // Errors tell which of magic, version and checksum is another. `bytes` must outlive the reader.
  static litert::Expected<BlobReader> Open(litert::internal::Span<const uint8_t> bytes,
                                           uint32_t magic, uint32_t version) {
    BlobReader in(bytes);
    const auto found_magic = in.Get<uint32_t>();
    if (!in.ok() || found_magic != magic) return Malformed("it is of another vendor, or too short");
    const auto found_version = in.Get<uint32_t>();
    if (in.ok() && found_version != version) {
      return Malformed("version " + std::to_string(found_version) + ", expected " +
                       std::to_string(version));
    }
    const auto checksum = in.Get<uint32_t>();
    if (!in.ok()) return Malformed("it ends within its header");
    if (checksum != Fnv1a(bytes.subspan(in.at_))) return Malformed("the checksum is wrong");
    return in;
  }

  template <typename T>
  T Get() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "numbers and enumerations");
    T value{};
    if constexpr (std::is_same_v<T, bool>) {
      value = Get<uint8_t>() != 0;
    } else {
      if (left() < sizeof(T)) {
        Refuse("it ends too soon");
        return value;
      }
      std::memcpy(&value, bytes_.data() + at_, sizeof(T));
      at_ += sizeof(T);
    }
    return value;
  }
  // How many items follow, of which each takes `item_bytes` at least: never more than there are bytes
  // for, so that broken bytes allocate no more than their own size.
  size_t GetCount(size_t item_bytes) {
    const size_t count = Get<uint32_t>();
    if (item_bytes != 0 && count <= left() / item_bytes) return count;
    Refuse("a list is longer than what follows");
    return 0;
  }
  std::string GetText() {
    const size_t size = GetCount(1);
    std::string text(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return text;
  }
  template <typename T>
  std::vector<T> GetList() {
    std::vector<T> list(GetCount(sizeof(T)));
    for (size_t i = 0; i < list.size(); ++i) list[i] = Get<T>();
    return list;
  }

  // For what a reader finds wrong itself: an index out of range, a number that makes no sense.
  void Refuse(const std::string& what) {
    if (problem_.empty()) problem_ = what + " (at byte " + std::to_string(at_) + ")";
    at_ = bytes_.size();
  }
  bool ok() const { return problem_.empty(); }
  // The first problem; also if something is left over.
  litert::Expected<void> Finish() {
    if (ok() && left() != 0) Refuse(std::to_string(left()) + " bytes are left over");
    if (ok()) return {};
    return Malformed(problem_);
  }

 private:
  explicit BlobReader(litert::internal::Span<const uint8_t> bytes) : bytes_(bytes) {}

  static litert::Unexpected Malformed(const std::string& what) {
    return litert::Unexpected(litert::Status::kErrorInvalidArgument, "malformed bytecode: " + what);
  }
  size_t left() const { return bytes_.size() - at_; }

  litert::internal::Span<const uint8_t> bytes_;
  size_t at_ = 0;
  std::string problem_;
};

}  // namespace npukit

#endif  // NPUKIT_BLOB_H_
