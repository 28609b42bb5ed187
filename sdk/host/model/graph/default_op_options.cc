// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/default_op_options.h"

#include <string_view>
#include <type_traits>

#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit {
namespace {

bool StartsAtOne(std::string_view field) {
  return field == "stride_w" || field == "stride_h" || field == "depth_multiplier" ||
         field == "filter_width" || field == "filter_height" || field == "beta";
}

}  // namespace

OpOptions DefaultOpOptions(LiteRtOpCode code) {
  OpOptions options = DefaultOptions(code);
  VisitFields(options, []<typename T>(std::string_view name, T& field) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      if (StartsAtOne(name)) field = T{1};
    }
  });
  return options;
}

}  // namespace npukit
