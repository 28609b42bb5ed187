// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What SPLIT, SPLIT_V and UNPACK share: the outputs are the input's parts along an axis, one behind
// the other.

#ifndef NPUKIT_SDK_HOST_KERNELS_MOVEMENT_SPLITTING_H_
#define NPUKIT_SDK_HOST_KERNELS_MOVEMENT_SPLITTING_H_

namespace npukit::kernels {

// The known axis that an operand of one element gives, for the dimensions of `split`.
litert::Expected<int32_t> SplitAxis(const Node& node, const Operand& axis, const Operand& split);

// Output shapes are set; an output's size along the axis follows from its elements.
litert::Expected<std::unique_ptr<Kernel>> MakeSplit(const Node& node, size_t input, int32_t axis,
                                                    size_t elem_bytes);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MOVEMENT_SPLITTING_H_
