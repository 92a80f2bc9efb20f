"""Cards by name and by number."""

import pytest

from ruse.errors import RuseError
from ruse.games.holdem.cards import CARDS, NAMES, cards_named, names_of


def test_all_cards_have_a_name_and_come_back():
    assert len(set(NAMES)) == CARDS == 52
    assert cards_named(names_of(range(CARDS))) == list(range(CARDS))
    assert names_of(cards_named("qSJh, 2h")) == "Qs Jh 2h"


@pytest.mark.parametrize(
    ("text", "said"), [("Qx", "'Qx' in 'Qx' is no card"), ("Qs 10h", "'10'"), ("Qs Qs", "Qs is twice"), ("Q", "'Q'")]
)
def test_what_is_no_card_is_refused(text, said):
    with pytest.raises(RuseError, match=said):
        cards_named(text)
