// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/composites/composite_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

flexbuffers::Reference CompositeAttributes::Find(std::string_view name) const {
  if (!attributes_) return {};
  return attributes_->root().AsMap()[std::string(name)];
}

litert::Expected<CompositeAttributes> CompositeAttributes::Read(
    const Node& node, std::initializer_list<std::string_view> known) {
  CompositeAttributes read(node);
  const auto* options = node.op->OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr || options->composite_attributes.empty()) return read;
  read.attributes_ = FlexBuffer::Verify(options->composite_attributes);
  if (!read.attributes_) return InvalidNode(node, "has attributes that are no FlexBuffer");
  const flexbuffers::Reference root = read.attributes_->root();
  if (!root.IsMap()) return InvalidNode(node, "has attributes that are no map");
  const flexbuffers::TypedVector keys = root.AsMap().Keys();
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = keys[i].AsKey();
    if (std::find(known.begin(), known.end(), key) == known.end())
      return UnsupportedNode(node, fmt::format("has the attribute '{}', which is not known", key));
  }
  return read;
}

litert::Expected<float> CompositeAttributes::Number(std::string_view name, float absent) const {
  const flexbuffers::Reference found = Find(name);
  if (found.IsNull()) return absent;
  if (!found.IsNumeric() || !std::isfinite(found.AsFloat()))
    return UnsupportedNode(*node_, fmt::format("has an attribute {} that is no number", name));
  return found.AsFloat();
}

litert::Expected<int64_t> CompositeAttributes::Integer(std::string_view name,
                                                       int64_t absent) const {
  const flexbuffers::Reference found = Find(name);
  if (found.IsNull()) return absent;
  if (!found.IsIntOrUint())
    return UnsupportedNode(*node_, fmt::format("has an attribute {} that is no integer", name));
  return found.AsInt64();
}

litert::Expected<float> CompositeAttributes::Epsilon() const {
  LITERT_ASSIGN_OR_RETURN(const float epsilon, Number("epsilon", -1.0f));
  if (epsilon < 0) return UnsupportedNode(*node_, "has no epsilon from 0 up");
  return epsilon;
}

}  // namespace npukit::kernels
