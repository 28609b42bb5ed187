// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tables of single nodes, with what running each must give.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_CASES_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_CASES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels::testing {

struct ResultCase {
  std::string name;
  LiteRtOpCode code;
  OpOptions options{};
  std::function<void(NodeBuilder&)> build;
  std::vector<std::vector<uint8_t>> inputs{};  // empty ones are the constants
  std::vector<Shape> shapes;                   // of the outputs
  std::vector<std::vector<uint8_t>> outputs;
};

// Fails the test unless the kernel gives just that, and the oracle agrees with it.
void ExpectResults(const std::vector<ResultCase>& cases);

struct HostileCase {
  std::string name;
  LiteRtOpCode code;
  OpOptions options{};
  std::function<void(NodeBuilder&)> build;
  std::vector<std::vector<uint8_t>> inputs{};
  std::vector<std::string> says;  // the parts of the error, the operator's name first
};

// Fails the test unless each is an error.
void ExpectErrors(const std::vector<HostileCase>& cases);

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_CASES_H_
