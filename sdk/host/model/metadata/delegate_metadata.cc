// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The entry's bytes: "NPKD", a version, then records. Numbers are 32 bits, little-endian; a text or
// a run of bytes is its length and its bytes, a list its count and its items.

#include "sdk/host/model/metadata/delegate_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace npukit {
namespace {

constexpr uint32_t kMagic = 0x444b504e;  // "NPKD"
constexpr uint32_t kVersion = 3;
constexpr uint32_t kVersionWithoutInPlace = 2;
constexpr uint32_t kVersionWithoutValues = 1;  // of handles

class Writer {
 public:
  void Number(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes_.push_back(static_cast<uint8_t>(value >> shift));
  }
  template <typename Bytes>
  void Run(const Bytes& run) {
    Number(static_cast<uint32_t>(run.size()));
    bytes_.insert(bytes_.end(), run.begin(), run.end());
  }
  template <typename Items, typename Write>
  void List(const Items& items, Write write) {
    Number(static_cast<uint32_t>(items.size()));
    for (const auto& item : items) write(item);
  }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

// Reads zeros and sets `failed` once the bytes are over.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint32_t Number() {
    if (bytes_.size() < 4) return Fail();
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= static_cast<uint32_t>(bytes_[i]) << (8 * i);
    bytes_ = bytes_.subspan(4);
    return value;
  }
  template <typename Bytes>
  void Run(Bytes& run) {
    const size_t size = Number();
    if (size > bytes_.size()) return void(Fail());
    run.assign(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(size));
    bytes_ = bytes_.subspan(size);
  }
  // An item takes at least four bytes, so a count that lies cannot exhaust memory.
  template <typename Items, typename Read>
  void List(Items& items, Read read) {
    const size_t count = Number();
    if (count > bytes_.size() / 4) return void(Fail());
    for (size_t i = 0; i < count && !failed_; ++i) read(items.emplace_back());
  }
  bool finished() const { return !failed_ && bytes_.empty(); }

 private:
  uint32_t Fail() {
    failed_ = true;
    bytes_ = {};
    return 0;
  }
  std::span<const uint8_t> bytes_;
  bool failed_ = false;
};

void WriteRecord(Writer& writer, const DelegateRecord& record) {
  for (const auto* text : {&record.entry_point, &record.output, &record.plugin, &record.soc_model})
    writer.Run(*text);
  writer.List(record.specs, [&](const CompileSpec& spec) {
    writer.Run(spec.key);
    writer.Run(spec.bytes);
  });
  writer.List(record.ops, [&](const DelegateRecord::SourceOp& op) {
    writer.Number(op.subgraph);
    writer.Number(op.index);
    for (const auto* text : {&op.op, &op.name, &op.composite}) writer.Run(*text);
  });
  writer.List(record.handles, [&](const DelegateRecord::Handle& handle) {
    writer.Number(handle.handle);
    writer.Run(handle.name);
    writer.List(handle.ops, [&](uint32_t op) { writer.Number(op); });
    writer.Run(handle.value);
  });
  writer.List(record.in_place, [&](const DelegateRecord::InPlace& pair) {
    writer.Number(pair.output);
    writer.Number(pair.input);
  });
}

void ReadRecord(Reader& reader, uint32_t version, DelegateRecord& record) {
  for (auto* text : {&record.entry_point, &record.output, &record.plugin, &record.soc_model})
    reader.Run(*text);
  reader.List(record.specs, [&](CompileSpec& spec) {
    reader.Run(spec.key);
    reader.Run(spec.bytes);
  });
  reader.List(record.ops, [&](DelegateRecord::SourceOp& op) {
    op.subgraph = reader.Number();
    op.index = reader.Number();
    for (auto* text : {&op.op, &op.name, &op.composite}) reader.Run(*text);
  });
  reader.List(record.handles, [&](DelegateRecord::Handle& handle) {
    handle.handle = reader.Number();
    reader.Run(handle.name);
    reader.List(handle.ops, [&](uint32_t& op) { op = reader.Number(); });
    if (version != kVersionWithoutValues) {
      reader.Run(handle.value);
    } else if (!handle.ops.empty() && handle.ops.back() < record.ops.size()) {
      handle.value = record.ops[handle.ops.back()].name;
    }
  });
  if (version <= kVersionWithoutInPlace) return;
  reader.List(record.in_place, [&](DelegateRecord::InPlace& pair) {
    pair.output = reader.Number();
    pair.input = reader.Number();
  });
}

bool HandlesAreInRange(const DelegateRecord& record) {
  return std::all_of(record.handles.begin(), record.handles.end(), [&](const auto& handle) {
    return std::all_of(handle.ops.begin(), handle.ops.end(),
                       [&](uint32_t op) { return op < record.ops.size(); });
  });
}

}  // namespace

const DelegateRecord::Handle* DelegateRecord::FindHandle(uint32_t wanted) const {
  const auto found = std::find_if(handles.begin(), handles.end(),
                                  [&](const Handle& handle) { return handle.handle == wanted; });
  return found == handles.end() ? nullptr : &*found;
}

std::string Describe(const DelegateRecord::SourceOp& op) {
  std::string text = fmt::format("{} {}", op.index, op.op);
  if (op.subgraph != 0) text += fmt::format(" of subgraph {}", op.subgraph);
  if (!op.name.empty()) text += fmt::format(" ({})", op.name);
  return text;
}

void WriteDelegates(Model& model, const std::vector<DelegateRecord>& delegates) {
  Writer writer;
  writer.Number(kMagic);
  writer.Number(kVersion);
  writer.List(delegates, [&](const DelegateRecord& record) { WriteRecord(writer, record); });
  model.SetMetadata(kDelegateMetadata, SharedBytes::Take(writer.Take()));
}

litert::Expected<std::vector<DelegateRecord>> ReadDelegates(const Model& model) {
  std::vector<DelegateRecord> delegates;
  const Model::Metadata* entry = model.FindMetadata(kDelegateMetadata);
  if (entry == nullptr) return delegates;
  const std::string where = std::string("metadata ") + kDelegateMetadata + ": ";
  Reader reader(model.buffers().Get(entry->buffer).bytes);
  if (reader.Number() != kMagic) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              where + "expected it to begin with NPKD");
  }
  const uint32_t version = reader.Number();
  if (version < kVersionWithoutValues || version > kVersion) {
    return litert::Unexpected(
        kLiteRtStatusErrorWrongVersion,
        fmt::format("{}version {}: expected at most {}", where, version, kVersion));
  }
  reader.List(delegates, [&](DelegateRecord& record) { ReadRecord(reader, version, record); });
  if (!reader.finished() || !std::all_of(delegates.begin(), delegates.end(), HandlesAreInRange)) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, where + "damaged");
  }
  return delegates;
}

const DelegateRecord* FindDelegate(const std::vector<DelegateRecord>& delegates, const Op& op) {
  const std::string output = op.outputs.empty() ? std::string() : op.outputs.front()->name;
  if (!op.is_dispatch() && output.empty()) return nullptr;
  const auto found =
      std::find_if(delegates.begin(), delegates.end(), [&](const DelegateRecord& record) {
        if (record.output != output || record.plugin.empty() == op.is_dispatch()) return false;
        return !op.is_dispatch() || record.entry_point == op.dispatch->entry_point;
      });
  return found == delegates.end() ? nullptr : &*found;
}

}  // namespace npukit
