"""The full-width engine on a graphics card: kernels in CUDA C, and what prepares their arrays and launches them."""
