import { expect, it } from 'vitest';
import { areaOf } from './areas';
import { go, partsOf, place, replace, to } from './router.svelte';

it('reads back what it writes', () => {
  const parts = ['explore', 'a/b c', '13%', 'ä'];
  expect(partsOf(to(...parts))).toEqual(parts);
});

it('takes what is no address as it is', () => {
  expect(partsOf('')).toEqual([]);
  expect(partsOf('#/%E0%A4%A')).toEqual(['%E0%A4%A']);
});

it('begins with the area that is first in the navigation', () => {
  expect(['', '#/', '#/runs/x', '#/nowhere'].map((hash) => areaOf(partsOf(hash))?.word)).toEqual(['play', 'play', 'runs', undefined]);
});

it('is there at once', () => {
  go('runs', 'a', 'b');
  expect(place.path).toEqual(['runs', 'a', 'b']);
  replace('runs', 'a');
  expect(place.path).toEqual(['runs', 'a']);
});
