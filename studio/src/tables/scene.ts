/** What tables are drawn from: scenes as the server sends them, and what follows from them. */
import type { Schema } from '../api/client';
import { aheadCalled } from '../parts/names';

export type Scene = Schema['SceneView'];
export type Zone = Schema['ZoneView'];

export const NOBODY = -1;
export const CHANCE = -1;
export const OVER = -2;
export const EVERYTHING = -1;

/** What every table is given. Nothing else is needed to draw one. */
export interface TableProps {
  scene: Scene;
  names: string[];
  seat: number; // who sits at the near side
  said: string[]; // for each player what he did last, in a few words; '' for nothing
  act?: (action: string) => void; // missing: nothing can be done now
  shares?: Record<string, number>; // what a hint says, by action
}

export const sizeOf = (zone: Zone): number => zone.shown.length + zone.hidden;

export const zonesOf = (scene: Scene, owner: number): Zone[] => scene.zones.filter((zone) => zone.owner === owner);

export const zoneNamed = (scene: Scene, name: string, owner: number): Zone | undefined =>
  scene.zones.find((zone) => zone.owner === owner && zone.name === name);

/** The rows of a board, which are called row 1, row 2 and so on, and belong to nobody. */
export const boardOf = (scene: Scene): Zone[] => zonesOf(scene, NOBODY).filter((zone) => /^row \d+$/.test(zone.name));

/** The others, as they sit around the table from the near seat's left. */
export function others(players: number, seat: number): number[] {
  return Array.from({ length: players - 1 }, (_, k) => (seat + 1 + k) % players);
}

/** A run without the moment when it was begun, which its name starts with. */
export const shortly = (name: string): string => aheadCalled(name.replace(/^\d{8}T\d{6}Z-/, ''));

/** What a player is called. */
export function called(names: string[], player: number, seat: number): string {
  if (player === CHANCE) return 'chance';
  return player === seat && names[player] === 'you' ? 'You' : shortly(names[player] ?? `player ${player}`);
}

const RANKS: Record<string, string> = { A: 'ace', J: 'jack', Q: 'queen', K: 'king', T: 'ten' };
const SUITS: Record<string, string> = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' };
const TILES: Record<string, string> = {
  E: 'east wind', S: 'south wind', W: 'west wind', N: 'north wind', C: 'red dragon', F: 'green dragon', P: 'white dragon',
};

const STONES: Record<string, string> = { x: 'stone x', o: 'stone o' };

export type Kind = 'card' | 'tile' | 'die' | 'cell';

/** A card with a suit, as "As" or "Td": there is a picture of it. */
export const isSuited = (name: string): boolean => /^[A23456789TJQK][cdhs]$/.test(name);

/** A card, tile or die in words, for those who listen. */
export function spoken(name: string, kind: Kind = 'card'): string {
  if (kind === 'tile') return TILES[name] ?? name.replace(/^(\d)m$/, '$1 of characters');
  if (kind === 'cell') return STONES[name] ?? `${name}, free`;
  if (kind === 'die') return `a die showing ${name}`;
  if (isSuited(name)) return `${RANKS[name[0]!] ?? name[0]} of ${SUITS[name[1]!]}`;
  return RANKS[name] ?? name;
}

/** The action that lays these cards, if there is one: an action's name is its cards, in any order. */
export function laying(cards: string[], actions: string[]): string | undefined {
  const wanted = [...cards].sort().join(' ');
  return cards.length ? actions.find((action) => action.split(' ').sort().join(' ') === wanted) : undefined;
}

/** Actions that are cards of this hand, as against words. */
export function layable(hand: string[], actions: string[]): string[] {
  const held = new Set(hand);
  return actions.filter((action) => action.split(' ').every((card) => held.has(card)));
}

/** Two cards with one name are two cards: each gets a key of its own, the same as long as it stays. */
export function keyed(names: string[]): { key: string; name: string }[] {
  const met = new Map<string, number>();
  return names.map((name) => {
    const count = (met.get(name) ?? 0) + 1;
    met.set(name, count);
    return { key: `${name}#${count}`, name };
  });
}

/** A payoff as it is told: +2, −1.5, 0. */
export function signed(value: number, digits = 3): string {
  const text = String(Number(Math.abs(value).toFixed(digits)));
  return text === '0' ? '0' : `${value < 0 ? '−' : '+'}${text}`;
}

export const amount = (value: number): string => String(Number(value.toFixed(2)));

/** A word with a capital letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What each player did last, of what a seat has heard: for speech bubbles. */
export function lastWords(heard: { player: number; words: string[] }[], players: number, seat: number): string[] {
  const found = Array.from({ length: players }, () => '');
  const mine = heard.findLastIndex((one) => one.player === seat);
  heard.slice(mine < 0 ? 0 : mine).forEach((one) => {
    if (one.player < 0 || one.player === seat) return;
    const own = one.words.filter((line) => !/^(you|player \d+) /.test(line) || line.startsWith(`player ${one.player} `));
    found[one.player] = own.filter((line) => !/^player \d+ shows /.test(line)).map((line) => bubble(line, one.player)).join('; ');
  });
  return found;
}

/** A line without its beginning that says who: "player 1 believes it" is "believes it". */
export function bubble(line: string, player: number): string {
  const said = line.match(/ says: (.*)$/);
  return said ? `“${said[1]}”` : line.replace(new RegExp(`^player ${player} `), '');
}

/** The game's name in its description: "Leduc poker: one private card, ..." is "Leduc poker". */
export function heading(about: string, title: string): string {
  const name = about.split(/[:,(]| for /)[0]!.trim();
  return about.includes(': ') && name.length <= 30 ? name : capital(title.replaceAll('_', ' '));
}
