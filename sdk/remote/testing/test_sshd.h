// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An sshd of a test's own, on the loopback interface, with its own keys and settings: nothing of the
// machine's ssh is read or changed.

#ifndef NPUKIT_SDK_REMOTE_TESTING_TEST_SSHD_H_
#define NPUKIT_SDK_REMOTE_TESTING_TEST_SSHD_H_

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.h"

namespace npukit::remote {

class TestSshd {
 public:
  // Why there can be none here; empty: there can.
  static std::string WhyNot() {
    for (const char* program : {"/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen"}) {
      if (access(program, X_OK) != 0)
        return fmt::format("there is no {} (Debian: openssh-server)", program);
    }
    // Of a root's sshd, which it leaves to the system to make.
    std::error_code error;
    if (geteuid() == 0) std::filesystem::create_directory("/run/sshd", error);
    return error ? "/run/sshd: " + error.message() : std::string();
  }

  TestSshd() {
    for (const char* key : {"host_key", "user_key"})
      EXPECT_EQ(Shell(fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}/{}", folder_, key)), 0);
    std::filesystem::copy(folder_ + "/user_key.pub", folder_ + "/authorized_keys");
    const int port = FreePort();
    Write("sshd_config",
          fmt::format("Port {1}\nListenAddress 127.0.0.1\nHostKey {0}/host_key\nPidFile none\n"
                      "AuthorizedKeysFile {0}/authorized_keys\nStrictModes no\nUsePAM no\n"
                      "PasswordAuthentication no\nPermitRootLogin yes\nLogLevel ERROR\n",
                      folder_, port));
    const passwd* const user = getpwuid(geteuid());
    Write("ssh_config",
          fmt::format("Host board\nHostName 127.0.0.1\nPort {1}\nUser {2}\nIdentityFile "
                      "{0}/user_key\nIdentitiesOnly yes\nStrictHostKeyChecking no\n"
                      "UserKnownHostsFile /dev/null\nLogLevel ERROR\n",
                      folder_, port, user == nullptr ? "root" : user->pw_name));
    setenv("NPUKIT_SSH", fmt::format("ssh -F {}/ssh_config", folder_).c_str(), 1);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      execl("/usr/sbin/sshd", "/usr/sbin/sshd", "-D", "-e", "-f",
            (folder_ + "/sshd_config").c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    for (int tries = 0; tries < 100 && Shell("$NPUKIT_SSH board true") != 0; ++tries)
      usleep(50'000);
  }
  ~TestSshd() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    unsetenv("NPUKIT_SSH");
  }
  TestSshd(const TestSshd&) = delete;
  TestSshd& operator=(const TestSshd&) = delete;

  // Of the test's own, removed at the end.
  const std::string& folder() const { return folder_; }

  static int Shell(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1").c_str());
  }

 private:
  void Write(const char* name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }
  static int FreePort() {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
    close(fd);
    return ntohs(address.sin_port);
  }

  TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  pid_t pid_ = -1;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_TESTING_TEST_SSHD_H_
