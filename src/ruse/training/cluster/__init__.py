"""One training on many machines: parts of the table, workers that sample, and Ray, which starts them."""
