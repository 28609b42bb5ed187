// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/file_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/digest.h"
#include "sdk/remote/wire/file_bytes.h"

namespace npukit::remote {
namespace {

namespace fs = std::filesystem;

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorFileIO, what);
}

litert::Expected<void> WriteAll(int fd, const std::string& path, std::span<const uint8_t> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed(fmt::format("{}: {}", path, strerror(errno)));
    done += static_cast<size_t>(written);
  }
  return {};
}

// A file of those bytes at `path`, in the place of another one, by way of names beside it that were nobody's: what lies
// at a name that is somebody's may be a link to a file that others use. `original` has the bytes, too: a link to it
// needs no room. A file system without links gets a copy.
litert::Expected<void> PutInPlace(const std::string& original, std::span<const uint8_t> bytes,
                                  const std::string& path) {
  std::string copy = path + ".XXXXXX";
  const int fd = mkostemp(copy.data(), O_CLOEXEC);
  if (fd < 0) return Failed(fmt::format("{}: {}", copy, strerror(errno)));
  const std::string linked = copy + ".link";
  std::string placed = linked;
  litert::Expected<void> done;
  if (link(original.c_str(), linked.c_str()) != 0) {
    placed = copy;
    done = WriteAll(fd, copy, bytes);
    if (done && fchmod(fd, 0700) != 0) done = Failed(fmt::format("{}: {}", copy, strerror(errno)));
  }
  if (close(fd) != 0 && done) done = Failed(fmt::format("{}: {}", copy, strerror(errno)));
  if (done && rename(placed.c_str(), path.c_str()) != 0)
    done = Failed(fmt::format("{}: {}", path, strerror(errno)));
  // rename() of two links to one file does nothing, and leaves both.
  if (placed == linked) unlink(linked.c_str());
  unlink(copy.c_str());
  return done;
}

// Of what lies there, in memory that is the file's.
litert::Expected<std::string> DigestOfFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (fd < 0 || fstat(fd, &status) != 0) {
    if (fd >= 0) close(fd);
    return Failed(fmt::format("{}: {}", path, strerror(errno)));
  }
  const auto size = static_cast<size_t>(status.st_size);
  void* const memory = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) return Failed(fmt::format("{}: {}", path, strerror(errno)));
  std::string digest = Digest({static_cast<const uint8_t*>(memory), size});
  if (memory != nullptr) munmap(memory, size);
  return digest;
}

}  // namespace

litert::Expected<FileCache> FileCache::Open(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return Failed(fmt::format("{}: {}", folder, strerror(errno)));
  struct stat status = {};
  // What is loaded from there runs: no other user may write to it.
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 022) != 0) {
    return Failed(folder + ": is no folder that only this user may write to");
  }
  return FileCache(folder);
}

std::string FileCache::DefaultFolder() {
  // Empty is not set, as the XDG base directory specification has it.
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (std::string folder = variable("NPUKIT_WORKER_CACHE"); !folder.empty()) return folder;
  if (const std::string folder = variable("XDG_CACHE_HOME"); !folder.empty())
    return folder + "/npukit-worker";
  if (const std::string home = variable("HOME"); !home.empty())
    return home + "/.cache/npukit-worker";
  return fmt::format("/tmp/npukit-worker-{}", geteuid());
}

std::string FileCache::PathOf(std::string_view digest) const {
  return fmt::format("{}/{}", folder_, digest);
}

bool FileCache::Has(std::string_view digest) const {
  std::error_code error;
  // Of the name alone, as the content would have to be read; Read() looks at it. IsDigest() also
  // keeps paths out.
  return IsDigest(digest) && fs::is_regular_file(PathOf(digest), error);
}

void FileUpload::Drop() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
  if (!path_.empty()) unlink(path_.c_str());
  path_.clear();
  digest_.clear();
  arrived_bytes_ = 0;
}

litert::Expected<void> FileCache::Put(FileUpload& upload, std::string_view digest,
                                      uint64_t whole_bytes, uint64_t offset_bytes,
                                      std::span<const uint8_t> piece) const {
  if (!IsDigest(digest)) return Failed("a file without a digest for a name");
  if (whole_bytes > kMaxFileBytes)
    return Failed(fmt::format("a file of {} bytes is larger than the {} that are allowed",
                              whole_bytes, kMaxFileBytes));
  if (offset_bytes == 0) {
    upload.Drop();
    upload.digest_ = digest;
    upload.path_ = PathOf(digest) + ".XXXXXX";
    upload.fd_ = mkostemp(upload.path_.data(), O_CLOEXEC);
    if (upload.fd_ < 0) return Failed(fmt::format("{}: {}", upload.path_, strerror(errno)));
  }
  if (upload.digest_ != digest || offset_bytes != upload.arrived_bytes_ ||
      piece.size() > whole_bytes - offset_bytes) {
    return Failed("a piece of a file out of its order");
  }
  if (auto written = WriteAll(upload.fd_, upload.path_, piece); !written) {
    upload.Drop();
    return written;
  }
  upload.arrived_bytes_ += piece.size();
  if (upload.arrived_bytes_ < whole_bytes) return {};
  auto placed = Place(upload);
  upload.Drop();
  return placed;
}

// A whole file goes to its place, if it is what it should be. The digest is that of the file as it
// lies there, so that a disk that was full, or two uploads that got mixed, are found. rename()
// makes it appear whole, or not at all, to other workers.
litert::Expected<void> FileCache::Place(FileUpload& upload) const {
  LITERT_ASSIGN_OR_RETURN(const std::string digest, DigestOfFile(upload.path_));
  if (digest != upload.digest_) return Failed("a file came with another content than announced");
  if (fchmod(upload.fd_, 0700) != 0 ||
      rename(upload.path_.c_str(), PathOf(upload.digest_).c_str()) != 0) {
    return Failed(fmt::format("{}: {}", PathOf(upload.digest_), strerror(errno)));
  }
  upload.path_.clear();
  return {};
}

litert::Expected<std::vector<uint8_t>> FileCache::Read(std::string_view digest) const {
  if (!Has(digest)) return Failed("a file that was not sent");
  const auto bytes = ReadFileBytes(PathOf(digest));
  if (!bytes || Digest(*bytes) != digest) {
    // To be sent anew.
    unlink(PathOf(digest).c_str());
    return Failed(PathOf(digest) + ": was changed since it was sent");
  }
  return *bytes;
}

litert::Expected<std::string> FileCache::PathAs(std::string_view digest,
                                                std::string_view name) const {
  if (name.empty() || name.size() > 200 || name.front() == '.' ||
      name.find('/') != std::string_view::npos || name.find('\0') != std::string_view::npos) {
    return Failed(fmt::format("'{}' is no file's name", name));
  }
  const auto bytes = Read(digest);
  if (!bytes) return Failed("a library that was not sent");
  const std::string folder = PathOf(digest) + ".d";
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return Failed(fmt::format("{}: {}", folder, strerror(errno)));
  const std::string path = fmt::format("{}/{}", folder, name);
  std::error_code error;
  if (fs::exists(path, error) && fs::equivalent(path, PathOf(digest), error)) return path;
  LITERT_RETURN_IF_ERROR(PutInPlace(PathOf(digest), *bytes, path));
  return path;
}

}  // namespace npukit::remote
