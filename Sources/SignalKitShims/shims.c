/* SwiftPM wants a C target to have a source; everything is in the headers. */
