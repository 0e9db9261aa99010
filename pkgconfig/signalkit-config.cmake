# find_package(signalkit) gives the targets signalkit::signalkit (shared) and signalkit::signalkit_static.
get_filename_component(_signalkit_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_signalkit_prefix "${_signalkit_lib}/.." ABSOLUTE)

if(NOT TARGET signalkit::signalkit)
    add_library(signalkit::signalkit SHARED IMPORTED)
    set_target_properties(signalkit::signalkit PROPERTIES
        IMPORTED_LOCATION "${_signalkit_lib}/libsignalkit.so"
        IMPORTED_SONAME "libsignalkit.so.1"
        INTERFACE_INCLUDE_DIRECTORIES "${_signalkit_prefix}/include")
endif()

if(NOT TARGET signalkit::signalkit_static)
    add_library(signalkit::signalkit_static STATIC IMPORTED)
    set_target_properties(signalkit::signalkit_static PROPERTIES
        IMPORTED_LOCATION "${_signalkit_lib}/libsignalkit.a"
        INTERFACE_LINK_LIBRARIES "ffi;pthread;m"
        INTERFACE_INCLUDE_DIRECTORIES "${_signalkit_prefix}/include")
endif()
