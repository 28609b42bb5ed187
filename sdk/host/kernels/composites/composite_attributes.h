// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a STABLEHLO_COMPOSITE, which stand in a FlexBuffer map.
//
// A native kernel gives kLiteRtStatusErrorUnsupported for attributes that it does not know how to
// honour: the composite then runs through its decomposition.

#ifndef NPUKIT_SDK_HOST_KERNELS_COMPOSITES_COMPOSITE_ATTRIBUTES_H_
#define NPUKIT_SDK_HOST_KERNELS_COMPOSITES_COMPOSITE_ATTRIBUTES_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {

class CompositeAttributes {
 public:
  // Unsupported if there are others than `known`. No attributes at all are an empty map.
  static litert::Expected<CompositeAttributes> Read(const Node& node,
                                                    std::initializer_list<std::string_view> known);

  // The attribute, or `absent` where it is not given. Unsupported if it is no finite number.
  litert::Expected<float> Number(std::string_view name, float absent) const;
  litert::Expected<int64_t> Integer(std::string_view name, int64_t absent) const;
  // A number from 0 up that must be given.
  litert::Expected<float> Epsilon() const;

 private:
  explicit CompositeAttributes(const Node& node) : node_(&node) {}

  // A null reference where there is none.
  flexbuffers::Reference Find(std::string_view name) const;

  const Node* node_;                      // outlives this
  std::optional<FlexBuffer> attributes_;  // a map
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_COMPOSITES_COMPOSITE_ATTRIBUTES_H_
