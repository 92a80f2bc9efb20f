"""Games of ours in other libraries: as Python games of OpenSpiel, and as environments of PettingZoo."""
