// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "simulator/tools/program_file.h"

namespace acme {
namespace {

// The file's bytes; none if it can't be mapped.
ModuleSource Map(const std::string& path) {
  struct stat facts = {};
  // Before it is opened: a pipe would be read by whoever opens it first.
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  void* mapped = MAP_FAILED;
  if (fstat(file, &facts) == 0 && facts.st_size > 0)
    mapped = mmap(nullptr, static_cast<size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return {};
  const auto size_bytes = static_cast<size_t>(facts.st_size);
  return {.bytes = {static_cast<const uint8_t*>(mapped), size_bytes},
          .owner = {mapped, [size_bytes](void* address) { munmap(address, size_bytes); }},
          .passed = {}};
}

// Gives back the memory of the pages that lie in `passed` whole. They come back from the file.
void Release(std::span<const uint8_t> passed) {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(passed.data());
  const uintptr_t begin = (address + page_bytes - 1) / page_bytes * page_bytes;
  const uintptr_t end = (address + passed.size()) / page_bytes * page_bytes;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace

Expected<ModuleSource> OpenModuleSource(const std::string& path) {
  ModuleSource mapped = Map(path);
  mapped.passed = Release;
  if (mapped.owner != nullptr) return mapped;
  ACME_ASSIGN_OR_RETURN(std::vector<uint8_t> read, ReadBytes(path));
  const auto kept = std::make_shared<const std::vector<uint8_t>>(std::move(read));
  return ModuleSource{.bytes = *kept, .owner = kept, .passed = {}};
}

}  // namespace acme
