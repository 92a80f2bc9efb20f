/** Lines for Curve.svelte, joined over one horizontal axis as uPlot wants them. */
import type { AlignedData } from 'uplot';

export interface Line {
  name: string;
  x: number[]; // rising
  y: (number | null)[];
  series?: number; // 1 to 8, the colour; else by place
}

/** One axis with every x of every line; what a logarithm cannot show is left out. */
export function joined(lines: Line[], { logX = false, logY = false } = {}): AlignedData {
  const shown = (x: number) => !logX || x > 0;
  const kept = (y: number | null | undefined) => (y === null || y === undefined || !Number.isFinite(y) || (logY && y <= 0) ? null : y);
  const only = lines[0];
  if (lines.length === 1 && only) {
    const first = logX ? only.x.findIndex(shown) : 0;
    const from = first < 0 ? only.x.length : first;
    return [only.x.slice(from), only.y.slice(from).map(kept)];
  }
  const every = [...new Set(lines.flatMap((line) => line.x.filter(shown)))].sort((a, b) => a - b);
  const place = new Map(every.map((x, at) => [x, at]));
  return [
    every,
    ...lines.map((line) => {
      const column: (number | null | undefined)[] = new Array(every.length).fill(undefined);
      line.x.forEach((x, at) => {
        const found = place.get(x);
        if (found !== undefined) column[found] = kept(line.y[at]);
      });
      return column;
    }),
  ];
}

/** A part of the horizontal axis. */
export interface Stretch {
  min: number;
  max: number;
  log: boolean;
}

// On a logarithmic axis equal steps are equal factors.
const inwards = (of: Stretch): [number, number] => (of.log ? [Math.log(of.min), Math.log(of.max)] : [of.min, of.max]);
const outwards = (log: boolean, min: number, max: number): Stretch =>
  log ? { min: Math.exp(min), max: Math.exp(max), log } : { min, max, log };

/** The middle of what is seen, so many times as large; never more than the whole. */
export function closer(now: Stretch, whole: Stretch, factor: number): Stretch {
  const [min, max] = inwards(now);
  const [least, most] = inwards(whole);
  const middle = (min + max) / 2;
  const half = Math.min(most - least, (max - min) / factor) / 2;
  const from = Math.max(least, Math.min(middle - half, most - 2 * half));
  return 2 * half >= most - least ? whole : outwards(now.log, from, from + 2 * half);
}

/** What is seen, moved by a share of itself, and no further than to the end. */
export function moved(now: Stretch, whole: Stretch, by: number): Stretch {
  const [min, max] = inwards(now);
  const [least, most] = inwards(whole);
  const size = max - min;
  const from = Math.max(least, Math.min(most - size, min + by * size));
  return outwards(now.log, from, from + size);
}
