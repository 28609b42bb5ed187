// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/device_facts.h"

#include <fmt/format.h>
#include <link.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "sdk/remote/wire/message_kind.h"

namespace npukit::remote {
namespace {

// Of a file of the kernel's, which says 0 for its size. Empty if it can't be read.
std::string TextOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Trimmed(const std::string& text) {
  // Texts of the device tree end with a zero, as C's.
  constexpr std::string_view kBlank(" \t\n\0", 4);
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// What follows the key and its colon in the first line that begins with it.
std::string ValueOf(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || Trimmed(std::string(line.substr(0, colon))) != key)
      continue;
    return Trimmed(std::string(line.substr(colon + 1)));
  }
  return {};
}

// The first of the places where kernels of boards tell.
std::string NameOfSoc() {
  for (const char* path : {"/sys/firmware/devicetree/base/model", "/proc/device-tree/model",
                           "/sys/devices/soc0/machine", "/sys/devices/soc0/soc_id",
                           "/sys/devices/virtual/dmi/id/product_name"}) {
    if (std::string name = Trimmed(TextOf(path)); !name.empty()) return name;
  }
  return {};
}

int AddLibrary(dl_phdr_info* info, size_t, void* to) {
  // The program itself has no name, the kernel's pages no path.
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  if (path.find('/') != std::string_view::npos)
    static_cast<std::vector<std::string>*>(to)->emplace_back(path);
  return 0;
}

std::vector<std::string> LoadedLibraries() {
  std::vector<std::string> libraries;
#if defined(__GLIBC__)
  libraries.push_back(fmt::format("glibc {}", gnu_get_libc_version()));
#endif
  dl_iterate_phdr(AddLibrary, &libraries);
  return libraries;
}

}  // namespace

std::string CpuName(std::string_view cpuinfo) {
  if (std::string name = ValueOf(cpuinfo, "model name"); !name.empty()) return name;
  const std::string part = ValueOf(cpuinfo, "CPU part");
  if (!part.empty())
    return fmt::format("implementer {}, part {}", ValueOf(cpuinfo, "CPU implementer"), part);
  return ValueOf(cpuinfo, "Hardware");
}

DeviceFacts FactsOfDevice(const std::string& worker_version, const std::string& cache_folder) {
  DeviceFacts facts{.protocol_version = kProtocolVersion, .worker_version = worker_version};
  utsname names = {};
  if (uname(&names) == 0) {
    facts.machine = names.machine;
    facts.kernel = fmt::format("{} {}", names.sysname, names.release);
    facts.host_name = names.nodename;
  }
  facts.cpu = CpuName(TextOf("/proc/cpuinfo"));
  facts.soc = NameOfSoc();
  facts.processors = static_cast<uint32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  facts.memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes;
  facts.free_memory_bytes = static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page_bytes;
  struct statvfs disk = {};
  if (statvfs(cache_folder.c_str(), &disk) == 0)
    facts.free_cache_bytes = uint64_t{disk.f_bavail} * disk.f_frsize;
  facts.libraries = LoadedLibraries();
  return facts;
}

}  // namespace npukit::remote
