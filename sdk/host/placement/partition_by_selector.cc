// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/partition_by_selector.h"

#include "litert/cc/litert_macros.h"

namespace npukit {

litert::Expected<PartitionedModel> PartitionBySelector(const Model& model, const Selector& selector,
                                                       const KeepWhole& keep_whole) {
  OpNumbering numbering(model);
  SelectionQuestions questions({{.manufacturer = "", .description = "", .select = selector}});
  LITERT_ASSIGN_OR_RETURN(const PlacedModel placed, PlaceModel(model, numbering, questions,
                                                               {.plugins = {""}}, {}, keep_whole));
  return PartitionModel(placed.unfolded, placed.placement);
}

}  // namespace npukit
