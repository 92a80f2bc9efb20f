"""What is said at a table of the studio, and what is answered: the models, which become the API's documentation."""

from pydantic import BaseModel, Field

from ruse.protocol.scene import Scene


class TableAsk(BaseModel):
    """A table to sit down at."""

    game: str = Field(max_length=400, min_length=1, description="as on the command line: leduc, cheat:half")
    against: list[str] = Field(max_length=10, min_length=1, description="one name for all other seats, or one for each")
    seat: int | None = Field(0, ge=0, le=9, description="null: another one in each game, at random")
    seed: int | None = Field(None, ge=0, lt=2**63, description="null: any")
    coach: str | None = Field(None, max_length=400, description="a run that gives hints; else the opponent, if it can")


class ActAsk(BaseModel):
    """What a person does."""

    action: str = Field(max_length=400, description="its name, as the scene has it")
    seen: int = Field(ge=0, le=2**53, description="how many events the page has shown: an older click is refused")


class ZoneView(BaseModel):
    """Where cards, dice or tiles lie."""

    name: str
    owner: int
    shown: list[str]
    hidden: int


class EventView(BaseModel):
    """Something that has happened, as the viewer saw it."""

    player: int
    what: str


class SceneView(BaseModel):
    """What a viewer sees, as `ruse.protocol.scene.Scene` has it."""

    viewer: int
    turn: int
    words: str
    zones: list[ZoneView]
    numbers: dict[str, list[float]]
    events: list[EventView]
    actions: list[str]
    payoffs: list[float]
    facts: dict[str, str]

    @classmethod
    def of(cls, scene: Scene) -> "SceneView":
        return cls.model_validate(scene.as_dict())


class HeardView(BaseModel):
    """What a seat heard of a decision, or of chance."""

    player: int
    words: list[str]


class ScoreView(BaseModel):
    """How the evening goes for the person."""

    games: int
    total: float
    mean: float | None
    margin: float | None = Field(description="half of the 95 % interval of the mean; null: too few games to tell")
    payoffs: list[float]


class TableView(BaseModel):
    """All that the person at a table may see."""

    id: str
    game: str
    title: str
    about: str
    table: str = Field(description="how it is drawn: cheat, holdem, mahjong, or plain")
    help: str
    players: int
    seat: int
    names: list[str]
    deal: int = Field(description="how many games were begun before this one")
    seen: int = Field(description="how many events there are: say so with the next action")
    turn: int
    over: bool
    scene: SceneView
    shown: list[str]
    events: list[HeardView]
    score: ScoreView
    hints: bool = Field(description="whether anybody can be asked what to do")
    graded: bool = Field(description="whether a strategy is there that choices can be held against at once")
    record: str | None = Field(description="the file of finished games, for the replay")


class HintView(BaseModel):
    """What a strategy would do here, and policies of the game's own."""

    advice: dict[str, str]
    by: str | None
    infoset: str
    actions: list[str]
    probability: list[float]
    value: list[float | None] | None
    why_not: str | None = Field(default=None, description="why nobody can be looked up")


class ChoiceView(BaseModel):
    """A choice of the person's, and what is said of it."""

    infoset: str
    chosen: str
    actions: list[str]
    probability: list[float] | None
    value: list[float | None] | None
    share: float | None = Field(description="how often the strategy does the same")
    best: str | None
    lost: float | None
    margin: float | None = Field(description="half of a 95 % interval of the difference; null: none, or untold")


class ReviewView(BaseModel):
    """What the person's choices have cost."""

    by: str
    hindsight: bool = Field(description="true: judged by games played out with everything known, as it was dealt")
    choices: list[ChoiceView]
    lost: float | None


class GameOffer(BaseModel):
    """A game that can be played."""

    spec: str
    title: str
    about: str
    table: str
    named: dict[str, str] = Field(description="variants by name, each with what finds it")
    own: bool = Field(description="a game of the person's own, known by a run of it")


class SeatRun(BaseModel):
    """A run that can sit down."""

    name: str
    game: str
    title: str
    rule: str


class TableOffers(BaseModel):
    """What the page offers to play."""

    games: list[GameOffer]
    runs: list[SeatRun]


class AheadChoices(BaseModel):
    """Runs that can look ahead before they move: ask for `NAME:play=search,seconds=2`."""

    runs: list[str]
    seconds: float = Field(description="that a move usually takes at most")
    most: float


class TableChoices(BaseModel):
    """Whoever can sit down in a game."""

    spec: str
    title: str
    about: str
    table: str
    players: int
    bots: list[str]
    runs: list[SeatRun]
    solvable: str | None = Field(description="the name to ask for to have it solved on the spot; null: too large")
    ahead: AheadChoices | None = Field(description="null: nobody can look ahead in this game")


class OpenTable(BaseModel):
    """A table that was left, or where a game is going on."""

    id: str
    title: str
    table: str
    against: list[str]
    games: int
    over: bool
    touched: float
