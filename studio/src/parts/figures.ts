/** Numbers as people read them. */

/** A share as a percentage: 41.8%, 100%, <0.1%. */
export function percent(share: number, digits = 1): string {
  if (share > 0 && share < 0.0005) return '<0.1%';
  if (share < 1 && share > 0.9995) return '>99.9%';
  const text = (100 * share).toFixed(digits);
  return `${digits > 0 ? text.replace(/\.0+$/, '') : text}%`;
}

/** With a sign, and so many digits: +0.420, −1.000. */
export function signed(value: number, digits = 3): string {
  const text = Math.abs(value).toFixed(digits);
  const zero = Number(text) === 0;
  return zero ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/** A number of any size in few letters: 0.0089, 12.4, 3.1e-7. */
export function short(value: number, digits = 3): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size < 1e-4 || size >= 1e6 ? size.toExponential(Math.max(0, digits - 2)) : String(Number(size.toPrecision(digits)));
  return `${value < 0 ? '−' : ''}${text.replace('e+', 'e')}`;
}

/** A count: 12,400. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Who a number stands for. */
export function playerName(player: number | null | undefined): string {
  if (player === null || player === undefined) return 'Any player';
  if (player === -1) return 'Chance';
  return player < 0 ? 'Nobody' : `Player ${player}`;
}
