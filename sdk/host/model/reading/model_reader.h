// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// .tflite bytes to graph IR. The bytes are untrusted: whatever they are, the
// result is a model that VerifyModel accepts, or an error that names the file,
// the place in it, what was expected and what was found.

#ifndef NPUKIT_SDK_HOST_MODEL_READING_MODEL_READER_H_
#define NPUKIT_SDK_HOST_MODEL_READING_MODEL_READER_H_

#include <memory>
#include <string>
#include <string_view>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

struct ReadOptions {
  // The tensors' ranges that were seen when the model was quantised (min, max): a number for each
  // channel, of use to none that runs the model.
  bool calibration = true;
};

// The model's constants point into the bytes and keep their owner alive; those
// that the file leaves unaligned are copied. `origin` names the bytes in
// errors.
litert::Expected<std::unique_ptr<Model>> ParseModel(SharedBytes file,
                                                    std::string_view origin = "model",
                                                    const ReadOptions& options = {});

// Maps the file, or of a bundle ("x.litertlm", "x.task") its model; "x.litertlm#prefill_decode" where
// it has several. It must not be changed or truncated while the model lives.
litert::Expected<SharedBytes> MapModel(const std::string& path);
litert::Expected<std::unique_ptr<Model>> LoadModel(const std::string& path,
                                                   const ReadOptions& options = {});

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_READING_MODEL_READER_H_
