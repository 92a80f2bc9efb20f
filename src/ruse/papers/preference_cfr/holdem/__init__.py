"""Texas Hold'em of Preference-CFR: tables 2 and 3, figures 5 and 6, and what the paper says of them."""
