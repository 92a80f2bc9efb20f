/** A game as a person types it: its name, and the fields that are not as usual. */
import type { Schema } from '../../api/client';

export type GameForm = Schema['GameForm'];

export function specOf(game: GameForm, named: string, fields: Record<string, string>): string {
  const changed = game.fields
    .filter((field) => fields[field.name] !== undefined && fields[field.name] !== '' && fields[field.name] !== field.default)
    .map((field) => `${field.name}=${fields[field.name]}`);
  const said = [...(named ? [named] : []), ...changed];
  return said.length ? `${game.name}:${said.join(',')}` : game.name;
}

/** What of the form is asked: numbers as numbers, nothing where nothing is typed. */
export function askedOf(
  options: Schema['OptionForm'][],
  typed: Record<string, string | boolean>,
): Record<string, string | number | boolean | string[]> {
  const asked: Record<string, string | number | boolean | string[]> = {};
  for (const option of options) {
    const value = typed[option.name];
    if (value === undefined || value === '' || value === false) continue;
    if (option.many) asked[option.name] = [String(value)];
    else if (['whole', 'seed', 'number'].includes(option.kind)) {
      const number = Number(String(value).replace(/[_,\s]/g, ''));
      asked[option.name] = Number.isFinite(number) ? number : String(value);
    } else if (option.kind === 'share' && !String(value).endsWith('%')) {
      const number = Number(value);
      asked[option.name] = Number.isFinite(number) ? number : String(value);
    } else asked[option.name] = value;
  }
  return asked;
}
