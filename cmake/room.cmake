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

  # Every header compiles alone.
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src
       ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  set(checks "")
  foreach(header ${headers})
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
