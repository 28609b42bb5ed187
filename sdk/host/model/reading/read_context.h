// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the reader share. Includes FlatBuffers: for this folder's
// sources only.

#ifndef NPUKIT_SDK_HOST_MODEL_READING_READ_CONTEXT_H_
#define NPUKIT_SDK_HOST_MODEL_READING_READ_CONTEXT_H_

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"
#include "sdk/host/model/reading/model_reader.h"

namespace npukit {

// Bytes of the file, counted from its start.
struct FileRegion {
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
  auto operator<=>(const FileRegion&) const = default;  // NOLINT(modernize-use-nullptr)
};

// An error about the file's contents; the callers put the place before it.
inline litert::Unexpected BadFile(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidFlatbuffer, std::move(message));
}

class ReadContext {
 public:
  ReadContext(SharedBytes file, BufferStore& buffers, const ReadOptions& options)
      : file_(std::move(file)),
        buffers_(buffers),
        options_(options),
        budget_bytes_(kBudgetFloorBytes + kBudgetFactor * file_.bytes.size()) {}

  const SharedBytes& file() const { return file_; }
  BufferStore& buffers() { return buffers_; }
  const ReadOptions& options() const { return options_; }

  // -- Copying out of the FlatBuffer --
  //
  // Many tables may share one vector, so that a small file can describe a huge
  // model. What is copied is charged against a multiple of the file's size;
  // once that is used up nothing more is copied and over_budget() holds.

  void Charge(size_t size_bytes) {
    over_budget_ |= size_bytes > budget_bytes_;
    if (!over_budget_) budget_bytes_ -= size_bytes;
  }
  bool over_budget() const { return over_budget_; }

  template <typename From, typename To>
  requires(std::is_arithmetic_v<To> || std::is_enum_v<To>) void Fetch(From from, To& to) {
    to = static_cast<To>(from);
  }
  void Fetch(const flatbuffers::String* from, std::string& to) {
    if (from == nullptr) return;
    Charge(from->size());
    if (!over_budget_) to.assign(from->c_str(), from->size());
  }
  template <typename From, typename To>
  void Fetch(const flatbuffers::Vector<From>* from, std::vector<To>& to) {
    if (from == nullptr) return;
    Charge(from->size() * sizeof(From));
    if (over_budget_) return;
    to.reserve(from->size());
    // Byte by byte: the verifier aligns a vector's length, not elements wider than that.
    const uint8_t* bytes = from->Data();
    for (size_t i = 0; i < from->size(); ++i) {
      From value;
      std::memcpy(&value, bytes + i * sizeof(From), sizeof(From));
      to.push_back(static_cast<To>(value));
    }
  }
  void Fetch(const flatbuffers::Vector<uint8_t>* from, std::vector<uint8_t>& to) {
    if (from == nullptr) return;
    Charge(from->size());
    if (!over_budget_) to.assign(from->begin(), from->end());
  }

  // -- Bytes outside the FlatBuffer --

  // The region's bytes, and a note that they belong to something. Error: it
  // does not lie within the file.
  litert::Expected<SharedBytes> TakeOutside(const char* what, FileRegion region);
  // Of all calls above.
  const std::vector<FileRegion>& outside() const { return outside_; }

  // The buffer of a module; the same one for the same region.
  litert::Expected<BufferStore::Id> ModuleBuffer(FileRegion region) {
    if (const auto known = modules_.find(region); known != modules_.end()) return known->second;
    auto bytes = TakeOutside("the module of a dispatch op", region);
    if (!bytes) return bytes.Error();
    return modules_[region] = buffers_.Add(*bytes);
  }

 private:
  // Generous: IR costs some ten times its FlatBuffer, and tiny models much
  // more.
  static constexpr size_t kBudgetFactor = 64;
  static constexpr size_t kBudgetFloorBytes = size_t{16} << 20;

  SharedBytes file_;
  BufferStore& buffers_;
  ReadOptions options_;
  size_t budget_bytes_;
  bool over_budget_ = false;
  std::vector<FileRegion> outside_;
  std::map<FileRegion, BufferStore::Id> modules_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_READING_READ_CONTEXT_H_
