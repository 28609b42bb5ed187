// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/file_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/digest.h"

namespace npukit::remote {
namespace {

namespace fs = std::filesystem;

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorFileIO, what);
}

litert::Expected<void> WriteFile(const std::string& path, std::span<const uint8_t> bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  if (fd < 0) return Failed(fmt::format("{}: {}", path, strerror(errno)));
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const std::string why = strerror(errno);
      close(fd);
      unlink(path.c_str());
      return Failed(fmt::format("{}: {}", path, why));
    }
    done += static_cast<size_t>(written);
  }
  if (close(fd) != 0) return Failed(fmt::format("{}: {}", path, strerror(errno)));
  return {};
}

}  // namespace

litert::Expected<FileCache> FileCache::Open(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return Failed(fmt::format("{}: {}", folder, strerror(errno)));
  struct stat status = {};
  // What is loaded from there runs: it must be nobody else's to write.
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 022) != 0) {
    return Failed(folder + ": is no folder that only this user may write to");
  }
  return FileCache(folder);
}

std::string FileCache::DefaultFolder() {
  if (const char* folder = std::getenv("NPUKIT_WORKER_CACHE")) return folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"))
    return std::string(folder) + "/npukit-worker";
  if (const char* home = std::getenv("HOME")) return std::string(home) + "/.cache/npukit-worker";
  return fmt::format("/tmp/npukit-worker-{}", geteuid());
}

std::string FileCache::PathOf(std::string_view digest) const {
  return fmt::format("{}/{}", folder_, digest);
}

bool FileCache::Has(std::string_view digest) const {
  std::error_code error;
  return IsDigest(digest) && fs::is_regular_file(PathOf(digest), error);
}

litert::Expected<void> FileCache::Put(std::string_view digest, uint64_t whole_bytes,
                                      uint64_t offset_bytes, std::span<const uint8_t> piece) {
  if (!IsDigest(digest)) return Failed("a file without a digest for a name");
  if (whole_bytes > kMaxFileBytes)
    return Failed(fmt::format("a file of {} bytes is larger than the {} that are allowed",
                              whole_bytes, kMaxFileBytes));
  if (offset_bytes == 0) {
    coming_digest_ = digest;
    coming_bytes_.clear();
  }
  if (coming_digest_ != digest || offset_bytes != coming_bytes_.size() ||
      piece.size() > whole_bytes - offset_bytes) {
    return Failed("a piece of a file out of its order");
  }
  coming_bytes_.insert(coming_bytes_.end(), piece.begin(), piece.end());
  if (coming_bytes_.size() < whole_bytes) return {};
  const std::vector<uint8_t> bytes = std::exchange(coming_bytes_, {});
  coming_digest_.clear();
  if (Digest(bytes) != digest) return Failed("a file came with another content than announced");
  const std::string temporary = fmt::format("{}.{}", PathOf(digest), getpid());
  LITERT_RETURN_IF_ERROR(WriteFile(temporary, bytes));
  if (rename(temporary.c_str(), PathOf(digest).c_str()) != 0)
    return Failed(fmt::format("{}: {}", PathOf(digest), strerror(errno)));
  return {};
}

litert::Expected<std::vector<uint8_t>> FileCache::Read(std::string_view digest) const {
  if (!Has(digest)) return Failed("a file that was not sent");
  std::ifstream file(PathOf(digest), std::ios::binary);
  std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
  if (!file || Digest(bytes) != digest) {
    // To be sent anew.
    unlink(PathOf(digest).c_str());
    return Failed(PathOf(digest) + ": was changed since it was sent");
  }
  return bytes;
}

litert::Expected<std::string> FileCache::PathAs(std::string_view digest,
                                                std::string_view name) const {
  if (name.empty() || name.size() > 200 || name.front() == '.' ||
      name.find('/') != std::string_view::npos || name.find('\0') != std::string_view::npos) {
    return Failed(fmt::format("'{}' is no file's name", name));
  }
  LITERT_RETURN_IF_ERROR(Read(digest).HasValue() ? litert::Expected<void>()
                                                 : Failed("a library that was not sent"));
  const std::string folder = PathOf(digest) + ".d";
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return Failed(fmt::format("{}: {}", folder, strerror(errno)));
  const std::string path = fmt::format("{}/{}", folder, name);
  // A file system without links gets a copy; an older link or copy leads to the same content.
  std::error_code error;
  if (fs::exists(path, error) && fs::equivalent(path, PathOf(digest), error)) return path;
  const std::string temporary = fmt::format("{}.{}", path, getpid());
  fs::create_hard_link(PathOf(digest), temporary, error);
  if (error) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, Read(digest));
    LITERT_RETURN_IF_ERROR(WriteFile(temporary, bytes));
  }
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return Failed(fmt::format("{}: {}", path, strerror(errno)));
  // rename() of two links to one file does nothing, and leaves both.
  unlink(temporary.c_str());
  return path;
}

}  // namespace npukit::remote
