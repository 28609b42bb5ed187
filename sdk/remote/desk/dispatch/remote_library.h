// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch library on a device as a dispatch library of this process: a table of functions, each of
// which asks the device. The host finds it like one that is linked in (linked_plugins.h), so that all
// that runs on a dispatch library runs on a device's.
//
// What a device can't have from here: scheduling, memory that is not host memory; the library says that it has
// none of them. Each thread that calls has a thread on the device.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_LIBRARY_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_LIBRARY_H_

#include <optional>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/dispatch/calls_ahead.h"
#include "sdk/remote/desk/installed_link.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"

namespace npukit::remote {

// Makes `file` on that device the dispatch library "linked:VENDOR" of this process, in place of an
// earlier one, and gives that path. The library is loaded when the host first asks for it. One in a
// process; both arguments must stay until the process ends or another one is installed. Thread-safe
// once installed. With an expectation calls whose answers are expected go to the device together with later ones.
litert::Expected<std::string> InstallRemoteLibrary(
    Link& link, const LibraryFile& file, RemoteHooks hooks = {},
    std::optional<Expectation> expectation = std::nullopt);

// With an expectation: waits for the answers to all that was called so far. Before that nothing is certain.
LiteRtStatus SettleRemoteLibrary();

// Loads it there now, and announces the exports that it has. Error: it can't be loaded.
litert::Expected<void> OpenRemoteLibrary();

// After the last use of what was installed: its link may go.
void UninstallRemoteLibrary();

// What first went wrong between desk and device since the library was installed, with the call that it
// went wrong in ("device lost in invoke: nothing came for 8000 ms"); empty: nothing.
std::string RemoteTrouble();

// Names it before there is a link: for a process that will fork others, each of which installs its own.
litert::Expected<std::string> AnnounceRemoteLibrary(const LibraryFile& file);

// Once it is announced, and before it is loaded: of the exports that are npukit's, those that the library has. Else all
// seem to be there, and what it has not answers kLiteRtStatusErrorUnsupported.
litert::Expected<void> AnnounceExports(const LibraryFacts& facts);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_LIBRARY_H_
