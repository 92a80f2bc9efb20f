"""Cards without the names of their suits: every deal that differs in them alone has one number."""
