// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/support/host_table.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace npukit_host_table {
namespace {

// LiteRtAbiHeader.
struct Header {
  uint16_t struct_size;
  uint16_t major_version;
  uint16_t minor_version;
  uint16_t reserved;
};
static_assert(sizeof(Header) == sizeof(void*));

constexpr uint16_t kMajorVersion = 1;
// What a header may say. An address is told from it by its bits 32 to 47: programs and libraries lie
// at 0x55.. and 0x7f.., and one that is bound to a low address at 4 MB, which would be major version
// 64 at least.
constexpr uint16_t kMaxMinorVersion = 255;
constexpr uint16_t kMaxMajorVersion = 63;

Header HeaderOf(const void* table) {
  Header header;
  std::memcpy(&header, table, sizeof(header));
  return header;
}

bool IsHeader(const Header& header) {
  return header.reserved == 0 && header.minor_version <= kMaxMinorVersion &&
         header.major_version <= kMaxMajorVersion;
}

// The segments of the file that a table lies in.
struct Search {
  uintptr_t table = 0;
  uintptr_t end = 0;  // of the table's segment
  uintptr_t code[8] = {}, code_end[8] = {};
  size_t num_code = 0;

  bool IsCode(uintptr_t address) const {
    for (size_t i = 0; i < num_code; ++i) {
      if (address >= code[i] && address < code_end[i]) return true;
    }
    return false;
  }
};

int VisitFile(dl_phdr_info* file, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  uintptr_t end = 0;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = file->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = file->dlpi_addr + segment.p_vaddr;
    if (search.table >= begin && search.table < begin + segment.p_memsz)
      end = begin + segment.p_memsz;
  }
  if (end == 0) return 0;
  search.end = end;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = file->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || search.num_code == 8)
      continue;
    search.code[search.num_code] = file->dlpi_addr + segment.p_vaddr;
    search.code_end[search.num_code++] = file->dlpi_addr + segment.p_vaddr + segment.p_memsz;
  }
  return 1;
}

// How many functions a table without a header has: those of 2.1.6 if each is code of the file that
// the table lies in, else those of 2.1.5.
size_t CountWithoutHeader(const void* table, const Layout& layout) {
  Search search;
  search.table = reinterpret_cast<uintptr_t>(table);
  if (dl_iterate_phdr(VisitFile, &search) == 0) return layout.functions_of_215;
  const auto* const words = static_cast<const uintptr_t*>(table);
  const uintptr_t end = search.table + layout.functions_of_216 * sizeof(uintptr_t);
  if (end > search.end) return layout.functions_of_215;
  for (size_t i = layout.functions_of_215; i < layout.functions_of_216; ++i) {
    if (!search.IsCode(words[i])) return layout.functions_of_215;
  }
  return layout.functions_of_216;
}

// The library that a host's function lies in, open as it is; null if it can't be told.
void* HostOf(void* function) {
  Dl_info info = {};
  if (function == nullptr || dladdr(function, &info) == 0 || info.dli_fname == nullptr)
    return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

// Whether a function has other arguments, under the same name, from 2.1.6 on.
bool ChangedAfter215(const Layout& layout, size_t function) {
  return std::strcmp(layout.functions[function], "LiteRtBuilderBuildTensor") == 0;
}

}  // namespace

size_t SizeByHeader(const void* table) {
  const Header header = HeaderOf(table);
  return IsHeader(header) ? header.struct_size : 0;
}

LiteRtStatus Read(const void* table, const Layout& layout, void** functions) {
  if (table == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const Header header = HeaderOf(table);
  const void* first = table;
  size_t count = 0;
  if (IsHeader(header)) {
    if (header.major_version != kMajorVersion || header.struct_size < layout.min_bytes_with_header)
      return kLiteRtStatusErrorWrongVersion;
    first = static_cast<const char*>(table) + sizeof(Header);
    count = (header.struct_size - sizeof(Header)) / sizeof(void*);
  } else {
    count = CountWithoutHeader(table, layout);
  }
  if (count > layout.num_functions) count = layout.num_functions;
  std::memcpy(static_cast<void*>(functions), first, count * sizeof(void*));
  if (count == layout.num_functions) return kLiteRtStatusOk;
  void* const host = HostOf(functions[0]);
  for (size_t i = count; i < layout.num_functions; ++i) {
    const bool is_215 = !IsHeader(header) && count == layout.functions_of_215;
    const bool has_it = host != nullptr && !(is_215 && ChangedAfter215(layout, i));
    functions[i] = has_it ? dlsym(host, layout.functions[i]) : nullptr;
  }
  if (host != nullptr) dlclose(host);
  dlerror();
  return kLiteRtStatusOk;
}

void* FindBeside(void* function, const char* name) {
  void* const host = HostOf(function);
  if (host == nullptr) return nullptr;
  void* const found = dlsym(host, name);
  dlclose(host);
  dlerror();
  return found;
}

}  // namespace npukit_host_table
