// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_READING_TENSOR_READER_H_
#define NPUKIT_SDK_HOST_MODEL_READING_TENSOR_READER_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/model/reading/read_context.h"

namespace npukit::schema {
struct Tensor;
}  // namespace npukit::schema

namespace npukit {

// Fills a new tensor. The buffers must be in the store already. Error: an
// unknown element type or kind of quantisation or sparse index, a buffer out of
// range.
litert::Expected<void> ReadTensor(const schema::Tensor& in, ReadContext& context, Tensor& out);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_READING_TENSOR_READER_H_
