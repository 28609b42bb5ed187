# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What `./dev package` makes of an installation: Debian packages, one for each component, and an archive that runs from wherever
# it is unpacked.
#
#   libnpukit     libLiteRt.so, libnpukit_graph.so, the reference plugin  component runtime
#   npukit        the command, its verbs, suites, templates            component tools
#   npukit-dev    headers, archives, the CMake package                 component dev
#   npukit-doc    the pages that `npukit help` shows                   component doc
#   python3-npukit  the Python package                                 component python
#
# scripts/package/pack.sh packs, after it has written what is linked in and what Debian wants (NPUKIT_PACKAGE_FILES).

set(NPUKIT_PACKAGE_FILES "${PROJECT_BINARY_DIR}/package_files")
set(CPACK_PACKAGE_NAME npukit)
set(CPACK_PACKAGE_VENDOR "The npukit Authors")
set(CPACK_PACKAGE_CONTACT "The npukit Authors <npukit@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME "npukit-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
# Times in archives are those of the last change.
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/NpukitPackageTimes.cmake")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# One folder in the archive, whose name --strip-components=1 takes away.
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY ON)

set(CPACK_COMPONENTS_ALL runtime tools dev doc)
if(TARGET npukit_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
if(CMAKE_CROSSCOMPILING)  # else cpack asks dpkg
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)  # only of what every Debian has; the next line says it
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libnpukit)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(npukit_libraries "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "${npukit_libraries}")
file(WRITE "${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/triggers")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME npukit)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${npukit_libraries}, libnpukit (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME npukit-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libnpukit (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME npukit-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-npukit)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${npukit_libraries}, npukit (= ${PROJECT_VERSION}), python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
foreach(package IN ITEMS RUNTIME:libnpukit TOOLS:npukit DEV:npukit-dev DOC:npukit-doc PYTHON:python3-npukit)
  string(REPLACE ":" ";" package "${package}")
  list(GET package 0 npukit_component)
  list(GET package 1 npukit_package)
  string(TOLOWER "${npukit_component}" npukit_component)
  install(FILES "${NPUKIT_PACKAGE_FILES}/copyright" "${NPUKIT_PACKAGE_FILES}/changelog.gz"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${npukit_package}" COMPONENT ${npukit_component} OPTIONAL)
  if(npukit_component MATCHES "^(runtime|tools|python)$")  # those with binaries
    install(FILES "${CMAKE_CURRENT_LIST_DIR}/lintian-overrides" RENAME ${npukit_package}
            DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides" COMPONENT ${npukit_component})
  endif()
endforeach()
install(FILES "${NPUKIT_PACKAGE_FILES}/npukit.spdx.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit" COMPONENT runtime OPTIONAL)
install(DIRECTORY "${NPUKIT_PACKAGE_FILES}/licences" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit" COMPONENT runtime OPTIONAL)
include(CPack)
cpack_add_component(runtime DESCRIPTION "LiteRT's host library as npukit has it, and the plugin of the simulated NPU")
cpack_add_component(tools DESCRIPTION "Commands that build, run, explain and certify NPU plugins for LiteRT")
cpack_add_component(dev DESCRIPTION "Headers and the CMake package for NPU plugins and applications")
cpack_add_component(doc DESCRIPTION "Documentation of npukit")
cpack_add_component(python DESCRIPTION "npukit from Python: models, compiling, measuring, verdicts")
