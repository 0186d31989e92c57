# fl_pages(ROOM MACRO): src/ROOM/<list>.inc is the only list of what the room offers. Each line,
# MACRO(code, group, file), stands for <group>/<file>.cpp and <group>/<file>.md; lines are sorted by
# code; the pages are compiled into the room as `k_pages`, in the order of the list.
function(fl_pages room list_name macro)
  set(here ${PROJECT_SOURCE_DIR}/src/${room})
  set(list ${here}/${list_name}.inc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^${macro}")
  set(pages "")
  set(last "")
  foreach(line ${lines})
    if(NOT line MATCHES "^${macro}\\(([A-Z]+[0-9]+), ([a-z0-9_]+), ([a-z0-9_]+)\\)$")
      message(FATAL_ERROR "${list}: cannot read `${line}`")
    endif()
    if(NOT CMAKE_MATCH_1 STRGREATER last)
      message(FATAL_ERROR "${list}: ${CMAKE_MATCH_1} comes after ${last}, but lines are sorted by code")
    endif()
    set(last ${CMAKE_MATCH_1})
    set(stem ${here}/${CMAKE_MATCH_2}/${CMAKE_MATCH_3})
    foreach(file ${stem}.cpp ${stem}.md)
      if(NOT EXISTS ${file})
        message(FATAL_ERROR "${list}: ${last} needs ${file}")
      endif()
    endforeach()
    list(APPEND pages ${stem}.md)
  endforeach()

  file(GLOB written CONFIGURE_DEPENDS ${here}/*/*.md)
  if(pages)
    list(REMOVE_ITEM written ${pages})
  endif()
  if(written)
    message(FATAL_ERROR "not in ${list}: ${written}")
  endif()

  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/pages.cpp)
  list(JOIN pages "\n" page_lines)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pages.txt CONTENT "${page_lines}\n")
  add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -D LIST=${CMAKE_CURRENT_BINARY_DIR}/pages.txt -D OUTPUT=${embedded}
            -D ROOM=${room} -P ${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake
    DEPENDS ${pages} ${CMAKE_CURRENT_BINARY_DIR}/pages.txt ${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake
    VERBATIM)
  target_sources(fl_${room} PRIVATE ${embedded})
endfunction()
