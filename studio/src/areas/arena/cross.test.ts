import { describe, expect, it } from 'vitest';
import { isClear, largestOf, marginOf, ranking, tablesOf, warmth, type Cell, type Row } from './cross';

const cell = (mean: number | null, margin: number | null, deals = 100): Cell => ({ mean, margin, wins: 0.5, deals });
const row = (name: string, mean: number): Row => ({ name, cells: [null, cell(mean, 0.1)], overall: cell(mean, 0.1) });

describe('a cross table', () => {
  it('tells what is beyond luck', () => {
    expect([cell(0.3, 0.1), cell(0.05, 0.1), cell(-0.3, 0.1), cell(null, null, 0)].map(isClear)).toEqual([true, false, true, false]);
  });
  it('does not call certain what cannot be told', () => {
    expect([cell(0.3, 0.1), cell(0.3, 0), cell(0.3, null, 2)].map((one) => marginOf(one, 3))).toEqual(['0.100', '0.000', '?']);
  });
  it('ranks by what was won overall', () => {
    const rows = [row('a', -0.5), row('b', 0.7), row('c', 0.1)];
    expect(ranking(rows)).toEqual([1, 2, 0]);
    expect(largestOf(rows)).toBe(0.7);
    expect(warmth(cell(0.35, 0), 0.7)).toBeCloseTo(0.5);
    expect(warmth(cell(0.35, 0), 0)).toBe(0);
  });
  it('counts tables', () => {
    expect([tablesOf(4, 2), tablesOf(4, 3), tablesOf(1, 2), tablesOf(6, 6)]).toEqual([6, 4, 0, 1]);
  });
});
