"""Spots that are small enough to be walked history by history."""

RIVER = (
    "holdem: board Qs Jh 2h 8d 3c, pot 50, stack 100, oop QQ, AhKh, 7s6s, ip KK, AQs, T9s:0.5, bets 50%, raises all-in"
)
TURN = (
    "holdem: board Qs Jh 2h 8d, pot 20, stack 25, oop QhQd, AhKh, 7s6s:0.25, ip KhKd, AhQc, Th9h:0.5, bets 50%, "
    "raises none"
)
# No two actions are worth the same to a hand: where they are, rounding decides, and two engines part.
ODD_RIVER = (
    "holdem: board Qs Jh 2h 8d 3c, pot 50, stack 103, oop QhQd:0.61, AhKh:0.83, 7s6s:0.37, JsTs:0.71, "
    "ip KhKd:0.53, AsQc:0.89, Th9h:0.47, 8c7c:0.93, bets 37%, raises all-in"
)
ODD_TURN = (
    "holdem: board Qs Jh 2h 8d, pot 21, stack 25, oop QhQd:0.61, AhKh:0.83, 7s6s:0.37, "
    "ip KhKd:0.53, AhQc:0.89, Th9h:0.47, bets 47%, raises none"
)
FLOP = "holdem: board Qs Jh 2h, pot 20, stack 25, oop QQ, AhKh, ip KK, Th9h:0.5, bets all-in, raises none"
