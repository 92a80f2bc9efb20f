import { describe, expect, it } from 'vitest';
import { ago, bytes, count, figure, share, silence, span } from './words';
import { grown, NONE } from './runs.svelte';

describe('numbers as people read them', () => {
  it('counts', () => {
    expect(count(936)).toBe('936');
    expect(count(25_000)).toBe('25,000');
    expect(count(4_200_000)).toBe('4.2 million');
    expect(count(3e25)).toBe('3.0 × 10^25');
  });
  it('shows small numbers by powers of ten', () => {
    expect(figure(0.0123456)).toBe('0.0123');
    expect(figure(2.5e-7)).toBe('2.5e-7');
    expect(figure(null)).toBe('–');
    expect(figure(0)).toBe('0');
  });
  it('tells times and sizes', () => {
    expect(span(0.25)).toBe('250 ms');
    expect(span(75)).toBe('1 min 15 s');
    expect(bytes(1_234_567)).toBe('1.23 MB');
    expect(ago('2026-01-01T00:00:00Z', Date.parse('2026-01-01T02:10:00Z'))).toBe('2 h ago');
  });
  it('tells how much is done by what ends first', () => {
    const run = { iterations: 50, planned: 100, seconds: 9, limit: 10 };
    expect(share(run)).toBe(0.9);
    expect(share({ ...run, planned: null, limit: null })).toBeUndefined();
  });
});

describe('curves', () => {
  const more = { ...NONE, iteration: [1], seconds: [0.1], exploitability: [2], fresh: true, since: 1 };
  it('grow', () => {
    const known = grown(NONE, more);
    expect(grown(known, { ...more, iteration: [2], fresh: false }).iteration).toEqual([1, 2]);
  });
  it('begin anew when a run has gone back', () => {
    expect(grown({ ...NONE, iteration: [5, 6] }, more).iteration).toEqual([1]);
  });
});

describe('a chart that has nothing to show', () => {
  it('says why', () => {
    expect(silence([{ status: 'interrupted', iterations: 0 }])).toMatch(/Go on/);
    expect(silence([{ status: 'running', iterations: 0 }])).toMatch(/yet/);
    expect(silence([{ status: 'finished', iterations: 5 }])).toBe('Nothing was measured on the way.');
  });
});
