// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Applies a compiler plugin's graph transformations to a model.

#ifndef NPUKIT_SDK_HOST_REWRITE_REWRITE_H_
#define NPUKIT_SDK_HOST_REWRITE_REWRITE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// After so many rewrites of one subgraph it is left as it is: patterns may undo each other for
// ever.
inline constexpr int kMaxRewritesPerSubgraph = 100;

// For each op of a rewritten model, by subgraph and position, the positions in the same subgraph of
// the given model of the ops that it stands for, ascending. An op that no rewrite touched stands
// for itself, and one that replaces nothing for none.
using OpOrigins = std::vector<std::vector<std::vector<uint32_t>>>;

// How a plugin's patterns call and are called; see docs/abi.md.
struct PatternAbi {
  bool has_block_wise_argument = false;  // see LiteRtBuilderT
  const void* context = nullptr;         // not null: goes before a pattern's two arguments
};

struct RewriteCount {
  size_t applied = 0;
  bool limit_reached = false;  // in a subgraph at least
  OpOrigins origins;           // of all subgraphs, where there are transformations
};

// Origins of what was rewritten twice: `second` are in the model that `first` leads to.
OpOrigins Compose(const OpOrigins& first, const OpOrigins& second);

// Offers each op, in order, to the patterns, the one of the highest benefit first (equal ones in
// the order given); after each match starts again at the subgraph's first op. A pattern that
// returns anything but kLiteRtStatusOk, or changes nothing, has not matched. Errors name the transformation: a null
// pattern or name (InvalidArgument, nothing is changed), or a rewrite that RewriteBuilder::Apply
// refuses; what was applied before stays.
litert::Expected<RewriteCount> RewriteModel(Model& model,
                                            std::span<const LiteRtTransformation> transformations,
                                            const PatternAbi& abi = {});

// Of a plugin that stands for one in another process, where its patterns can't be called: what RewriteModel would make of
// the model, made there. The model may be another one then, with the same buffers.
using RewriteElsewhere = litert::Expected<RewriteCount> (*)(LiteRtCompilerPlugin plugin,
                                                            std::unique_ptr<Model>& model);
// Under this name among the functions of a plugin that is linked in, and of no other.
inline constexpr char kRewriteElsewhere[] = "NpukitRewriteElsewhere";

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_REWRITE_REWRITE_H_
