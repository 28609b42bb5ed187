// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that are undefined for some values of an input (a divisor of 0): the values are looked
// at before anything is computed, and the error names op, tensor and element.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_CHECKED_INPUT_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_CHECKED_INPUT_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

// "DIV (op 7): 'b' (tensor 1, int32[4]) is 0", and the error with the element's place.
std::string NodeFault(const Node& node, size_t input, std::string_view fault);
litert::Unexpected ElementError(std::string_view fault, size_t elem);

// `allowed(value)` of every element of the input, else "... <fault> at element 5".
template <typename T, typename Allowed>
class CheckedInputKernel final : public Kernel {
 public:
  CheckedInputKernel(const Node& node, size_t input, std::string_view fault, Allowed allowed,
                     std::unique_ptr<Kernel> kernel)
      : input_(input),
        fault_(NodeFault(node, input, fault)),
        allowed_(std::move(allowed)),
        kernel_(std::move(kernel)) {
    scratch_bytes_ = kernel_->scratch_bytes();
    packed_bytes_ = kernel_->packed_bytes();
    in_place_input_ = kernel_->in_place_input();
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* values = DataOf<T>(context.inputs[input_]);
    const size_t count = context.inputs[input_].size() / sizeof(T);
    for (size_t i = 0; i < count; ++i) {
      if (!allowed_(values[i])) {
        return ElementError(fault_, i);
      }
    }
    return kernel_->Run(context);
  }

 private:
  size_t input_;
  std::string fault_;
  Allowed allowed_;
  std::unique_ptr<Kernel> kernel_;
};

template <typename T, typename Allowed>
litert::Expected<std::unique_ptr<Kernel>> CheckInput(
    const Node& node, size_t input, std::string_view fault, Allowed allowed,
    litert::Expected<std::unique_ptr<Kernel>> kernel) {
  if (!kernel) return kernel.Error();
  return std::unique_ptr<Kernel>(std::make_unique<CheckedInputKernel<T, Allowed>>(
      node, input, fault, std::move(allowed), std::move(*kernel)));
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_CHECKED_INPUT_H_
