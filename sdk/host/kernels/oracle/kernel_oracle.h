// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kernels as oracles: of operators whose results have one right value, so that the plain kernel is
// the reference.

#ifndef NPUKIT_SDK_HOST_KERNELS_ORACLE_KERNEL_ORACLE_H_
#define NPUKIT_SDK_HOST_KERNELS_ORACLE_KERNEL_ORACLE_H_

#include <span>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// OperatorParts::oracle of integers whose fast kernel is itself the plain loop:
// runs the kernel. Uncertain inputs are an error, floats too.
litert::Expected<void> OracleByKernel(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs);

// Runs the kernel with scratch memory of its own.
litert::Expected<void> RunKernelOnce(const Kernel& kernel,
                                     std::span<const std::span<const uint8_t>> inputs,
                                     std::span<const std::span<uint8_t>> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ORACLE_KERNEL_ORACLE_H_
