// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/ssh_bootstrap.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include "litert/cc/litert_macros.h"

namespace npukit::remote {
namespace {

// Before the script's first word.
constexpr size_t kMaxBannerBytes = size_t{64} << 10;

// Without single quotes, between which it goes to the login shell. A word that is read is used as a
// path: digests and names are the desk's. A file is there if it has its size; it gets its place in one
// step, and what did not arrive whole is removed, also when the connection ends.
//
// Each line is answered before the next is sent, so that what a program reads ahead is nobody
// else's: `read` stops behind its line (POSIX), and the file that follows a `put` is the last that
// comes until it is answered. Two desks may do this at a time: $$ keeps their files apart, and mv
// puts one in place of the other whole, also where a worker of that file runs.
constexpr char kScript[] =
    R"sh(umask 077; d="$1"; mkdir -p "$d" && cd "$d" || { echo npukit: no folder "$d"; exit 1; }
t=.coming.$$; trap "rm -f $t" EXIT; trap "exit 1" HUP INT TERM PIPE
size() { if [ -f "$1" ]; then wc -c < "$1" | tr -d " "; else echo none; fi; }
echo npukit: ready
while read -r verb digest bytes name; do
case "$verb" in
have) if [ "$(size "$digest/$name")" = "$bytes" ]; then echo npukit: yes; else echo npukit: no; fi;;
put) mkdir -p "$digest" && head -c "$bytes" > $t
if [ "$(size $t)" = "$bytes" ] && chmod 700 $t && mv -f $t "$digest/$name"; then echo npukit: yes
else rm -f $t; echo npukit: the file "$name" did not arrive whole: is the disk full?; fi;;
run) if [ -x "$digest/npukit-worker" ]; then echo npukit: yes; trap - EXIT HUP INT TERM PIPE
exec "$digest/npukit-worker" --cache "$(pwd)/files"; fi; echo npukit: there is no "$d/$digest/npukit-worker"; exit 1;;
esac
done)sh";
// What a login prints has lines of its own (motd, profiles): only those with the mark are the
// script's.
constexpr std::string_view kMark = "npukit: ";

litert::Unexpected Failed(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, what);
}

litert::Expected<void> IsReady(int fd, short events, std::chrono::milliseconds silence) {
  pollfd ready = {fd, events, 0};
  int count = 0;
  do {
    count = poll(&ready, 1, static_cast<int>(silence.count()));
  } while (count < 0 && errno == EINTR);
  if (count > 0) return {};
  return Failed(fmt::format("nothing came for {} ms", silence.count()));
}

litert::Expected<void> SendAll(int fd, std::span<const uint8_t> bytes,
                               std::chrono::milliseconds silence) {
  while (!bytes.empty()) {
    LITERT_RETURN_IF_ERROR(IsReady(fd, POLLOUT, silence));
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) return Failed(fmt::format("can't be written to: {}", strerror(errno)));
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return {};
}

// Byte by byte: what follows the line is the worker's.
litert::Expected<std::string> ReadLine(int fd, std::chrono::milliseconds silence) {
  std::string line;
  while (line.size() < kMaxBannerBytes) {
    LITERT_RETURN_IF_ERROR(IsReady(fd, POLLIN, silence));
    char byte = 0;
    const ssize_t got = recv(fd, &byte, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Failed("the connection ended");
    if (byte == '\n') return line;
    line += byte;
  }
  return Failed("a line without an end came");
}

// The script's next word.
litert::Expected<std::string> ReadWord(int fd, std::chrono::milliseconds silence) {
  size_t banner_bytes = 0;
  while (banner_bytes < kMaxBannerBytes) {
    LITERT_ASSIGN_OR_RETURN(std::string line, ReadLine(fd, silence));
    if (line.starts_with(kMark)) return line.substr(kMark.size());
    banner_bytes += line.size() + 1;
  }
  return Failed("what answers is no shell that can start a worker");
}

litert::Expected<std::string> Ask(int fd, const std::string& line,
                                  std::chrono::milliseconds silence) {
  LITERT_RETURN_IF_ERROR(
      SendAll(fd, {reinterpret_cast<const uint8_t*>(line.data()), line.size()}, silence));
  return ReadWord(fd, silence);
}

}  // namespace

std::string BootstrapCommand(const std::string& folder) {
  return fmt::format("exec sh -c '{}' sh {}", kScript, folder);
}

litert::Expected<void> Bootstrap(int fd, const WorkerFiles& files,
                                 std::chrono::milliseconds silence) {
  LITERT_ASSIGN_OR_RETURN(std::string word, ReadWord(fd, silence));
  if (word != "ready") return Failed(word);
  for (const WorkerFile& file : files.files) {
    const std::string what = fmt::format("{} {} {}\n", files.digest, file.bytes.size(), file.name);
    LITERT_ASSIGN_OR_RETURN(word, Ask(fd, "have " + what, silence));
    if (word == "yes") continue;
    const std::string put = "put " + what;
    LITERT_RETURN_IF_ERROR(
        SendAll(fd, {reinterpret_cast<const uint8_t*>(put.data()), put.size()}, silence));
    LITERT_RETURN_IF_ERROR(SendAll(fd, file.bytes, silence));
    LITERT_ASSIGN_OR_RETURN(word, ReadWord(fd, silence));
    if (word != "yes") return Failed(word);
  }
  // Without files of the desk's, those in the folder itself.
  const std::string place = files.files.empty() ? "." : files.digest;
  LITERT_ASSIGN_OR_RETURN(word, Ask(fd, fmt::format("run {}\n", place), silence));
  if (word != "yes") return Failed(word);
  return {};
}

}  // namespace npukit::remote
