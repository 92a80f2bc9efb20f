"""Code on disk: files of games as they were read, the text behind a kernel, kernels that are kept, mistakes in code."""
