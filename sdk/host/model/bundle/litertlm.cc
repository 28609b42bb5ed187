// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// .litertlm: "LITERTLM", major, minor and patch version (32 bits each), 4 bytes of padding, the end of
// the header (64 bits), then the table of contents, a FlatBuffer; sections begin at multiples of 16
// KiB. All little-endian.

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/bundle/litertlm_schema_generated.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/file/stored_number.h"

namespace npukit {
namespace {

constexpr std::string_view kMagic = "LITERTLM";
constexpr size_t kVersionAt = 8;
constexpr size_t kHeaderEndAt = 24;
constexpr size_t kContentsAt = 32;
constexpr uint64_t kSectionAlignment = 16 << 10;
constexpr uint64_t kMostHeaderBytes = uint64_t{64} << 20;
constexpr uint32_t kMajorVersion = 1;
constexpr uint8_t kTfliteModel = 3;
// By number.
constexpr std::string_view kKinds[] = {"none",         "generic_binary", "deprecated",
                                       "tflite_model", "sp_tokenizer",   "llm_metadata",
                                       "hf_tokenizer", "tflite_weights", "executor_metadata"};

litert::Unexpected Bad(std::string what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "litertlm: " + std::move(what));
}

std::string Text(const flatbuffers::String* text) { return text == nullptr ? "" : text->str(); }

std::string ValueText(const litertlm::Item& item) {
  switch (item.value_type()) {
    case litertlm::AnyValue::UInt8:
      return fmt::format("{}", item.value_as_UInt8()->value());
    case litertlm::AnyValue::Int8:
      return fmt::format("{}", item.value_as_Int8()->value());
    case litertlm::AnyValue::UInt16:
      return fmt::format("{}", item.value_as_UInt16()->value());
    case litertlm::AnyValue::Int16:
      return fmt::format("{}", item.value_as_Int16()->value());
    case litertlm::AnyValue::UInt32:
      return fmt::format("{}", item.value_as_UInt32()->value());
    case litertlm::AnyValue::Int32:
      return fmt::format("{}", item.value_as_Int32()->value());
    case litertlm::AnyValue::Float32:
      return fmt::format("{}", item.value_as_Float32()->value());
    case litertlm::AnyValue::Bool:
      return item.value_as_Bool()->value() ? "true" : "false";
    case litertlm::AnyValue::Text:
      return Text(item.value_as_Text()->value());
    case litertlm::AnyValue::UInt64:
      return fmt::format("{}", item.value_as_UInt64()->value());
    case litertlm::AnyValue::Int64:
      return fmt::format("{}", item.value_as_Int64()->value());
    case litertlm::AnyValue::Double:
      return fmt::format("{}", item.value_as_Double()->value());
    default:
      return "?";
  }
}

using Items = std::vector<std::pair<std::string, std::string>>;

// Sections may share items, each of which is copied for each: of no more bytes than the file has.
class ItemReader {
 public:
  explicit ItemReader(uint64_t file_bytes) : left_bytes_(file_bytes) {}

  litert::Expected<Items> Read(
      const flatbuffers::Vector<flatbuffers::Offset<litertlm::Item>>* list) {
    Items items;
    if (list == nullptr) return items;
    for (const litertlm::Item* item : *list) {
      if (item->value() == nullptr) continue;
      const uint64_t size_bytes = kLeastItemBytes + SizeOf(item->key()) + ValueBytes(*item);
      if (size_bytes > left_bytes_) return Bad("has items that are larger than its file");
      left_bytes_ -= size_bytes;
      items.emplace_back(Text(item->key()), ValueText(*item));
    }
    return items;
  }

 private:
  // Its place in the list.
  static constexpr uint64_t kLeastItemBytes = sizeof(flatbuffers::uoffset_t);

  static uint64_t SizeOf(const flatbuffers::String* text) {
    return text == nullptr ? 0 : text->size();
  }
  static uint64_t ValueBytes(const litertlm::Item& item) {
    const litertlm::Text* text = item.value_as_Text();
    return text == nullptr ? 0 : SizeOf(text->value());
  }

  uint64_t left_bytes_;
};

// "tf_lite_prefill_decode" is "prefill_decode"; without a model type, the kind.
std::string NameOf(const BundleSection& section) {
  constexpr std::string_view kPrefix = "tf_lite_";
  for (const auto& [key, value] : section.items) {
    if (key != "model_type" || value.empty()) continue;
    std::string name = value;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    name = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
    if (section.kind == kKinds[kTfliteModel]) return name;
    return fmt::format("{}_{}", name, section.kind);
  }
  return section.kind;
}

// Aligned for FlatBuffers, whatever the file is.
struct Header {
  std::vector<uint64_t> aligned;
  uint64_t end = 0;

  const uint8_t* contents() const {
    return reinterpret_cast<const uint8_t*>(aligned.data()) + kContentsAt;
  }
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(aligned.data()); }
};

litert::Expected<Header> ReadHeader(std::span<const uint8_t> file) {
  Header header;
  if (file.size() < kContentsAt) return Bad("is cut off within its header");
  header.end = FieldAt<uint64_t>(file, kHeaderEndAt);
  if (header.end < kContentsAt || header.end > file.size() || header.end > kMostHeaderBytes) {
    return Bad(fmt::format("says that its header ends at byte {}, the file has {}", header.end,
                           file.size()));
  }
  const auto major = FieldAt<uint32_t>(file, kVersionAt);
  if (major != kMajorVersion)
    return Bad(fmt::format("has version {}, expected {}", major, kMajorVersion));
  header.aligned.resize((header.end + 7) / 8);
  std::memcpy(header.bytes(), file.data(), header.end);
  flatbuffers::Verifier verifier(header.contents(), header.end - kContentsAt);
  if (!litertlm::VerifyContentsBuffer(verifier)) return Bad("has a damaged table of contents");
  return header;
}

const flatbuffers::Vector<flatbuffers::Offset<litertlm::Section>>* SectionsOf(
    const Header& header) {
  const litertlm::Contents* contents = litertlm::GetContents(header.contents());
  return contents->sections() == nullptr ? nullptr : contents->sections()->list();
}

}  // namespace

bool LooksLikeLitertLm(std::span<const uint8_t> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

litert::Expected<Bundle> ParseLitertLm(SharedBytes file) {
  auto header = ReadHeader(file.bytes);
  if (!header) return header.Error();
  Bundle bundle;
  bundle.format = BundleFormat::kLitertLm;
  bundle.version = fmt::format("{}.{}.{}", FieldAt<uint32_t>(file.bytes, kVersionAt),
                               FieldAt<uint32_t>(file.bytes, kVersionAt + 4),
                               FieldAt<uint32_t>(file.bytes, kVersionAt + 8));
  const litertlm::Contents* contents = litertlm::GetContents(header->contents());
  ItemReader items(file.bytes.size());
  if (contents->system() != nullptr) {
    LITERT_ASSIGN_OR_RETURN(bundle.system, items.Read(contents->system()->items()));
  }
  const auto* list = SectionsOf(*header);
  for (uint32_t i = 0; list != nullptr && i < list->size(); ++i) {
    const litertlm::Section& from = *list->Get(i);
    if (from.begin() > from.end() || from.end() > file.bytes.size()) {
      return Bad(fmt::format("section {} stands at bytes {} to {} of {}", i, from.begin(),
                             from.end(), file.bytes.size()));
    }
    BundleSection section;
    section.kind = from.kind() < std::size(kKinds) ? std::string(kKinds[from.kind()])
                                                   : fmt::format("kind_{}", from.kind());
    LITERT_ASSIGN_OR_RETURN(section.items, items.Read(from.items()));
    section.name = NameOf(section);
    section.offset_bytes = from.begin();
    section.bytes = {file.bytes.subspan(from.begin(), from.end() - from.begin()), file.owner};
    section.is_model = from.kind() == kTfliteModel;
    bundle.sections.push_back(std::move(section));
  }
  bundle.file = std::move(file);
  return bundle;
}

// The table stays the same bytes but for where sections stand, which has its place in it.
litert::Expected<void> WriteLitertLm(const Bundle& bundle, std::span<const SharedBytes> contents,
                                     const std::string& path) {
  auto header = ReadHeader(bundle.file.bytes);
  if (!header) return header.Error();
  const auto* list = SectionsOf(*header);
  std::vector<std::span<const uint8_t>> pieces = {{header->bytes(), header->end}};
  static const std::vector<uint8_t> kZeros(kSectionAlignment);
  uint64_t at = header->end;
  for (uint32_t i = 0; list != nullptr && i < list->size(); ++i) {
    const uint64_t begin = (at + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    pieces.push_back(std::span<const uint8_t>(kZeros).first(begin - at));
    pieces.push_back(contents[i].bytes);
    at = begin + contents[i].bytes.size();
    auto* section = const_cast<litertlm::Section*>(list->Get(i));
    auto* table = reinterpret_cast<flatbuffers::Table*>(section);
    // A number that equals its default stands nowhere.
    const bool is_set = table->SetField<uint64_t>(litertlm::Section::VT_BEGIN, begin, 0) &&
                        table->SetField<uint64_t>(litertlm::Section::VT_END, at, 0);
    if (!is_set) return Bad(fmt::format("section {} has no place that could be changed", i));
  }
  return WriteFile(path, pieces);
}

}  // namespace npukit
