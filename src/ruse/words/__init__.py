"""How things are called and counted where people read them."""
