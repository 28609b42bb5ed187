// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bundles: files that hold models beside what belongs to them (a tokenizer, other models, settings).
// Two formats: .litertlm, sections behind a table of contents; .task, a ZIP archive. What a section
// means is not looked at, so that what is not known is kept as it is.

#ifndef NPUKIT_SDK_HOST_MODEL_BUNDLE_BUNDLE_H_
#define NPUKIT_SDK_HOST_MODEL_BUNDLE_BUNDLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"

namespace npukit {

enum class BundleFormat : uint8_t { kLitertLm, kTask };

struct BundleSection {
  // Unlike all others: "prefill_decode", "sp_tokenizer", "TOKENIZER_MODEL", "kind_77".
  std::string name;
  std::string kind;  // "tflite_model", "sp_tokenizer", "kind_77"; of a .task "member"
  std::vector<std::pair<std::string, std::string>> items;  // what a .litertlm says of it
  uint64_t offset_bytes = 0;                               // in the file
  SharedBytes bytes;  // as they stand there; of a compressed member its compressed bytes
  bool is_model = false;

  // Of a .task: what the archive says of it.
  uint16_t method = 0;  // 0: stored
  uint16_t flags = 0;
  uint32_t time = 0;        // and date, as MS-DOS has them
  uint32_t attributes = 0;  // of a file
  uint32_t crc32 = 0;
  uint32_t size_bytes = 0;  // not compressed
};

struct Bundle {
  BundleFormat format = BundleFormat::kLitertLm;
  std::string version;                                      // "1.1.0"; of a .task empty
  std::vector<std::pair<std::string, std::string>> system;  // of a .litertlm
  std::vector<BundleSection> sections;                      // in the table's order
  SharedBytes file;

  // Null if there is none of that name.
  const BundleSection* Find(std::string_view name) const;
};

bool LooksLikeBundle(std::span<const uint8_t> bytes);

// Untrusted bytes. Errors name `origin`.
litert::Expected<Bundle> ParseBundle(SharedBytes file, std::string_view origin);

// The bundle with other bytes in some sections: `contents` has those of every section, stored, in their
// order. All else stays as it is in the file, also what ParseBundle does not know of; of an archive,
// comments and extra fields are left out.
litert::Expected<void> WriteBundle(const Bundle& bundle, std::span<const SharedBytes> contents,
                                   const std::string& path);

// -- The formats ----------------------------------------------------------------------------------

bool LooksLikeLitertLm(std::span<const uint8_t> bytes);
litert::Expected<Bundle> ParseLitertLm(SharedBytes file);
litert::Expected<void> WriteLitertLm(const Bundle& bundle, std::span<const SharedBytes> contents,
                                     const std::string& path);

bool LooksLikeZip(std::span<const uint8_t> bytes);
litert::Expected<Bundle> ParseTask(SharedBytes file);
litert::Expected<void> WriteTask(const Bundle& bundle, std::span<const SharedBytes> contents,
                                 const std::string& path);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_BUNDLE_BUNDLE_H_
