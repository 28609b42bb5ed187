// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fields of options set by name, for those who know an operator's options as data.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_OPTION_VALUE_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_OPTION_VALUE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit {

// A truth value, a number, the name of an enumerator or a text, a list.
using OptionValue =
    std::variant<bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;

// Sets the field of that name. Integers go where floats are expected, and for truth values 0 and 1.
// Errors: there is no such field (the error lists those that are), the value is of another kind, does
// not fit the field's type, or is no enumerator of its.
litert::Expected<void> SetOption(OpOptions& options, std::string_view field,
                                 const OptionValue& value);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_OPTION_VALUE_H_
