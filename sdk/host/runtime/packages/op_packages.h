// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds and opens operator packages (npukit/op_package.h).

#ifndef NPUKIT_SDK_HOST_RUNTIME_PACKAGES_OP_PACKAGES_H_
#define NPUKIT_SDK_HOST_RUNTIME_PACKAGES_OP_PACKAGES_H_

#include <memory>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/customized/customized_ops.h"

namespace npukit {

// An open package. Its operators are on offer as long as anybody holds it: kernels do, too. Then
// the library is closed.
class OpPackage : public kernels::OpSource {
 public:
  // Opens the file, checks the descriptor and offers its operators. A second Load of the same file
  // gives the same object while the first one lives. Errors name the file; version, size and count
  // are checked before anything else is read; of a duplicate operator both files are named.
  static litert::Expected<std::shared_ptr<OpPackage>> Load(const std::string& path);
  ~OpPackage() override;

  const std::string& name() const { return name_; }
  const std::string& device() const { return device_; }  // "cpu"
  const std::vector<std::string>& operators() const { return operators_; }

 private:
  struct Library;
  OpPackage(const std::string& path, std::unique_ptr<Library> library);

  std::unique_ptr<Library> library_;
  std::string name_;
  std::string device_;
  std::vector<std::string> operators_;
};

struct OpPackages {
  std::vector<std::shared_ptr<OpPackage>> packages;
  struct Failure {
    std::string path;
    std::string reason;
  };
  std::vector<Failure> failures;
};

// All *.so files that export opPackageDescriptor, of the folders and their subfolders, by path;
// before them those of the folders in NPUKIT_OP_PACKAGE_PATH (with ':' between). What a folder
// holds besides is passed over. Every failure is listed, none is fatal.
OpPackages LoadOpPackages(const std::vector<std::string>& folders);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PACKAGES_OP_PACKAGES_H_
