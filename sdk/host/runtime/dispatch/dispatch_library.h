// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's dispatch library: opened, checked and initialised. Everything that can be wrong with
// it before a device is opened is an error here that names the file and the entry point.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_LIBRARY_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_LIBRARY_H_

#include <memory>
#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/runtime/dispatch/client/dispatch_client.h"

namespace npukit {

// Immutable and thread-safe once loaded, as far as the vendor's functions are.
class DispatchLibrary {
 public:
  // Of a file, or of what is linked into the program (sdk/host/library/linked_plugins.h). Once a
  // library has been loaded it stays for the life of the process, as in LiteRT: vendors keep
  // threads and globals that do not survive dlclose. A second Load of the same file, or of the same
  // linked name and function, gives the same object.
  static litert::Expected<std::shared_ptr<const DispatchLibrary>> Load(const std::string& path);
  ~DispatchLibrary();
  DispatchLibrary(const DispatchLibrary&) = delete;
  DispatchLibrary& operator=(const DispatchLibrary&) = delete;

  const std::string& path() const { return library_.path(); }
  const std::string& vendor_id() const { return vendor_id_; }
  const std::string& build_id() const { return build_id_; }
  int capabilities() const { return capabilities_; }
  // Takes, in place of bytecode, what a compiler plugin of the same vendor made in this process.
  bool takes_executables() const { return generation() >= DispatchGeneration::kV215; }
  // Says so, and has both functions.
  bool has_async() const;
  bool has_scratchpads() const;

  // So that buffers in memory of the library's own, if it brings any, can be made with an environment
  // of the caller's.
  litert::Expected<void> RegisterBufferHandlers(LiteRtEnvironment environment) const;

  DispatchGeneration generation() const { return tables().generation; }

  // By which it is called. Every function that the basic interface requires is there.
  const DispatchClient& client() const { return client_; }
  const LiteRtDispatchInterface& functions() const { return client_.functions(); }
  const DispatchTables& tables() const { return client_.tables(); }
  // An optional export; null if the library has it not.
  template <typename Function>
  Function Find(const char* symbol) const {
    return client_.Find<Function>(symbol);
  }
  LiteRtEnvironment environment() const { return environment_; }
  LiteRtOptions options() const { return options_; }

 private:
  explicit DispatchLibrary(PluginLibrary library) : library_(std::move(library)) {}
  static litert::Expected<std::shared_ptr<const DispatchLibrary>> Open(PluginLibrary opened);
  litert::Expected<void> ReadApi();
  litert::Expected<void> CheckFunctions() const;
  litert::Expected<void> Initialize();
  litert::Expected<std::string> ReadText(const char* function,
                                         LiteRtStatus (*get)(const char**)) const;

  PluginLibrary library_;
  DispatchClient client_;
  std::string vendor_id_;
  std::string build_id_;
  int capabilities_ = 0;
  LiteRtEnvironment environment_ = nullptr;
  LiteRtOptions options_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_LIBRARY_H_
