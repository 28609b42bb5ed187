// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The mark of a compiled model: metadata `LiteRtStamp`, 250 bytes, two
// zero-padded strings of 125. A host that finds it does not compile the model
// again.

#ifndef NPUKIT_SDK_HOST_MODEL_METADATA_BUILD_STAMP_H_
#define NPUKIT_SDK_HOST_MODEL_METADATA_BUILD_STAMP_H_

#include <cstddef>
#include <optional>
#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

inline constexpr char kBuildStampMetadata[] = "LiteRtStamp";
inline constexpr size_t kBuildStampFieldBytes = 125;

struct BuildStamp {
  std::string soc_manufacturer;
  std::string soc_model;
  bool operator==(const BuildStamp&) const = default;
};

// Error: a string of more than 123 characters (LiteRT's limit), or one with a
// zero byte.
litert::Expected<void> SetBuildStamp(Model& model, const BuildStamp& stamp);

// Adds what another plugin says to what stands there, with a comma between.
litert::Expected<void> AddToBuildStamp(Model& model, const std::string& manufacturer,
                                       const std::string& soc_model);

// nullopt: not stamped. A stamp of another size (older files have 251 bytes)
// gives what can be read of it.
std::optional<BuildStamp> GetBuildStamp(const Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_METADATA_BUILD_STAMP_H_
