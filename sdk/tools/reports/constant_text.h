// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values as YAML's lists.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_CONSTANT_TEXT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_CONSTANT_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "sdk/host/model/graph/tensor.h"

namespace npukit::tools {

// YAML's floats: Python's and C's "nan" and "inf" are read too.
std::string FloatList(const std::vector<float>& values);

// Of a small constant, where a double holds each value; nullopt for large ones and other types.
std::optional<std::string> ShortConstantText(const Tensor& tensor);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_CONSTANT_TEXT_H_
