// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiler plugin on a device as a compiler plugin of this process: a table of functions, each of which asks the
// device. The host finds it like one that is linked in (linked_plugins.h), so that all that compiles by a plugin
// compiles by a device's.
//
// Its transformations rewrite a copy of the model there (received_rewrite.h). What a device's plugin can't have from here:
// executables of a compilation in memory, environment and options.

#ifndef NPUKIT_SDK_REMOTE_DESK_COMPILER_REMOTE_PLUGIN_H_
#define NPUKIT_SDK_REMOTE_DESK_COMPILER_REMOTE_PLUGIN_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/remote/desk/installed_link.h"
#include "sdk/remote/desk/library_file.h"
#include "sdk/remote/desk/link.h"

namespace npukit::remote {

// As InstallRemoteLibrary() for a dispatch library: `file` becomes the compiler plugin "linked:VENDOR" of this process.
// Both may be on one link.
litert::Expected<std::string> InstallRemotePlugin(Link& link, const LibraryFile& file,
                                                  RemoteHooks hooks = {});
// Loads it there now, and announces the exports that it has. Error: it can't be loaded.
litert::Expected<PluginFacts> OpenRemotePlugin();
// After the last use of what was installed, and of what it has compiled.
void UninstallRemotePlugin();

// What first went wrong between desk and device since the plugin was installed; empty: nothing.
std::string RemotePluginTrouble();

// Names it before there is a link: for a process that will fork others, each of which installs its own.
litert::Expected<std::string> AnnounceRemotePlugin(const LibraryFile& file);
// Once it is announced, and before it is loaded: of the exports that are npukit's, those that the plugin has. Else it
// seems to have none.
litert::Expected<void> AnnouncePluginExports(const PluginFacts& facts);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COMPILER_REMOTE_PLUGIN_H_
