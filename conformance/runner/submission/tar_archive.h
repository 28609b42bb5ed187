// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Archives of a few regular files, as POSIX's ustar has them, so that `tar` shows what is in a
// submission.

#ifndef NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_TAR_ARCHIVE_H_
#define NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_TAR_ARCHIVE_H_

#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct TarEntry {
  std::string name;  // letters, digits, '.', '_' and '-': no folders
  std::string_view bytes;
};

// The same bytes for the same entries: no times, no owners.
litert::Expected<void> WriteTar(const std::string& path, const std::vector<TarEntry>& entries);

// The entries of a whole archive's bytes, which must stay. Strict: regular files of plain names alone,
// each once, sizes within the archive, right checksums, nothing behind the end.
litert::Expected<std::vector<TarEntry>> ReadTar(std::string_view archive);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_TAR_ARCHIVE_H_
