import { expect, test } from 'vitest';
import { aheadCalled, dated, gameCalled } from './names';

test('games have names for people, and files their own', () => {
  expect(['leduc', 'liars_dice:dice=2', 'rock_paper_scissors', 'my_game.py:stake=2'].map(gameCalled)).toEqual([
    'Leduc', 'Liar’s Dice: dice=2', 'Rock paper scissors', 'my_game.py:stake=2',
  ]);
});

test('a run is called by what it is, and then by when it was begun', () => {
  expect(['20261116T025618Z-leduc-dcfr', 'bluffer.strategy', 'random'].map(dated)).toEqual(['leduc-dcfr · 11-16 02:56', 'bluffer', 'random']);
});

test('whoever looks ahead is told so, with its seconds', () => {
  const names = ['holdem:play=search,seconds=2', 'mine.strategy:play=search', 'last:play=search,seconds=0.5,iterations=9 (as it is now)', 'tight'];
  expect(names.map(aheadCalled)).toEqual(['holdem (looks ahead, 2 s)', 'mine (looks ahead)', 'last (looks ahead, 0.5 s) (as it is now)', 'tight']);
  expect(dated('20261116T025618Z-holdem-lcfr:play=search,seconds=2')).toBe('holdem-lcfr · 11-16 02:56 (looks ahead, 2 s)');
});
