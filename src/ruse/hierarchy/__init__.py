"""Hierarchies: players choose a policy now and then, and the policies play.

A *policy* is a part over the actions of a game. A *hierarchy* is policies, the points where a player chooses one of
them anew, and the features that the choice is made by. Nothing of it is shown more than the game's `observe` shows to
the seat that it acts for. What comes out is a game of the protocol in which each decision is the choice of a policy:

    hierarchy = Hierarchy.of(Normal(), PongPongHu(), SevenPairs(), points=Rounds(), features=Paper(), before=Pass())
    abstract = hierarchy.abstract(game)  # a game: ruse.train(abstract, ruse.cfr_plus(), ...), ruse.check(abstract)

Policies decide as watching bots do (`decide`, `watch` and `memory_size`), so each of them is a bot, too:

    @compiled("watch", "decide")
    class Normal(NamedTuple):
        @property
        def name(self) -> str: ...  # what the choice is called; else the name of the class
        def memory_size(self, game) -> int: ...  # 0: it is shown nothing but what it decides on
        def watch(self, game, seen, me, memory): ...
        def decide(self, game, seen, me, memory, count, u): ...  # an action of the game

Points say at which turn of a player there is a choice, and between which policies (`ruse.hierarchy.points` has some):

    @compiled("stage", "allows")
    class Rounds(NamedTuple):
        def stage(self, game, seen, me, moves): ...
        def allows(self, game, seen, me, policy): ...  # whether policy 0, 1, ... may be chosen here

`stage` is 0 where nothing is chosen, else a number from 1 on: a player chooses anew whenever it is another one than
when the player last chose. `moves` is how many decisions of the game the player has made before.

Features are the infoset of a choice: 64 bits less one for each policy, because the policies that may be chosen are put
behind them. With `legal_in_key=False` they are not: all policies are offered at each choice, and one that may not be
chosen stands for the first that may. Features hold the seat if the seats are not meant to learn from each other:

    @compiled("feature")
    class Paper(NamedTuple):
        def feature(self, game, seen, me): ...
        def describe(self, game, seen, me) -> str: ...  # in words; may be left out. Never compiled

Where one policy alone is allowed it is taken, and there is no decision. Before the first point `before` plays, or else
the first policy. With `recall=True` keys also tell what the player has seen and chosen at the points before. Policies
that use `u` need `draws`: so many digits are drawn by chance before the game, and random numbers follow from those.

A game gives a hierarchy a name as it names its views: by a NamedTuple in its own module, or in the one for views, with
plain fields and a method `hierarchy(game)`, in place of `key(game, s)`:

    class Cfrp(NamedTuple):
        first: int = 1
        def hierarchy(self, game) -> Hierarchy: ...

`ruse solve GAME --view "Cfrp(first=2)"` (and what the module's `view_of` makes of a shorter text) then trains in the
abstract game by any sampled walk, the strategy's file names the game and the view, and the strategy takes a seat in the
plain game: in matches, sessions, `ruse play`. In a program `ruse.train(game, solver, view=Cfrp())` does the same.
"""
