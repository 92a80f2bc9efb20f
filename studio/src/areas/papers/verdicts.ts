/** What verdicts look like, and how many there are. */

export type Look = 'good' | 'warn' | 'bad' | 'quiet';

const LOOKS: Record<string, Look> = {
  reproduced: 'good',
  holds: 'good',
  'not reproduced': 'warn',
  refuted: 'bad',
  broken: 'bad',
  'cannot be told': 'quiet',
  measured: 'quiet',
};

export const lookOf = (verdict: string): Look => LOOKS[verdict] ?? 'quiet';

export const total = (counts: { count: number }[]): number => counts.reduce((sum, one) => sum + one.count, 0);

/** The verdicts in the order in which they are told. */
export function ordered<T extends { verdict: string }>(counts: T[]): T[] {
  const places = Object.keys(LOOKS);
  return [...counts].sort((a, b) => places.indexOf(a.verdict) - places.indexOf(b.verdict));
}
