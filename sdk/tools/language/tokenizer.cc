// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/tokenizer.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/verb_search.h"

namespace npukit::tools {
namespace {

constexpr const char* kLibrary = "libnpukit_tokenizer.so";
constexpr const char* kEntry = "NpukitGetTokenizerFunctions";

// By the program's own search path; AddressSanitizer, which opens libraries in the program's stead, does not know it.
void* OpenLibrary() {
  constexpr int kMode = RTLD_NOW | RTLD_LOCAL;
  if (void* const found = dlopen(kLibrary, kMode)) return found;
  const auto folder = OwnFolder();
  return folder ? dlopen((folder->parent_path() / "lib" / kLibrary).c_str(), kMode) : nullptr;
}

// Stays open: SentencePiece registers what it cannot take back.
litert::Expected<const NpukitTokenizerFunctions*> Functions() {
  void* const library = OpenLibrary();
  if (library == nullptr) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        fmt::format(
            "--tokenizer needs {}, which npukit is built with where SentencePiece is installed "
            "(libsentencepiece-dev): {}",
            kLibrary, dlerror()));
  }
  const auto entry =
      reinterpret_cast<decltype(&NpukitGetTokenizerFunctions)>(dlsym(library, kEntry));
  if (entry == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              fmt::format("{} has no function {}", kLibrary, kEntry));
  }
  return entry();
}

}  // namespace

litert::Expected<std::unique_ptr<Tokenizer>> Tokenizer::Open(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const NpukitTokenizerFunctions* functions, Functions());
  std::array<char, 512> why = {};
  NpukitTokenizer* const opened = functions->open(path.c_str(), why.data(), why.size());
  if (opened == nullptr) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("{}: cannot be read as a SentencePiece model: {}", path, why.data()));
  }
  return std::unique_ptr<Tokenizer>(new Tokenizer(*functions, opened));
}

litert::Expected<std::vector<int32_t>> Tokenizer::Encode(std::string_view text) const {
  const int64_t count = functions_.encode(tokenizer_, text.data(), text.size(), nullptr, 0);
  if (count < 0)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "the text cannot be split");
  const int32_t begin = functions_.begin_id(tokenizer_);
  std::vector<int32_t> ids(static_cast<size_t>(count) + (begin >= 0 ? 1 : 0), begin);
  const std::span<int32_t> rest = std::span(ids).last(static_cast<size_t>(count));
  functions_.encode(tokenizer_, text.data(), text.size(), rest.data(), rest.size());
  return ids;
}

litert::Expected<std::string> Tokenizer::Decode(std::span<const int32_t> ids) const {
  const int32_t size = functions_.size(tokenizer_);
  for (const int32_t id : ids) {
    if (id >= 0 && id < size) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("the tokenizer has {} tokens, and the model says {}", size, id));
  }
  const int64_t count = functions_.decode(tokenizer_, ids.data(), ids.size(), nullptr, 0);
  if (count < 0)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "the tokens cannot be joined");
  std::string text(static_cast<size_t>(count), ' ');
  functions_.decode(tokenizer_, ids.data(), ids.size(), text.data(), text.size());
  return text;
}

std::optional<int32_t> Tokenizer::end_id() const {
  const int32_t id = functions_.end_id(tokenizer_);
  return id >= 0 ? std::optional(id) : std::nullopt;
}

}  // namespace npukit::tools
