"""Work that takes long is told to whoever sits nearest."""

from ruse.words.long_work import on_long_work, tell_listeners, told_progress


def test_the_nearest_listener_hears() -> None:
    outer: list[str] = []
    inner: list[str] = []
    tell_listeners("nobody hears", 0.5)
    with on_long_work(lambda what, share: outer.append(told_progress(what, share))):
        tell_listeners("building, which takes 2 minutes", None)
        with on_long_work(lambda what, share: inner.append(told_progress(what, share))):
            tell_listeners("flop", 0.25)
        tell_listeners("turn", 1.0)
    tell_listeners("nobody hears", 0.5)
    assert (outer, inner) == (["building, which takes 2 minutes", "turn, 100%"], ["flop, 25%"])
