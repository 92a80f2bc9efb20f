"""Code on disk: files of games as they were read, the text behind a kernel, mistakes in code."""
