import { describe, expect, it } from 'vitest';
import { bubble, called, heading, keyed, lastWords, layable, laying, others, signed, spoken } from './scene';

describe('cards that are touched', () => {
  const actions = ['A', '3', 'A 3', 'A A', 'A A 3', 'pass'];
  it('are an action in any order', () => {
    expect(laying(['3', 'A'], actions)).toBe('A 3');
    expect(laying(['A', 'A'], actions)).toBe('A A');
    expect(laying(['3', '3'], actions)).toBeUndefined();
    expect(laying([], actions)).toBeUndefined();
  });
  it('are told from words', () => {
    expect(layable(['A', 'A', '3'], actions)).toEqual(['A', '3', 'A 3', 'A A', 'A A 3']);
    expect(layable(['A'], ['believe', 'challenge'])).toEqual([]);
  });
  it('have keys of their own', () => {
    expect(keyed(['A', 'A', '3']).map((one) => one.key)).toEqual(['A#1', 'A#2', '3#1']);
  });
});

describe('words', () => {
  it('name cards, tiles and dice for those who listen', () => {
    expect(spoken('As')).toBe('ace of spades');
    expect(spoken('Td')).toBe('ten of diamonds');
    expect(spoken('10')).toBe('10');
    expect(spoken('9m', 'tile')).toBe('9 of characters');
    expect(spoken('E', 'tile')).toBe('east wind');
    expect(spoken('6', 'die')).toBe('a die showing 6');
  });
  it('are short in a bubble', () => {
    expect(bubble('player 1 lays 1 card and says: one 2', 1)).toBe('“one 2”');
    expect(bubble('player 1 raises to 6bb', 1)).toBe('raises to 6bb');
  });
  it('are what was done since the own last move', () => {
    const heard = [
      { player: -1, words: ['you are dealt A 3'] },
      { player: 1, words: ['player 1 calls'] },
      { player: 0, words: ['you raise'] },
      { player: 1, words: ['player 1 folds'] },
    ];
    expect(lastWords(heard, 2, 0)).toEqual(['', 'folds']);
    const doubted = [{ player: 1, words: ['player 1 challenges: A is turned up, a lie', 'you take the pile: A 3'] }];
    expect(lastWords(doubted, 2, 0)).toEqual(['', 'challenges: A is turned up, a lie']);
  });
  it('tell payoffs and headings', () => {
    expect([signed(2), signed(-1.5), signed(0), signed(-0.00001)]).toEqual(['+2', '−1.5', '0', '0']);
    expect(heading('Leduc poker: one private card, two rounds', 'leduc')).toBe('Leduc poker');
    expect(heading('Mahjong for two with 64 tiles: three phases', 'mahjong')).toBe('Mahjong');
    expect(heading('', 'nim.py')).toBe('Nim.py');
    expect(heading('Rock blunts scissors, scissors cut paper', 'rock_paper_scissors')).toBe('Rock paper scissors');
  });
});

it('runs are called without their date', () => {
  expect(called(['you', '20261116T160100Z-leduc-dcfr'], 1, 0)).toBe('leduc-dcfr');
  expect(called(['you', 'random'], 0, 0)).toBe('You');
});

it('others sit around the table', () => {
  expect(others(4, 1)).toEqual([2, 3, 0]);
  expect(others(2, 0)).toEqual([1]);
});
