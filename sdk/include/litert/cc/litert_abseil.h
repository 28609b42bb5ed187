// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_ABSEIL_H_
#define ODML_LITERT_LITERT_CC_LITERT_ABSEIL_H_

// LiteRT's wrappers include abseil, and vendors' sources lean on that: they name absl::string_view
// or absl::Span without an include of their own. These headers do without abseil; where it is on
// the include path, what LiteRT's bring with them comes with these too. NPUKIT_NO_ABSEIL, or
// LiteRT's own LITERT_NO_ABSL, leaves it out.

#include "litert/cc/internal/litert_span.h"

#if !defined(NPUKIT_NO_ABSEIL) && !defined(LITERT_NO_ABSL)
#if __has_include("absl/strings/string_view.h")
#include "absl/strings/string_view.h"  // IWYU pragma: export
#endif
#if __has_include("absl/types/span.h")
#include "absl/types/span.h"  // IWYU pragma: export
#define LITERT_INTERNAL_HAS_ABSL_SPAN
#endif
#if __has_include("absl/strings/str_cat.h")
#include "absl/strings/str_cat.h"  // IWYU pragma: export
#endif
#if __has_include("absl/strings/str_format.h")
#include "absl/strings/str_format.h"  // IWYU pragma: export
#endif
#if __has_include("absl/container/inlined_vector.h")
#include "absl/container/inlined_vector.h"  // IWYU pragma: export
#endif
#if __has_include("absl/status/statusor.h")
#include "absl/status/statusor.h"  // IWYU pragma: export
#endif
#endif

namespace litert::internal {

// What the wrappers hand out: LiteRT's own type where there is abseil, for templates that deduce it.
// What they take is Span, which converts from either.
#ifdef LITERT_INTERNAL_HAS_ABSL_SPAN
template <typename T>
using View = absl::Span<T>;
#else
template <typename T>
using View = Span<T>;
#endif

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_LITERT_ABSEIL_H_
