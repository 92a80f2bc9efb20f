import { describe, expect, it } from 'vitest';
import { clamp, count, percent, playerName, short, signed } from './figures';

describe('numbers as people read them', () => {
  it('tells shares without hiding what is nearly nothing or nearly all', () => {
    expect([0, 0.0001, 0.4176, 0.5, 0.99999, 1].map((x) => percent(x))).toEqual(['0%', '<0.1%', '41.8%', '50%', '>99.9%', '100%']);
    expect(percent(0.4176, 0)).toBe('42%');
  });
  it('tells signs, but none of zero', () => {
    expect([0.42, -1, 0.0001, -0.0001].map((x) => signed(x))).toEqual(['+0.420', '−1.000', '0.000', '0.000']);
  });
  it('tells numbers of any size in few letters', () => {
    expect([0, 0.00889, 12.42, 3.1e-7, -0.5, 2e7].map((x) => short(x))).toEqual(['0', '0.00889', '12.4', '3.1e-7', '−0.5', '2.0e7']);
  });
  it('counts, clamps and names', () => {
    expect(count(12400)).toBe('12,400');
    expect([clamp(2, 0, 1), clamp(-2, 0, 1), clamp(0.5, 0, 1)]).toEqual([1, 0, 0.5]);
    expect([0, -1, -2, null].map(playerName)).toEqual(['Player 0', 'Chance', 'Nobody', 'Any player']);
  });
});
