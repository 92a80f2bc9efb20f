"""Card abstraction: hands that play alike are put into one bucket."""
