// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/file/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

namespace npukit {
namespace {

litert::Unexpected FileError(const std::string& path, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorFileIO, fmt::format("{}: {}", path, what));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Deleter of what MapFile gives; by it such memory is known again.
struct Unmap {
  size_t size_bytes;
  void operator()(const void* mapped) const { munmap(const_cast<void*>(mapped), size_bytes); }
};

}  // namespace

litert::Expected<SharedBytes> MapFile(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return FileError(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  struct stat facts = {};
  if (fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return FileError(path, "expected a file, found something else");
  }
  const auto size_bytes = static_cast<size_t>(facts.st_size);
  if (size_bytes == 0) return FileError(path, "expected some bytes, found an empty file");
  void* address = mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED)
    return FileError(path, fmt::format("cannot be mapped: {}", std::strerror(errno)));
  std::shared_ptr<const void> owner(address, Unmap{size_bytes});
  return SharedBytes{.bytes = {static_cast<const uint8_t*>(address), size_bytes},
                     .owner = std::move(owner)};
}

namespace {

// A new file with the rights that the process' mask leaves; -1 and errno if it cannot be made.
// (mkstemp's files are their owner's alone, and the mask cannot be read without changing it.)
int CreateBeside(const std::string& path, std::string& temporary) {
  constexpr int kAttempts = 100;
  std::random_device random;
  for (int i = 0; i < kAttempts; ++i) {
    temporary = fmt::format("{}.{:08x}", path, random());
    const int file = open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

// Where a file's new contents go. Renaming would put a file in the place of a device, a pipe or a
// link: the first two are written to, and of a link what it leads to is replaced.
struct Target {
  std::string path;
  bool is_replaced = true;
};

Target TargetOf(const std::string& path) {
  std::error_code error;
  using std::filesystem::file_type;
  switch (std::filesystem::status(path, error).type()) {
    case file_type::block:
    case file_type::character:
    case file_type::fifo:
    case file_type::socket:
      return {.path = path, .is_replaced = false};
    case file_type::regular: {
      const std::filesystem::path real = std::filesystem::canonical(path, error);
      return {.path = error ? path : real.string()};
    }
    default:
      return {.path = path};
  }
}

// False and errno if that fails.
bool WriteAll(int file, std::span<const std::span<const uint8_t>> pieces) {
  for (std::span<const uint8_t> piece : pieces) {
    while (!piece.empty()) {
      const ssize_t written_bytes = write(file, piece.data(), piece.size());
      if (written_bytes < 0 && errno == EINTR) continue;
      if (written_bytes <= 0) return false;
      piece = piece.subspan(static_cast<size_t>(written_bytes));
    }
  }
  return true;
}

}  // namespace

litert::Expected<void> WriteFile(const std::string& path,
                                 std::span<const std::span<const uint8_t>> pieces) {
  const Target target = TargetOf(path);
  std::string temporary;
  const FileDescriptor file(target.is_replaced ? CreateBeside(target.path, temporary)
                                               : open(target.path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0)
    return FileError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  const auto give_up = [&](const char* what) {
    const std::string reason = std::strerror(errno);
    if (target.is_replaced) unlink(temporary.c_str());
    return FileError(path, fmt::format("{}: {}", what, reason));
  };
  if (!WriteAll(file.get(), pieces)) return give_up("cannot be written");
  if (target.is_replaced && std::rename(temporary.c_str(), target.path.c_str()) != 0)
    return give_up("cannot be renamed into place");
  return {};
}

void ReleasePages(const SharedBytes& bytes) {
  // Of a mapping alone, whose pages nobody has written to: dropped, they come back from the file.
  // Memory of malloc would come back as zeros.
  if (std::get_deleter<Unmap>(bytes.owner) == nullptr || bytes.bytes.empty()) return;
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.bytes.data());
  const uintptr_t first = begin / page_bytes * page_bytes;  // mappings begin and end with pages
  madvise(reinterpret_cast<void*>(first), begin + bytes.bytes.size() - first, MADV_DONTNEED);
}

void ReleaseFile(const SharedBytes& part) {
  const Unmap* mapping = std::get_deleter<Unmap>(part.owner);
  if (mapping == nullptr) return;
  madvise(const_cast<void*>(part.owner.get()), mapping->size_bytes, MADV_DONTNEED);
}

}  // namespace npukit
