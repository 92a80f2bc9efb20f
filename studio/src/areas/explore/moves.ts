/** Colours of actions: the same action has the same one wherever it is drawn. */
import type { Schema } from '../../api/client';

type SquareMove = Schema['SquareMove'];

/** Words that mean the same thing in most games of cards. */
const KNOWN: Record<string, string> = {
  fold: 'var(--series-6)',
  check: 'var(--series-5)',
  call: 'var(--series-3)',
  pass: 'var(--series-6)',
  believe: 'var(--series-5)',
  challenge: 'var(--series-4)',
  bet: 'var(--series-2)',
  raise: 'var(--series-2)',
};
const REST = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `var(--series-${at})`);

/** A colour for each of these actions. Names that are not known take what is left, in their order. */
export function coloursOf(names: readonly string[]): string[] {
  const first = names.map((name) => KNOWN[name.toLowerCase()] ?? (name.startsWith('all-in') ? 'var(--series-8)' : undefined));
  const taken = new Set(first.filter((colour, at) => colour !== undefined && first.indexOf(colour) === at));
  const left = REST.filter((colour) => !taken.has(colour));
  const used = new Set<string>();
  let next = 0;
  return first.map((colour) => {
    if (colour !== undefined && !used.has(colour)) {
      used.add(colour);
      return colour;
    }
    return left[next++ % left.length] ?? 'var(--series-1)';
  });
}

/** The same in Hold'em, where bets are the redder the larger they are. */
export function colourOfMove(move: Pick<SquareMove, 'kind' | 'shade'>): string {
  if (move.kind === 'fold') return 'var(--series-6)';
  if (move.kind === 'check') return 'var(--series-5)';
  if (move.kind === 'call') return 'var(--series-3)';
  if (move.kind === 'all-in') return 'var(--series-8)';
  return `color-mix(in oklab, var(--series-2), var(--series-4) ${Math.round(100 * move.shade)}%)`;
}

/** A background of stacked stripes, from left to right. */
export function stripes(shares: readonly number[], colours: readonly string[]): string {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (!(total > 0)) return 'none';
  let at = 0;
  const stops: string[] = [];
  shares.forEach((share, k) => {
    if (share <= 0) return;
    const from = (100 * at) / total;
    at += share;
    stops.push(`${colours[k]} ${from.toFixed(2)}% ${((100 * at) / total).toFixed(2)}%`);
  });
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}

/** One of these, drawn at random by their probabilities; -1 if there are none. `u` is from 0 to 1. */
export function drawn(probabilities: readonly (number | null)[], u: number): number {
  const known = probabilities.map((share) => share ?? 0);
  const total = known.reduce((sum, share) => sum + share, 0);
  let left = u * total;
  for (let at = 0; at < known.length; at++) {
    left -= known[at] ?? 0;
    if ((known[at] ?? 0) > 0 && left < 0) return at;
  }
  return known.findLastIndex((share) => share > 0);
}
