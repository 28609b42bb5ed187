// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A kernel as the oracle of an operator whose choices make error analysis useless.

#ifndef NPUKIT_SDK_HOST_KERNELS_ORACLE_FLOAT_KERNEL_ORACLE_H_
#define NPUKIT_SDK_HOST_KERNELS_ORACLE_FLOAT_KERNEL_ORACLE_H_

#include <span>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// Which box is dropped, which sample is drawn: the kernel's own values, floats each granted `ulps`
// units in the last place of the output's largest magnitude. Inputs must be certain. States are
// written to copies.
litert::Expected<void> OracleByFloatKernel(const Node& node,
                                           std::span<const OracleTensor* const> inputs,
                                           std::span<OracleTensor> outputs, double ulps);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ORACLE_FLOAT_KERNEL_ORACLE_H_
