import { expect, it } from 'vitest';
import { course, turns, type Judged } from './turning';

const judged: Judged[] = [
  { step: 2, player: 0, now: [0, 0], after: [-0.1, 0.1] },
  { step: 3, player: 1, now: [-0.1, 0.1], after: [1, -1] },
  { step: 5, player: 0, now: [2, -2], after: [2, -2] },
];

it('a course goes through every choice to the end', () => {
  expect(course(judged, 0, 6, 2).map((point) => point.value)).toEqual([0, -0.1, -0.1, 1, 2, 2, 2]);
  expect(course([], 0, 6, 2)).toEqual([]);
});

it('a game turns where much changes, by a choice or by luck', () => {
  expect(turns(judged, 0, 6, 2)).toEqual([
    { step: 3, change: 1.1, luck: false },
    { step: 4, change: 1, luck: true },
  ]);
  expect(turns([], 0, 3, 1)).toEqual([]);
});
