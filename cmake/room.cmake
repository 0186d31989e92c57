# fl_room(NAME USES room… LIBRARIES target…): one folder of src/ as a library. Its USES line is the
# dependency rule of the architecture: a room includes headers of itself and of those rooms only.
function(fl_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(fl_${name} STATIC ${sources})
  target_include_directories(fl_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ROOM_USES PREPEND fl_ OUTPUT_VARIABLE rooms)
  target_link_libraries(fl_${name} PUBLIC ${rooms} ${ROOM_LIBRARIES})
  fl_warnings(fl_${name})

  cmake_language(EVAL CODE "cmake_language(DEFER CALL fl_header_check ${name})") # once its CMakeLists.txt is read
endfunction()

# Every header compiles alone. A source file includes its own header first, which shows just that, unless
# something was precompiled before it: only the other headers are compiled once more.
function(fl_header_check name)
  get_target_property(precompiled fl_${name} PRECOMPILE_HEADERS)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src
       ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  set(checks "")
  foreach(header ${headers})
    string(REGEX REPLACE "hpp$" "cpp" source ${PROJECT_SOURCE_DIR}/src/${header})
    if(NOT precompiled AND EXISTS ${source})
      continue()
    endif()
    string(REPLACE "/" "_" check ${header})
    set(check ${CMAKE_BINARY_DIR}/header_check/${check}.cpp)
    if(NOT EXISTS ${check})
      file(WRITE ${check} "#include \"${header}\"\n#include \"${header}\"\n")
    endif()
    list(APPEND checks ${check})
  endforeach()
  if(checks)
    add_library(fl_${name}_headers OBJECT EXCLUDE_FROM_ALL ${checks})
    target_link_libraries(fl_${name}_headers PRIVATE fl_${name})
    if(NOT TARGET header_check)
      add_custom_target(header_check)
    endif()
    add_dependencies(header_check fl_${name}_headers)
  endif()
endfunction()

function(fl_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast>
    $<$<AND:$<BOOL:${FL_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
endfunction()

# fl_precompile(target header…): headers, rooted at src/ or in <>, that most files of a target include.
function(fl_precompile target)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ REGEX "^[^<]")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(FL_CCACHE)
    # ccache reads precompiled headers only if told that it may. One made in another working tree
    # names that tree's headers, which would then be included twice: no sharing between trees.
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;--unset=CCACHE_BASEDIR;--unset=CCACHE_NOHASHDIR;CCACHE_DEPEND=1;CCACHE_SLOPPINESS=pch_defines,time_macros;${FL_CCACHE}")
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
      $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  endif()
endfunction()
