import { describe, expect, it } from 'vitest';
import { colourOfMove, coloursOf, drawn, stripes } from './moves';

describe('colours of actions', () => {
  it('gives every action one of its own', () => {
    for (const names of [['fold', 'call', 'raise'], ['pass', 'bet'], ['A', '3', 'A 3'], ['call', 'raise', 'all-in 50']]) {
      expect(new Set(coloursOf(names)).size).toBe(names.length);
    }
  });
  it('gives the same action the same one', () => {
    expect(coloursOf(['fold', 'call', 'raise'])[1]).toBe(coloursOf(['call', 'raise'])[0]);
  });
  it('makes larger bets redder', () => {
    const [small, large] = [0, 1].map((shade) => colourOfMove({ kind: 'bet', shade }));
    expect(small).not.toBe(large);
    expect(large).toContain('100%');
  });
});

describe('stripes', () => {
  it('are as wide as their shares', () => {
    expect(stripes([0.25, 0, 0.75], ['a', 'b', 'c'])).toBe('linear-gradient(90deg, a 0.00% 25.00%, c 25.00% 100.00%)');
    expect(stripes([], [])).toBe('none');
  });
});

describe('a draw', () => {
  it('follows the probabilities and never takes what cannot happen', () => {
    expect([0, 0.24, 0.26, 0.999].map((u) => drawn([0.25, 0, 0.75], u))).toEqual([0, 0, 2, 2]);
    expect(drawn([0, 1, 0], 1)).toBe(1);
    expect(drawn([], 0.5)).toBe(-1);
  });
});
