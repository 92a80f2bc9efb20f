"""What looks on while somebody's code runs: laws at a state, chance as it is drawn, arrays that stay as they are."""
