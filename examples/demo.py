"""What `make demo` shows: Leduc poker solved, read, measured and drawn."""

import time

import ruse
from ruse.charts.curves import draw, text_chart
from ruse.compile import on_compile

RULES = ("cfr", "cfr_plus", "dcfr", "pcfr_plus", "pdcfr_plus")


def main() -> None:
    """Solve Leduc to 1e-5, print what came out, compare some rules."""
    game = ruse.Leduc()
    print(f"Leduc poker: {ruse.size(game)}")
    with on_compile(lambda name: print(f"  compiling {name} (once; it is kept on disk)", flush=True)):
        expanded = ruse.Expanded.of(game)
        run = ruse.train(game, ruse.dcfr(), target=1e-5)
    print(f"Merged: {expanded}\n\n{run}")
    assert run.exploitability <= 1e-5
    assert abs(run.game_value + 0.0856064) < 1e-4, "the known value of Leduc"
    strategy = run.strategy
    strategy.save("leduc.strategy")
    print(f"value of the game to the first player {run.game_value:+.6f} (known: -0.085606), saved as leduc.strategy\n")
    print("The first decision, and the answer to a raise:")
    for name in ("J, no board", "Q, no board", "K, no board", "J, no board, raise", "K, no board, raise"):
        print(f"  {name:<20}", "  ".join(f"{action} {share:.3f}" for action, share in strategy[name].items()))
    print("\nWhat here?")
    print(ruse.what_here(strategy, "K, no board, raise"))
    result = ruse.match(game, [strategy, ruse.RandomBot()], deals=1_000_000, seed=1)
    print(f"\nAgainst a random player:\n{result}\n")
    curves = {}
    began = time.perf_counter()
    for rule in RULES:
        curve = ruse.train(game, ruse.PRESETS[rule](), iterations=10_000).curve
        curves[rule] = [(iteration, exploitability) for iteration, _, exploitability in curve]
    print(f"Exploitability over 10,000 iterations of {len(RULES)} rules ({time.perf_counter() - began:.1f} s for all):")
    print(text_chart(curves))
    draw(curves, "demo.png", title="Leduc poker, five update rules")
    print(
        "\nThe same as a picture: demo.png. What to type next:\n"
        "  . .venv/bin/activate\n"
        "  ruse play leduc --against leduc.strategy\n"
        '  ruse show leduc.strategy --at "K, no board, raise"\n'
        "  ruse solve liars_dice --target 1e-3\n"
        "  ruse --help"
    )


if __name__ == "__main__":
    main()
