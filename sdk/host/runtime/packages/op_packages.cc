// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/packages/op_packages.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/op_package.h"
#include "sdk/host/library/elf_facts.h"
#include "sdk/host/library/shared_libraries.h"

namespace npukit {
namespace {

constexpr char kSymbol[] = "opPackageDescriptor";

struct OpenPackages {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<OpPackage>> by_path;
};

OpenPackages& Open() {
  static auto* const open = new OpenPackages;
  return *open;
}

litert::Unexpected Refuse(const std::string& path, const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, path + ": " + why);
}

bool IsText(const char (&text)[NPUKIT_OP_PACKAGE_NAME_BYTES]) {
  return text[0] != '\0' && std::memchr(text, '\0', sizeof(text)) != nullptr;
}

litert::Expected<std::vector<NpukitOpFactory>> CheckDescriptor(
    const std::string& path, const NpukitOpPackageDescriptor* descriptor) {
  if (descriptor == nullptr) return Refuse(path, "opPackageDescriptor gave null");
  if (descriptor->version != NPUKIT_OP_PACKAGE_VERSION) {
    return Refuse(path, fmt::format("is of package version {}: expected {}", descriptor->version,
                                    NPUKIT_OP_PACKAGE_VERSION));
  }
  if (descriptor->struct_size != sizeof(NpukitOpPackageDescriptor)) {
    return Refuse(path, fmt::format("its descriptor has {} bytes: expected {}",
                                    descriptor->struct_size, sizeof(NpukitOpPackageDescriptor)));
  }
  const uint32_t count = descriptor->num_operators;
  if (count == 0 || count > NPUKIT_OP_PACKAGE_MAX_OPERATORS) {
    return Refuse(path, fmt::format("has {} operators: expected 1 to {}", count,
                                    NPUKIT_OP_PACKAGE_MAX_OPERATORS));
  }
  if (!IsText(descriptor->name)) return Refuse(path, "its name is empty or has no end");
  if (descriptor->device != kNpukitOpDeviceCpu)
    return Refuse(path, fmt::format("is for device {}: expected 0, cpu", descriptor->device));
  if (descriptor->operators == nullptr) return Refuse(path, "operators is null");
  std::vector<NpukitOpFactory> factories(descriptor->operators, descriptor->operators + count);
  for (size_t i = 0; i < factories.size(); ++i) {
    if (!IsText(factories[i].name))
      return Refuse(path, fmt::format("operator {}: its name is empty or has no end", i));
    if (factories[i].create == nullptr || factories[i].free_op == nullptr) {
      return Refuse(path, fmt::format("operator {} ({}): create or free_op is null", i,
                                      static_cast<const char*>(factories[i].name)));
    }
  }
  return factories;
}

// In order, each file once.
void LoadFolder(const std::string& folder, OpPackages& result, std::set<std::string>& seen) {
  std::error_code error;
  for (const std::string& path : FindSharedLibraries(WithFoldersBelow(folder), error)) {
    std::error_code ignored;
    if (!seen.insert(std::filesystem::weakly_canonical(path, ignored).string()).second) continue;
    const auto facts = ReadElfFacts(path);
    if (!facts) {
      result.failures.push_back({path, facts.Error().Message()});
      continue;
    }
    if (!facts->Exports(kSymbol)) continue;
    auto package = OpPackage::Load(path);
    if (package) {
      result.packages.push_back(std::move(*package));
    } else {
      result.failures.push_back({path, package.Error().Message()});
    }
  }
  if (error) {
    result.failures.push_back({folder, fmt::format("can't be searched: {}", error.message())});
  }
}

}  // namespace

struct OpPackage::Library {
  void* handle = nullptr;
  ~Library() {
    if (handle != nullptr) dlclose(handle);
  }
};

OpPackage::OpPackage(const std::string& path, std::unique_ptr<Library> library)
    : OpSource(path), library_(std::move(library)) {}

OpPackage::~OpPackage() = default;

litert::Expected<std::shared_ptr<OpPackage>> OpPackage::Load(const std::string& path) {
  std::error_code ignored;
  const std::string key = std::filesystem::weakly_canonical(path, ignored).string();
  OpenPackages& open = Open();
  const std::lock_guard lock(open.mutex);
  if (auto known = open.by_path[key].lock()) return known;
  auto library = std::make_unique<Library>();
  library->handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library->handle == nullptr) {
    const char* why = dlerror();
    return litert::Unexpected(
        kLiteRtStatusErrorDynamicLoading,
        fmt::format("{}: can't be opened: {}", path, why == nullptr ? "" : why));
  }
  const auto get = reinterpret_cast<NpukitOpPackageDescriptorT>(dlsym(library->handle, kSymbol));
  if (get == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                              fmt::format("{}: does not export {}", path, kSymbol));
  const NpukitOpPackageDescriptor* descriptor = get();
  LITERT_ASSIGN_OR_RETURN(const auto factories, CheckDescriptor(path, descriptor));
  std::shared_ptr<OpPackage> package(new OpPackage(path, std::move(library)));
  package->name_ = descriptor->name;
  package->device_ = "cpu";
  for (const NpukitOpFactory& factory : factories) package->operators_.emplace_back(factory.name);
  LITERT_RETURN_IF_ERROR(kernels::RegisterOperators(package, factories));
  open.by_path[key] = package;
  return package;
}

OpPackages LoadOpPackages(const std::vector<std::string>& folders) {
  OpPackages result;
  std::set<std::string> seen;
  const char* variable = std::getenv("NPUKIT_OP_PACKAGE_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    if (!folder.empty()) LoadFolder(std::string(folder), result, seen);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  for (const std::string& folder : folders) LoadFolder(folder, result, seen);
  return result;
}

}  // namespace npukit

extern "C" LiteRtStatus NpukitRegisterCustomizedOp(int32_t device, const NpukitOpFactory* factory) {
  using npukit::kernels::OpSource;
  if (factory == nullptr || device != kNpukitOpDeviceCpu || factory->create == nullptr ||
      factory->free_op == nullptr || !npukit::IsText(factory->name))
    return kLiteRtStatusErrorInvalidArgument;
  // In-tree operators stay for the life of the process.
  static auto* const source =
      new std::shared_ptr<OpSource>(std::make_shared<OpSource>("registered by the program"));
  const auto registered = npukit::kernels::RegisterOperators(*source, {*factory});
  return registered ? kLiteRtStatusOk : registered.Error().Status();
}
