// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/composites/composite_attributes.h"

#include <flatbuffers/flexbuffers.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

const std::vector<uint8_t>* BytesOf(const Node& node) {
  const auto* options = node.op->OptionsAs<StableHLOCompositeOptions>();
  return options == nullptr || options->composite_attributes.empty()
             ? nullptr
             : &options->composite_attributes;
}

// A null reference where there is none. The bytes have been verified.
flexbuffers::Reference Find(const Node& node, std::string_view name) {
  const std::vector<uint8_t>* bytes = BytesOf(node);
  if (bytes == nullptr) return {};
  return flexbuffers::GetRoot(bytes->data(), bytes->size()).AsMap()[std::string(name)];
}

}  // namespace

litert::Expected<CompositeAttributes> CompositeAttributes::Read(
    const Node& node, std::initializer_list<std::string_view> known) {
  CompositeAttributes attributes(node);
  const std::vector<uint8_t>* bytes = BytesOf(node);
  if (bytes == nullptr) return attributes;
  if (!flexbuffers::VerifyBuffer(bytes->data(), bytes->size(), nullptr))
    return InvalidNode(node, "has attributes that are no FlexBuffer");
  const flexbuffers::Reference root = flexbuffers::GetRoot(bytes->data(), bytes->size());
  if (!root.IsMap()) return InvalidNode(node, "has attributes that are no map");
  const flexbuffers::TypedVector keys = root.AsMap().Keys();
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string key = keys[i].AsKey();
    if (std::find(known.begin(), known.end(), key) == known.end())
      return UnsupportedNode(node, "has the attribute '" + key + "', which is not known");
  }
  return attributes;
}

litert::Expected<float> CompositeAttributes::Number(std::string_view name, float absent) const {
  const flexbuffers::Reference found = Find(*node_, name);
  if (found.IsNull()) return absent;
  if (!found.IsNumeric() || !std::isfinite(found.AsFloat()))
    return UnsupportedNode(*node_, "has an attribute " + std::string(name) + " that is no number");
  return found.AsFloat();
}

litert::Expected<int64_t> CompositeAttributes::Integer(std::string_view name,
                                                       int64_t absent) const {
  const flexbuffers::Reference found = Find(*node_, name);
  if (found.IsNull()) return absent;
  if (!found.IsIntOrUint())
    return UnsupportedNode(*node_, "has an attribute " + std::string(name) + " that is no integer");
  return found.AsInt64();
}

litert::Expected<float> CompositeAttributes::Epsilon() const {
  LITERT_ASSIGN_OR_RETURN(const float epsilon, Number("epsilon", -1.0f));
  if (epsilon < 0) return UnsupportedNode(*node_, "has no epsilon from 0 up");
  return epsilon;
}

}  // namespace npukit::kernels
