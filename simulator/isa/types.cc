// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/types.h"

namespace acme {

const EnumValueInfo* EnumInfo::FindValue(uint32_t value) const {
  for (const EnumValueInfo& info : values) {
    if (info.value == value) return &info;
  }
  return nullptr;
}

const EnumValueInfo* EnumInfo::FindText(std::string_view text) const {
  for (const EnumValueInfo& info : values) {
    if (info.text == text) return &info;
  }
  return nullptr;
}

#define ACME_ENUM_BEGIN(Name, doc)               \
  namespace {                                    \
  constexpr std::string_view k##Name##Doc = doc; \
  constexpr EnumValueInfo k##Name##Values[] = {
#define ACME_ENUM_VALUE(Name, Id, value, text, doc) {value, text, doc},
#define ACME_ENUM_END(Name)                                                  \
  }                                                                          \
  ;                                                                          \
  constexpr EnumInfo k##Name##Info = {#Name, k##Name##Doc, k##Name##Values}; \
  }                                                                          \
  template <>                                                                \
  const EnumInfo& EnumInfoOf<Name>() {                                       \
    return k##Name##Info;                                                    \
  }
#include "simulator/isa/enums.def"
#undef ACME_ENUM_BEGIN
#undef ACME_ENUM_VALUE
#undef ACME_ENUM_END

std::span<const EnumInfo* const> AllEnums() {
  static constexpr const EnumInfo* kAll[] = {
#define ACME_ENUM_BEGIN(Name, doc) &k##Name##Info,
#define ACME_ENUM_VALUE(Name, Id, value, text, doc)
#define ACME_ENUM_END(Name)
#include "simulator/isa/enums.def"
#undef ACME_ENUM_BEGIN
#undef ACME_ENUM_VALUE
#undef ACME_ENUM_END
  };
  return kAll;
}

}  // namespace acme
