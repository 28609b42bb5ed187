// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Faults in what Mimic's compiler makes of a graph: as the graph is before it is written into bytecode.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_PLANTED_GRAPHS_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_PLANTED_GRAPHS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit::conformance::mimic {

// What option `name` becomes, where the op has such a field.
template <typename T>
void ChangeOption(Op& op, std::string_view name, const std::function<T(T)>& change) {
  VisitFields(op.options, [&]<typename F>(std::string_view field, F& value) {
    if constexpr (std::is_same_v<F, T>) {
      if (field == name) value = change(value);
    }
  });
}

// 0 where the op has none.
int32_t OptionOf(Op& op, std::string_view name);

bool IsPool(const Op& op);

// Plants into the graphs of a module.
void PlantInGraphs(Model& model);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_PLANTED_GRAPHS_H_
