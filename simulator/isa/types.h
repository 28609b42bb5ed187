// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The enumerations of enums.def and their names.

#ifndef NPUKIT_SIMULATOR_ISA_TYPES_H_
#define NPUKIT_SIMULATOR_ISA_TYPES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace acme {

#define ACME_ENUM_BEGIN(Name, doc) enum class Name : uint8_t {
#define ACME_ENUM_VALUE(Name, Id, value, text, doc) k##Id = value,
#define ACME_ENUM_END(Name) \
  }                         \
  ;
#include "simulator/isa/enums.def"
#undef ACME_ENUM_BEGIN
#undef ACME_ENUM_VALUE
#undef ACME_ENUM_END

// One value of an enumeration, as assembly and documentation show it.
struct EnumValueInfo {
  uint8_t value;
  std::string_view text;
  std::string_view doc;
};

struct EnumInfo {
  std::string_view name;
  std::string_view doc;
  std::span<const EnumValueInfo> values;

  const EnumValueInfo* FindValue(uint32_t value) const;
  const EnumValueInfo* FindText(std::string_view text) const;
};

// Info of an enumeration by type: EnumInfoOf<Dtype>().
template <class E>
const EnumInfo& EnumInfoOf();
#define ACME_ENUM_BEGIN(Name, doc) \
  template <>                      \
  const EnumInfo& EnumInfoOf<Name>();
#define ACME_ENUM_VALUE(Name, Id, value, text, doc)
#define ACME_ENUM_END(Name)
#include "simulator/isa/enums.def"
#undef ACME_ENUM_BEGIN
#undef ACME_ENUM_VALUE
#undef ACME_ENUM_END

// All of them, in the order of enums.def.
std::span<const EnumInfo* const> AllEnums();

template <class E>
std::string_view NameOf(E value) {
  const EnumValueInfo* info = EnumInfoOf<E>().FindValue(static_cast<uint32_t>(value));
  return info != nullptr ? info->text : std::string_view("?");
}

inline constexpr int kEngineCount = 5;
// Semaphores 1 .. 63; number 0 in a header means none.
inline constexpr int kSemaphoreCount = 64;
// A post that would take a semaphore above this is an error of the program.
inline constexpr int kSemaphoreMax = 255;
inline constexpr int kAddressRegisterCount = 16;
inline constexpr int kMaxLoopDepth = 8;
// Bindings below this number are the module's: constants and the DRAM workspace.
inline constexpr uint32_t kConstantsBinding = 0;
inline constexpr uint32_t kWorkspaceBinding = 1;
inline constexpr uint32_t kFirstIoBinding = 2;
// ISA version: major changes break old modules, minor ones add instructions and fields.
inline constexpr uint16_t kIsaVersionMajor = 1;
inline constexpr uint16_t kIsaVersionMinor = 15;

constexpr uint32_t SizeBytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::kI8:
    case Dtype::kU8:
    case Dtype::kBool:
      return 1;
    case Dtype::kI16:
      return 2;
    case Dtype::kI32:
    case Dtype::kF32:
      return 4;
    case Dtype::kI64:
      return 8;
  }
  return 1;
}

// Whether elements are integers of eight bits.
constexpr bool IsByte(Dtype dtype) { return dtype == Dtype::kI8 || dtype == Dtype::kU8; }

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_ISA_TYPES_H_
