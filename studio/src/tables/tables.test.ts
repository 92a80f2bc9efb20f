import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import type { Scene } from './scene';
import Table from './Table.svelte';

const scene = (more: Partial<Scene>): Scene => ({
  viewer: 0, turn: 0, words: '', zones: [], numbers: {}, events: [], actions: [], payoffs: [], facts: {}, ...more,
});
const names = ['you', 'heuristic'];
const zone = (name: string, owner: number, shown: string[], hidden = 0) => ({ name, owner, shown, hidden });

it('cards of Cheat are laid by touching them', async () => {
  const act = vi.fn();
  const zones = [zone('hand', 0, ['A', 'A', '3']), zone('hand', 1, [], 2), zone('pile', -1, [], 1)];
  const told = scene({ zones, numbers: { HP: [3, 2] }, actions: ['A', '3', 'A A', 'A 3', 'A A 3'], facts: { rank: '3' } });
  render(Table, { table: 'cheat', scene: told, names, seat: 0, said: ['', ''], act });
  expect(screen.getByRole('img', { name: '1 card in the pile' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: '3' }));
  await fireEvent.click(screen.getAllByRole('button', { name: 'ace' })[0]!);
  expect(screen.getByText(/This is a lie/)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /Lay these two and say: two 3s/ }));
  expect(act).toHaveBeenCalledWith('A 3');
});

it('a tile is discarded by touching it twice', async () => {
  const act = vi.fn();
  const zones = [zone('hand', 0, ['1m', 'E', 'C']), zone('hand', 1, [], 13), zone('river', 0, []), zone('river', 1, []), zone('wall', -1, [], 30)];
  const told = scene({ zones, numbers: { wall: [30] }, actions: ['discard 1m', 'discard E', 'discard C'], facts: { phase: 'discard', drawn: 'C' } });
  render(Table, { table: 'mahjong', scene: told, names, seat: 0, said: ['', ''], act });
  const tile = screen.getByRole('button', { name: 'east wind' });
  await fireEvent.click(tile);
  expect(act).not.toHaveBeenCalled();
  await fireEvent.click(tile);
  expect(act).toHaveBeenCalledWith('discard E');
});

it('Hold’em says what a call costs, and a key presses a button', async () => {
  const act = vi.fn();
  const zones = [zone('hand', 0, ['As', 'Kd']), zone('hand', 1, [], 2), zone('board', -1, ['Qs', 'Jh', '2h'])];
  const told = scene({ zones, numbers: { pot: [6], bets: [0, 3], stacks: [22, 19], 'to call': [3] }, actions: ['fold', 'call', 'all-in'], facts: { street: 'flop' } });
  render(Table, { table: 'holdem', scene: told, names, seat: 0, said: ['', 'bets 3bb'], act });
  expect(screen.getByRole('button', { name: /Call 3 bb/ })).toBeTruthy();
  await fireEvent.keyDown(window, { key: '3' });
  expect(act).toHaveBeenCalledWith('all-in');
});

it('any other game has a plain table, with nothing but its words too', () => {
  render(Table, { table: 'plain', scene: scene({ words: '5 matches', actions: ['take 1', 'take 2'] }), names, seat: 0, said: ['', ''], act: () => undefined });
  expect(screen.getByText('5 matches')).toBeTruthy();
  expect(screen.getByRole('button', { name: /Take 2/ })).toBeTruthy();
});

it('whoever sees everything is told so', () => {
  render(Table, { table: 'plain', scene: scene({ viewer: -1, zones: [zone('card', 0, ['K']), zone('card', 1, ['Q'])] }), names, seat: 0, said: ['', ''] });
  expect(screen.getByText(/Tester’s view/)).toBeTruthy();
});

it('rows of a board lie under one another, and a free cell is touched', async () => {
  const act = vi.fn();
  const zones = [zone('row 1', -1, ['x', 'b1', 'c1']), zone('row 2', -1, ['a2', 'o', 'c2'])];
  const told = scene({ zones, numbers: { moves: [2] }, actions: ['b1', 'c1', 'a2', 'c2'], facts: { board: 'hex' } });
  render(Table, { table: 'plain', scene: told, names, seat: 0, said: ['', ''], act });
  expect(screen.getByRole('group', { name: 'row 2: a2, free, stone o, c2, free' })).toBeTruthy();
  expect(screen.queryByText('hex')).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'c1, free' }));
  expect(act).toHaveBeenCalledWith('c1');
});
