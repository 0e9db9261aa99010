// A target in C needs a source file.
