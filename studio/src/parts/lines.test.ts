import { expect, it } from 'vitest';
import { closer, joined, moved } from './lines';

it('joins lines over one axis', () => {
  const data = joined([
    { name: 'a', x: [1, 3], y: [10, 30] },
    { name: 'b', x: [2, 3], y: [20, null] },
  ]);
  expect(data).toEqual([
    [1, 2, 3],
    [10, undefined, 30],
    [undefined, 20, null],
  ]);
});

it('leaves out what a logarithm cannot show', () => {
  expect(joined([{ name: 'a', x: [0, 1, 2], y: [5, 0, 3] }], { logX: true, logY: true })).toEqual([
    [1, 2],
    [null, 3],
  ]);
});

it('looks closer at the middle, and never from further away than all', () => {
  const whole = { min: 0, max: 100, log: false };
  const half = closer(whole, whole, 2);
  expect([half.min, half.max]).toEqual([25, 75]);
  expect(closer(half, whole, 0.1)).toEqual(whole);
  const logarithmic = { min: 1, max: 10_000, log: true };
  const seen = closer(logarithmic, logarithmic, 2);
  expect(seen.min).toBeCloseTo(10);
  expect(seen.max).toBeCloseTo(1000);
});

it('moves to the end and no further', () => {
  const whole = { min: 0, max: 100, log: false };
  expect(moved({ min: 20, max: 40, log: false }, whole, 0.5)).toEqual({ min: 30, max: 50, log: false });
  expect(moved({ min: 20, max: 40, log: false }, whole, 99)).toEqual({ min: 80, max: 100, log: false });
  expect(moved({ min: 20, max: 40, log: false }, whole, -99)).toEqual({ min: 0, max: 20, log: false });
});
