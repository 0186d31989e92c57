# fl_room(NAME USES room… LIBRARIES target… PRECOMPILE header…): one folder of src/ as a library.
#
# USES is the dependency rule of the architecture: a room includes headers of itself and of those rooms
# only, and of each of them. tools/rooms holds the includes against it before anything of the room is
# compiled. PRECOMPILE names headers, rooted at src/ or in <>, that most files of the room include; a room
# without them shares one precompiled header of the standard library, formatting and JSON.
function(fl_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBRARIES;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(fl_${name} STATIC ${sources})
  target_include_directories(fl_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ROOM_USES PREPEND fl_ OUTPUT_VARIABLE rooms)
  target_link_libraries(fl_${name} PUBLIC ${rooms} ${ROOM_LIBRARIES})
  fl_warnings(fl_${name})
  if(ROOM_PRECOMPILE)
    fl_precompile(fl_${name} ${ROOM_PRECOMPILE})
  else()
    fl_precompile_standard(fl_${name})
  endif()

  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/includes.checked)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${FL_PYTHON} ${PROJECT_SOURCE_DIR}/tools/rooms --check ${name}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${sources} ${headers} ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt ${PROJECT_SOURCE_DIR}/tools/rooms
    VERBATIM)
  add_custom_target(fl_${name}_includes DEPENDS ${stamp})
  add_dependencies(fl_${name} fl_${name}_includes)
  set_property(GLOBAL APPEND PROPERTY FL_HEADERS ${headers})
endfunction()

# fl_header_check(): every header of src/ compiles alone, that is, after nothing but the shared precompiled
# header. What a header needs of the standard library itself is checked by `tools/rooms --check`.
function(fl_header_check)
  get_property(headers GLOBAL PROPERTY FL_HEADERS)
  set(checks "")
  foreach(header ${headers})
    file(RELATIVE_PATH header ${PROJECT_SOURCE_DIR}/src ${header})
    string(REPLACE "/" "_" check ${header})
    set(check ${CMAKE_BINARY_DIR}/header_check/${check}.cpp)
    if(NOT EXISTS ${check})
      file(WRITE ${check} "#include \"${header}\"\n#include \"${header}\"\n")
    endif()
    list(APPEND checks ${check})
  endforeach()
  add_library(header_check OBJECT EXCLUDE_FROM_ALL ${checks})
  target_link_libraries(header_check PRIVATE fl_cli)
  fl_warnings(header_check)
  fl_precompile_standard(header_check)
endfunction()

function(fl_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast>
    $<$<AND:$<BOOL:${FL_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
endfunction()

# fl_precompile(target header…): a precompiled header of the target's own.
function(fl_precompile target)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ REGEX "^[^<]")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  fl_cache_precompiled(${target})
endfunction()

# The precompiled header that all others share.
function(fl_precompile_standard target)
  if(NOT TARGET fl_standard)
    file(WRITE ${CMAKE_BINARY_DIR}/standard.cpp "")
    add_library(fl_standard OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/standard.cpp)
    target_link_libraries(fl_standard PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
    fl_warnings(fl_standard)
    fl_precompile(fl_standard
      <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <filesystem> <functional> <map> <memory> <mutex>
      <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <variant> <vector> <fmt/core.h>
      <nlohmann/json.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM fl_standard)
  fl_cache_precompiled(${target})
endfunction()

# The precompiled header that all tests share.
function(fl_precompile_for_tests target)
  if(NOT TARGET fl_test_standard)
    file(WRITE ${CMAKE_BINARY_DIR}/test_standard.cpp "")
    add_library(fl_test_standard OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/test_standard.cpp)
    target_link_libraries(fl_test_standard PRIVATE GTest::gmock fmt::fmt nlohmann_json::nlohmann_json)
    fl_warnings(fl_test_standard)
    fl_precompile(fl_test_standard <algorithm> <filesystem> <string> <vector> <fmt/core.h> <nlohmann/json.hpp>
      <gmock/gmock.h> <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM fl_test_standard)
  fl_cache_precompiled(${target})
endfunction()

# ccache reads precompiled headers only if told that it may. One made in another working tree names that
# tree's headers, which would then be included twice: no sharing between trees.
function(fl_cache_precompiled target)
  if(FL_CCACHE)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;--unset=CCACHE_BASEDIR;--unset=CCACHE_NOHASHDIR;CCACHE_DEPEND=1;CCACHE_SLOPPINESS=pch_defines,time_macros;${FL_CCACHE}")
    target_compile_options(${target} PRIVATE
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
endfunction()

# fl_embed(ROOM NAME file…): files compiled into the room as they stand, as `k_pages`, in that order.
function(fl_embed room name)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${name}.txt)
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  list(JOIN ARGN "\n" lines)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lines}\n")
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -D LIST=${list} -D OUTPUT=${embedded} -D ROOM=${room}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake
    DEPENDS ${ARGN} ${list} ${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake
    VERBATIM)
  target_sources(fl_${room} PRIVATE ${embedded})
  set_source_files_properties(${embedded} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()
