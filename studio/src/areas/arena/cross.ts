/** What the page makes of a cross table. */
import type { Schema } from '../../api/client';

export type Cell = Schema['ArenaCell'];
export type Row = Schema['ArenaRow'];

/** Whether what was won is beyond what luck explains: its 95 % interval leaves zero out. */
export function isClear(cell: Cell): boolean {
  return typeof cell.mean === 'number' && typeof cell.margin === 'number' && cell.deals > 1 && Math.abs(cell.mean) > cell.margin;
}

/** Half the interval; a question mark where too few deals were all alike, or none was played. */
export function marginOf(cell: Cell, digits: number): string {
  return typeof cell.margin === 'number' ? cell.margin.toFixed(digits) : '?';
}

/** How strong a cell is coloured, from -1 to 1, next to the largest of the table. */
export function warmth(cell: Cell, largest: number): number {
  if (typeof cell.mean !== 'number' || !(largest > 0)) return 0;
  return Math.max(-1, Math.min(1, cell.mean / largest));
}

/** The largest mean of a table, by its size. */
export function largestOf(rows: readonly Row[]): number {
  return Math.max(0, ...rows.flatMap((row) => row.cells.map((cell) => Math.abs(cell?.mean ?? 0))));
}

/** Places of the entrants, the best first. */
export function ranking(rows: readonly Row[]): number[] {
  return rows.map((_, at) => at).sort((a, b) => (rows[b]?.overall.mean ?? -Infinity) - (rows[a]?.overall.mean ?? -Infinity));
}

/** How many tables there are: as many as ways to choose who sits down. */
export function tablesOf(entrants: number, seats: number): number {
  if (entrants < seats) return 0;
  let ways = 1;
  for (let at = 1; at <= seats; at++) ways = (ways * (entrants - seats + at)) / at;
  return Math.round(ways);
}
