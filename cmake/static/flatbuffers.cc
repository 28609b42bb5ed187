// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The one thing of FlatBuffers' library that models and modules need: its locale. Debian's archive is not for shared libraries
// (NPUKIT_STATIC_DEPENDENCIES).

#include <flatbuffers/util.h>
#include <locale.h>

#if defined(FLATBUFFERS_LOCALE_INDEPENDENT) && FLATBUFFERS_LOCALE_INDEPENDENT > 0
namespace flatbuffers {

ClassicLocale::ClassicLocale() : locale_(newlocale(LC_ALL_MASK, "C", nullptr)) {}
ClassicLocale::~ClassicLocale() { freelocale(locale_); }
ClassicLocale ClassicLocale::instance_;

}  // namespace flatbuffers
#endif
