/** What games and runs are called on the page. */

const GAMES: Record<string, string> = {
  blotto: 'Colonel Blotto', dark_hex: 'Dark Hex', holdem: 'Hold’em', liars_dice: 'Liar’s Dice', oshi_zumo: 'Oshi-Zumo',
};

/** A game's title for people: `liars_dice:dice=2` is `Liar’s Dice: dice=2`; files are called as they are. */
export function gameCalled(title: string): string {
  const [name = '', ...fields] = title.split(':');
  if (/\.\w+$/.test(name)) return title;
  const words = name.replaceAll('_', ' ');
  const called = GAMES[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
  return fields.length ? `${called}: ${fields.join(':').trim()}` : called;
}

/** Whoever looks ahead, in words: `leduc:play=search,seconds=2` is `leduc (looks ahead, 2 s)`. */
export function aheadCalled(name: string): string {
  return name.replace(/(\.strategy)?:play=search((?:,\w+=[\w.+-]+)*)/, (_, _ending, fields: string) => {
    const seconds = /,seconds=([\w.+-]+)/.exec(fields)?.[1];
    return ` (looks ahead${seconds ? `, ${seconds} s` : ''})`;
  });
}

/** A run's name with the moment when it was begun behind it, and a strategy's without its ending. */
export function dated(name: string): string {
  return aheadCalled(name.replace(/^\d{4}(\d\d)(\d\d)T(\d\d)(\d\d)\d\dZ-([^:]*)(.*)$/, '$5 · $1-$2 $3:$4$6')).replace(/\.strategy$/, '');
}
