// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a desk brings to a device that has nothing yet: the worker and the host library, built for it.

#ifndef NPUKIT_SDK_REMOTE_DESK_WORKER_FILES_H_
#define NPUKIT_SDK_REMOTE_DESK_WORKER_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

struct WorkerFile {
  std::string name;  // "npukit-worker", "libLiteRt.so"
  std::vector<uint8_t> bytes;
};

struct WorkerFiles {
  std::vector<WorkerFile> files;
  std::string digest;  // of all of them
};

// In the folder, or in `bin` and `lib` beside it, as a build or an installation has them. Without
// files where the worker or the library is not there; an error where one can't be read.
litert::Expected<WorkerFiles> FindWorkerFiles(const std::string& folder);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_WORKER_FILES_H_
