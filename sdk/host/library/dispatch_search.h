// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of the dispatch libraries in a folder belongs to a compiled model.

#ifndef NPUKIT_SDK_HOST_LIBRARY_DISPATCH_SEARCH_H_
#define NPUKIT_SDK_HOST_LIBRARY_DISPATCH_SEARCH_H_

#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit {

// How well two names of a vendor fit: 2 the same, 1 one begins with the other ("Example",
// "ExampleSocManufacturer"), 0 not at all. Case does not count; empty names fit nothing.
int VendorLikeness(std::string_view a, std::string_view b);

// "AcmeCorp" of "/x/libLiteRtDispatch_AcmeCorp.so" and of "linked:AcmeCorp"; empty if the name ends
// after "Dispatch".
std::string VendorOfDispatchFile(std::string_view path);

// The dispatch libraries that FindPlugins finds (plugin_search.h), best first: those whose names
// fit one of the manufacturers ("A" or "A,B"); only if there are none, all of them. Of equals those
// that are linked in stand before files. Error: the folder can't be read, or there is no dispatch
// library.
litert::Expected<std::vector<std::string>> RankDispatchLibraries(const std::string& plugin_dir,
                                                                 std::string_view manufacturers);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_DISPATCH_SEARCH_H_
