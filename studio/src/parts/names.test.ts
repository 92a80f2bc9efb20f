import { expect, test } from 'vitest';
import { dated, gameCalled } from './names';

test('games have names for people, and files their own', () => {
  expect(['leduc', 'liars_dice:dice=2', 'rock_paper_scissors', 'my_game.py:stake=2'].map(gameCalled)).toEqual([
    'Leduc', 'Liar’s Dice: dice=2', 'Rock paper scissors', 'my_game.py:stake=2',
  ]);
});

test('a run is called by what it is, and then by when it was begun', () => {
  expect(['20261116T025618Z-leduc-dcfr', 'bluffer.strategy', 'random'].map(dated)).toEqual(['leduc-dcfr · 11-16 02:56', 'bluffer', 'random']);
});
