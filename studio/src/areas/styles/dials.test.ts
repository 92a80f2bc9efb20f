import { describe, expect, it } from 'vitest';
import { byPlayer, highestOf, isFree, priceAt, priceWords, shortName, shareOfBest, type Dial } from './dials';

const POINTS = [
  { value: 0, price: 0 },
  { value: 0.25, price: 0 },
  { value: 0.5, price: 0.1 },
];
const dial = (over: Partial<Dial> = {}): Dial => ({ name: 'bet, player 0', player: 0, own: 0.2, lowest: 0, highest: 0.3, turns: true, ...over });

describe('the price of a style', () => {
  it('lies on the frontier', () => {
    expect([0, 0.1, 0.25, 0.5].map((x) => priceAt(POINTS, x))).toEqual([0, 0, 0, 0.1]);
    expect(priceAt(POINTS, 0.375)).toBeCloseTo(0.05);
  });
  it('is never above the chart', () => {
    expect(highestOf([0, 0.1, 0.22], 0.02)).toBeGreaterThan(0.22);
    expect(highestOf([0.001], 0.02)).toBeCloseTo(0.024);
    expect(highestOf([], 0)).toBeGreaterThan(0);
  });
  it('is not known beyond it', () => {
    expect(priceAt(POINTS, 0.6)).toBeUndefined();
    expect(priceAt([], 0.6)).toBeUndefined();
    expect([undefined, 0, 0.00889].map(priceWords)).toEqual(['not known before a search', 'nothing', '0.00889']);
  });
});

describe('dials', () => {
  it('are free where they have a range', () => {
    expect([dial(), dial({ highest: 0 }), dial({ lowest: null, highest: null })].map(isFree)).toEqual([true, false, false]);
  });
  it('are grouped by player, and say whose they are once', () => {
    const groups = byPlayer([dial(), dial({ player: 1 }), dial({ player: 0, name: 'call, player 0' })]);
    expect(groups.map(([player, dials]) => [player, dials.length])).toEqual([[0, 2], [1, 1]]);
    expect(shortName('raise, player 0, with J, first')).toBe('raise, with J, first');
  });
});

it('tells how much of what there is to gain an answer gains', () => {
  const answer = (name: string, mean: number) => ({ name, mean, won: [mean, mean], lost: [0, 0], exploitability: 0 });
  expect(shareOfBest([answer('plain solve', 0.5), answer('adapted', 0.75), answer('best response', 1.5)])).toBeCloseTo(0.25);
  expect(shareOfBest([answer('plain solve', 0), answer('adapted', 0), answer('best response', 0)])).toBeUndefined();
});
