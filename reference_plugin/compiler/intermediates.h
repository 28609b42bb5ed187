// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Entry points that put out what a partition keeps to itself, so that tools can look at it.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_INTERMEDIATES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_INTERMEDIATES_H_

#include <cstddef>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// For each network i with keep[i], appends networks that put out what its layers compute:
// "NAME#intermediates", and "NAME#intermediates2", "3" and so on if one program can't address so
// many values. Each puts out what NAME does, then values of its own, which are called
// "HANDLE|TYPE|DIMS", with the handle that the layer has in NAME (handles number the layers of all
// networks in order). Of an op that took several layers, or has several outputs, only the value of
// its first output is put out.
void AddIntermediateEntries(const std::vector<bool>& keep, std::vector<Network>& networks);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_INTERMEDIATES_H_
