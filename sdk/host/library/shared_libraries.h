// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_LIBRARY_SHARED_LIBRARIES_H_
#define NPUKIT_SDK_HOST_LIBRARY_SHARED_LIBRARIES_H_

#include <string>
#include <system_error>
#include <vector>

namespace npukit {

// A place to search is a folder, "D", or a folder with all below it, "D/**".
std::string FolderOf(const std::string& search);
std::string WithFoldersBelow(const std::string& folder);

// The files *.so in a place to search (links to folders are not followed), sorted by path, so that the
// order on disk does not matter. On an error, of a folder that does not exist or can't be read, those
// found before it.
std::vector<std::string> FindSharedLibraries(const std::string& search, std::error_code& error);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_SHARED_LIBRARIES_H_
