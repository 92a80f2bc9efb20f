/** What the page makes of dials and frontiers. */
import type { Schema } from '../../api/client';
import { short } from '../../parts/figures';

export type Dial = Schema['DialView'];
export type Point = Schema['FrontierPoint'];

export const FREE = 1e-6; // a price that is none
const SAME = 1e-4; // a range that is a point

/** What a value costs at least, between the points of the frontier, which is convex; undefined beyond its ends. */
export function priceAt(points: readonly Point[], value: number): number | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || value < first.value - 1e-9 || value > last.value + 1e-9) return undefined;
  for (let at = 1; at < points.length; at++) {
    const left = points[at - 1]!;
    const right = points[at]!;
    if (value <= right.value) {
      const width = right.value - left.value;
      return width > 0 ? left.price + ((right.price - left.price) * (value - left.value)) / width : right.price;
    }
  }
  return last.price;
}

/** Where the axis of costs ends: all that is drawn lies below it, and so does what it may cost. */
export function highestOf(costs: readonly number[], cap: number): number {
  return Math.max(1.05 * Math.max(0, ...costs), 1.2 * cap, 1e-6);
}

/** A price in words. */
export function priceWords(price: number | undefined): string {
  if (price === undefined) return 'not known before a search';
  return price < FREE ? 'nothing' : short(price);
}

/** Whether a dial can be turned for nothing. */
export function isFree(dial: Dial): boolean {
  return dial.lowest !== null && dial.highest !== null && dial.lowest !== undefined && dial.highest !== undefined && dial.highest - dial.lowest > SAME;
}

/** A metric without what its group says already: "raise, with J, first" of "raise, player 0, with J, first". */
export function shortName(name: string): string {
  return name.replace(/, player \d+/, '');
}

/** Dials by player, in their order. */
export function byPlayer(dials: readonly Dial[]): [number | null, Dial[]][] {
  const groups = new Map<number | null, Dial[]>();
  for (const dial of dials) {
    const player = dial.player ?? null;
    groups.set(player, [...(groups.get(player) ?? []), dial]);
  }
  return [...groups];
}

/** How much of what a best response wins more than a plain solve is won; nothing if there is nothing to win. */
export function shareOfBest(answers: readonly Schema['AnswerView'][]): number | undefined {
  const [plain, adapted, best] = answers;
  if (!plain || !adapted || !best || best.mean - plain.mean < FREE) return undefined;
  return (adapted.mean - plain.mean) / (best.mean - plain.mean);
}
