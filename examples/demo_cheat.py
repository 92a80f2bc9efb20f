"""The second half of `make demo`: an agent for Cheat trained, judged, and drawn beside the others."""

import time
from pathlib import Path

import ruse
from ruse.compile import on_compile
from ruse.games.cheat.bots import Heuristic
from ruse.games.cheat.views import Memoryless
from ruse.papers.lab import Lab
from ruse.papers.ordered_abstraction import figure_1


def main() -> None:
    """Train Memoryless in Cheat-3, measure it against both bots and exactly, and draw the paper's first figure."""
    game = ruse.Cheat(hp=3)
    print(f"Cheat-3: {ruse.size(game)}")
    with on_compile(lambda name: print(f"  compiling {name} (once; it is kept on disk)", flush=True)):
        run = ruse.train(game, ruse.mccfr("chance"), iterations=100, view=Memoryless())
        run.strategy.save("cheat.strategy")
        print(f"\n{run}: {len(run.strategy)} infosets, saved as cheat.strategy")
        print(f"\n{'Memoryless-3 against':<24}{'wins':>8}   95 % interval     paper")
        for name, bot, theirs in (("Random", ruse.RandomBot(), "almost 90 %"), ("Heuristic", Heuristic(), "75 %")):
            result = ruse.match(game, [run.strategy, bot], deals=50_000, seed=1)
            low, high = result.win_interval[0]
            print(f"{name:<24}{result.win_rate[0]:>8.1%}   {low:.1%} to {high:.1%}   {theirs}")
        found = ruse.exploitability(game, run.strategy)
        print(f"{'the best response':<24}{'':>8}   exploitability {float(found):.3f}, exactly; the paper could not say")
        lies = result.rates[0]
        print(f"it lies in {lies['lies']:.0%} of its discards and challenges {lies['challenges']:.0%} of the claims\n")
        print("Figure 1 of the paper, all agents, three seeds:", flush=True)
        began = time.perf_counter()
        rows = figure_1.run(Lab(out=Path("."), quick=True))
    for row in rows[:5]:
        print(f"  {row.name}: {row.ours} (paper: {row.theirs})")
    print(
        f"  drawn in {time.perf_counter() - began:.0f} s: figure-1.png\n\nWhat to type next:\n"
        "  ruse play cheat --hp 3 --against cheat.strategy\n"
        "  ruse match cheat:hp=3 cheat.strategy heuristic\n"
        "  ruse reproduce 000 --out figures"
    )


if __name__ == "__main__":
    main()
