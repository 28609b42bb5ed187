// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model as the YAML that `npukit build` reads (docs/models.md).

#ifndef NPUKIT_SDK_TOOLS_REPORTS_MODEL_YAML_H_
#define NPUKIT_SDK_TOOLS_REPORTS_MODEL_YAML_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::tools {

struct ModelYamlOptions {
  // Constants of more elements than a line holds go to files in this folder, which is made. Empty:
  // they are written as random ones.
  std::string weights_folder;
  // How the YAML names that folder, from where it is put.
  std::string weights_name;
};

// Names that are missing or stand twice are made up. Left out are the description, metadata,
// calibration ranges and sparsity's description. Errors: what the language has no words for (sparse
// or external weights, dispatch ops, intermediates, custom quantisation), by tensor or op; a file
// that can't be written.
litert::Expected<std::string> ModelYaml(const Model& model, const ModelYamlOptions& options);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_MODEL_YAML_H_
