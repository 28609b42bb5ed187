// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CORE_FILESYSTEM_H_
#define ODML_LITERT_LITERT_CORE_FILESYSTEM_H_

// Files and folders, by the names that vendors' sources know from LiteRT. Errors are
// kLiteRtStatusErrorFileIO, or kLiteRtStatusErrorNotFound where there is no such file, and name the
// path. Thread-safe as far as the file system is.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_buffer_ref.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert::internal {

inline Unexpected FileError(LiteRtStatus status, StringView path, const std::string& what) {
  return Unexpected(status, std::string(path) + ": " + what);
}
inline Unexpected FileError(StringView path, const std::error_code& error) {
  return FileError(kLiteRtStatusErrorFileIO, path, error.message());
}

// "a/b/c" of {"a", "b", "c"}; an absolute part drops what stands before it.
inline std::string Join(const std::vector<StringView>& paths) {
  std::filesystem::path joined;
  for (const StringView path : paths) joined /= std::filesystem::path(std::string(path));
  return joined.string();
}

// "b" of "a/b.so".
inline std::string Stem(StringView path) {
  return std::filesystem::path(std::string(path)).stem().string();
}

// Makes an empty file, or empties it.
inline void Touch(StringView path) { std::ofstream file{std::string(path)}; }

inline bool Exists(StringView path) {
  std::error_code error;
  return std::filesystem::exists(std::string(path), error);
}

inline bool IsDir(StringView path) {
  std::error_code error;
  return std::filesystem::is_directory(std::string(path), error);
}

inline Expected<size_t> Size(StringView path) {
  if (!Exists(path)) return FileError(kLiteRtStatusErrorNotFound, path, "no such file");
  std::error_code error;
  const uintmax_t size_bytes = std::filesystem::file_size(std::string(path), error);
  if (error) return FileError(path, error);
  return static_cast<size_t>(size_bytes);
}

inline Expected<OwningBufferRef<uint8_t>> LoadBinaryFile(StringView path) {
  LITERT_ASSIGN_OR_RETURN(const size_t size_bytes, Size(path));
  OwningBufferRef<uint8_t> bytes(size_bytes);
  std::ifstream file(std::string(path), std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.Data()), static_cast<std::streamsize>(size_bytes));
  if (!file) return FileError(kLiteRtStatusErrorFileIO, path, "can't be read");
  return bytes;
}

template <typename Iterator>
Expected<std::vector<std::string>> ListEntries(StringView path) {
  if (!IsDir(path)) return FileError(kLiteRtStatusErrorNotFound, path, "no such folder");
  std::vector<std::string> entries;
  std::error_code error;
  Iterator entry(std::string(path), error);
  for (; !error && entry != Iterator(); entry.increment(error)) {
    entries.push_back(entry->path().string());
  }
  if (error) return FileError(path, error);
  return entries;
}
// Paths, in no order.
inline Expected<std::vector<std::string>> ListDir(StringView path) {
  return ListEntries<std::filesystem::directory_iterator>(path);
}
// With what lies in its folders; links to folders are not followed.
inline Expected<std::vector<std::string>> RecursiveListDir(StringView path) {
  return ListEntries<std::filesystem::recursive_directory_iterator>(path);
}

// "b.so" of "a/b.so"; an error for a path that ends in a slash.
inline Expected<std::string> Filename(StringView path) {
  std::string name = std::filesystem::path(std::string(path)).filename().string();
  if (name.empty()) return FileError(kLiteRtStatusErrorNotFound, path, "names no file");
  return name;
}

// With the folders above it; no error if it is there.
inline Expected<void> MkDir(StringView path) {
  std::error_code error;
  std::filesystem::create_directories(std::string(path), error);
  if (error) return FileError(path, error);
  return {};
}

inline Expected<std::string> Parent(StringView path) {
  const std::filesystem::path whole{std::string(path)};
  if (!whole.has_parent_path()) {
    return FileError(kLiteRtStatusErrorNotFound, path, "has no parent");
  }
  return whole.parent_path().string();
}

// The way to `path` from the folder `base`; neither need exist.
inline Expected<std::string> Relative(StringView path, StringView base) {
  const std::filesystem::path relative =
      std::filesystem::path(std::string(path)).lexically_relative(std::string(base));
  if (relative.empty()) {
    return FileError(kLiteRtStatusErrorInvalidArgument, path,
                     "no relative path from " + std::string(base));
  }
  return relative.string();
}

// With all that lies in it.
// By value, as LiteRT has it.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
inline Expected<void> RmDir(std::string path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) return FileError(path, error);
  return {};
}

inline Expected<void> RemoveFile(StringView path) {
  std::error_code error;
  if (!std::filesystem::remove(std::string(path), error) && !error) {
    return FileError(kLiteRtStatusErrorNotFound, path, "no such file");
  }
  if (error) return FileError(path, error);
  return {};
}

// Sets the time of its last change to now.
inline Expected<void> TouchFile(StringView path) {
  std::error_code error;
  std::filesystem::last_write_time(std::string(path), std::filesystem::file_time_type::clock::now(),
                                   error);
  if (error) return FileError(path, error);
  return {};
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CORE_FILESYSTEM_H_
