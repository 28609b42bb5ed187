// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a model says of the libraries that it needs: its stamp and its dispatch ops.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_MODEL_FILE_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_MODEL_FILE_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"

namespace npukit::tools {

struct ModelFile {
  std::string path;  // of a part of a bundle with "#1" behind it, from 0 on
  bool has_stamp = false;
  std::string soc_manufacturer, soc_model;
  size_t ops = 0;
  std::vector<std::string> entry_points;        // one for each dispatch op
  size_t empty_modules = 0;                     // dispatch ops without bytecode
  std::map<std::string, std::string> versions;  // that the bytecode states
};

bool IsBundle(const SharedBytes& file);

// The model in a .tflite file, or those in a bundle (.litertlm). Errors: none can be read.
litert::Expected<std::vector<ModelFile>> ExamineModels(const std::string& path,
                                                       const SharedBytes& file);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_MODEL_FILE_H_
