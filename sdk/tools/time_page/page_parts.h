// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the page that are the same for every run: page.css, page.html and page.js of this
// folder, put into code by CMake so that no file is needed at run time.

#ifndef NPUKIT_SDK_TOOLS_TIME_PAGE_PAGE_PARTS_H_
#define NPUKIT_SDK_TOOLS_TIME_PAGE_PAGE_PARTS_H_

#include <string_view>

namespace npukit::tools {

extern const std::string_view kPageStyle;
extern const std::string_view kPageBody;
extern const std::string_view kPageScript;

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TIME_PAGE_PAGE_PARTS_H_
