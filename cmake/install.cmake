# `cmake --install build/release --prefix PREFIX`. Where things lie is known to src/run/installation.hpp; nothing
# that is installed knows the source tree.
install(TARGETS faultline RUNTIME DESTINATION bin)
install(TARGETS faultline-init RUNTIME DESTINATION libexec/faultline)
if(TARGET faultline_watch_torch)
  install(TARGETS faultline_watch_torch LIBRARY DESTINATION libexec/faultline)
endif()
install(DIRECTORY probes taxonomy faults environments programs DESTINATION share/faultline
  PATTERN __pycache__ EXCLUDE PATTERN ".*" EXCLUDE
  PATTERN probes/faultline_watch/libtorch EXCLUDE) # sources of the library above
install(DIRECTORY tools DESTINATION share/faultline FILES_MATCHING PATTERN "*.toml" PATTERN testing EXCLUDE)
install(DIRECTORY build/web/ DESTINATION share/faultline/web OPTIONAL) # where they were built
