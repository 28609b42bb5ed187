// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_VENDORS_CC_OPTIONS_HELPER_H_
#define ODML_LITERT_LITERT_VENDORS_CC_OPTIONS_HELPER_H_

// How a vendor's library picks its own kinds of options from those that the host hands it.

#include <tuple>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_opaque_options.h"
#include "litert/cc/litert_options.h"

namespace litert {

// (Expected<Options>, Expected<OpaqueOptions>, Expected<Kind>...): the options, the list in them,
// and each kind in the list or an error. None owns anything; all hold an error for null.
template <class... Kinds>
std::tuple<Expected<Options>, Expected<OpaqueOptions>, Expected<Kinds>...> ParseOptions(
    LiteRtOptions options) {
  static_assert((std::is_base_of_v<OpaqueOptions, Kinds> && ...),
                "kinds of options derive from OpaqueOptions");
  Expected<Options> all =
      options != nullptr ? Expected<Options>(Options(options, OwnHandle::kNo))
                         : Expected<Options>(Error(Status::kErrorInvalidArgument, "no options"));
  Expected<OpaqueOptions> opaque =
      all ? all->GetOpaqueOptions() : Expected<OpaqueOptions>(all.Error());
  const auto find = [&](auto* kind) {
    using Kind = std::remove_pointer_t<decltype(kind)>;
    return opaque ? FindOpaqueOptions<Kind>(*opaque) : Expected<Kind>(opaque.Error());
  };
  // In braces: each kind is looked for before the list is moved from.
  std::tuple<Expected<Kinds>...> kinds{find(static_cast<Kinds*>(nullptr))...};
  return std::tuple_cat(std::make_tuple(std::move(all), std::move(opaque)), std::move(kinds));
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_VENDORS_CC_OPTIONS_HELPER_H_
