// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_LIBRARY_PLUGIN_LIBRARY_H_
#define NPUKIT_SDK_HOST_LIBRARY_PLUGIN_LIBRARY_H_

#include <memory>
#include <string>

#include "litert/cc/litert_expected.h"
#include "npukit/static_plugin.h"
#include "sdk/host/library/elf_facts.h"
#include "sdk/host/library/linked_plugins.h"

namespace npukit {

// What a compiler plugin's or dispatch library's functions come from: a file, or a table that is
// linked into the program. Copies share it.
class PluginLibrary {
 public:
  // `path` is that of a file, or "linked:NAME" (linked_plugins.h). Errors name it: there is no such
  // thing; the file can't be loaded; a compiler plugin's exports contradict each other
  // (abi_generation.h), in which case none of its code has run.
  //
  // A compiler plugin's file stays for the life of the process, as in LiteRT: vendors keep threads
  // and globals that do not survive unloading. It sees its own names before those of the process
  // (not under sanitizers, which that breaks). A dispatch library's is closed with the last copy.
  static litert::Expected<PluginLibrary> Open(const std::string& path, NpukitStaticPluginKind kind);

  // Null if the library does not define it.
  void* Find(const char* symbol) const;

  const std::string& path() const { return path_; }
  bool is_linked() const { return table_ != nullptr; }
  // Of a table: its symbols are exports, and there is nothing else.
  const ElfFacts& facts() const { return facts_; }

 private:
  PluginLibrary() = default;
  litert::Expected<void> OpenFile(NpukitStaticPluginKind kind);

  std::string path_;
  ElfFacts facts_;
  std::shared_ptr<void> handle_;               // dlopen's; null for a table
  std::shared_ptr<const LinkedPlugin> table_;  // null for a file
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_PLUGIN_LIBRARY_H_
