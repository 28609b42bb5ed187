// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A file's bytes, which desk and worker send and check.

#ifndef NPUKIT_SDK_REMOTE_WIRE_FILE_BYTES_H_
#define NPUKIT_SDK_REMOTE_WIRE_FILE_BYTES_H_

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npukit::remote {

// Nothing: it can't be read to its end.
// Its size is asked for once: what is written to it meanwhile is not read, and a file that becomes
// shorter is none that could be read. Only a regular file tells its size.
inline std::optional<std::vector<uint8_t>> ReadFileBytes(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct stat status = {};
  std::optional<std::vector<uint8_t>> bytes;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) bytes.emplace(status.st_size);
  for (size_t done = 0; bytes && done < bytes->size();) {
    const ssize_t got = read(fd, bytes->data() + done, bytes->size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      bytes.reset();
    } else {
      done += static_cast<size_t>(got);
    }
  }
  close(fd);
  return bytes;
}

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WIRE_FILE_BYTES_H_
