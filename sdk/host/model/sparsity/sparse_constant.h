// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Constants of which a file holds only the blocks that are not zero (Tensor::sparsity), as dense ones.
//
// The schema stores a tree: a level for each dimension, in traversal order, then one for each
// dimension of a block. A dense level has every index. A sparse one has, for each node of the level
// above, the indices from segments[node] to segments[node + 1]. The leaves are the stored elements.

#ifndef NPUKIT_SDK_HOST_MODEL_SPARSITY_SPARSE_CONSTANT_H_
#define NPUKIT_SDK_HOST_MODEL_SPARSITY_SPARSE_CONSTANT_H_

#include <cstdint>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit {

// The elements of a constant that has a sparsity: as many bytes as its type and shape need, zero
// where nothing is stored. Errors name the tensor: a sparsity that does not describe its shape, too
// few or too many stored elements, indices out of range, elements that are no whole bytes.
litert::Expected<std::vector<uint8_t>> DenseElements(const Tensor& tensor);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SPARSITY_SPARSE_CONSTANT_H_
