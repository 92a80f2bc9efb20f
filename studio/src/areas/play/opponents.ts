/** Who sits opposite, in words. */
import type { Schema } from '../../api/client';

type Choices = Schema['TableChoices'];

const BOTS: Record<string, string> = {
  random: 'Does anything, each action equally often.',
  heuristic: 'Plays by rules of thumb, and doubts what is unlikely.',
  heuristic_last: 'As heuristic, and doubts every last card.',
  heuristic_002: 'As heuristic, with what it doubts as in paper 002.',
  naive: 'Honest where it can be, and doubts what it can disprove.',
  tight: 'Plays few hands, and those by raising.',
  call: 'Calls anything.',
  fold: 'Folds to any bet.',
  normal: 'Goes for four melds and a pair.',
  pongponghu: 'Goes for pongs.',
  seven_pairs: 'Goes for seven pairs.',
  mixed: 'Draws one of the policies for each game.',
  search: 'Looks ahead; takes a little longer.',
};

export const opponentsOf = (choices: Choices): string[] => [
  ...(choices.solvable ? [choices.solvable] : []),
  ...choices.runs.map((run) => run.name),
  ...(choices.ahead?.runs ?? []),
  ...choices.bots,
];

/** What a run is called that looks ahead for so long before it moves. */
export const aheadOf = (run: string, seconds: number): string => `${run}:play=search,seconds=${seconds}`;

/** Who is worth playing against most, and need not be waited for: a run, a good bot, then a solution. */
export function best(choices: Choices): string {
  const good = ['heuristic', 'tight', 'mixed'].find((bot) => choices.bots.includes(bot));
  return choices.runs[0]?.name ?? good ?? choices.solvable ?? choices.bots[0] ?? 'random';
}

export function describes(name: string, choices: Choices): string {
  if (name === choices.solvable) return 'Solved when you sit down, then nearly unbeatable. Gives hints.';
  const run = choices.runs.find((one) => one.name === name);
  if (!run && choices.ahead?.runs.includes(name)) return 'Looks ahead, and takes bets that it does not know for near ones.';
  return run ? `Trained by ${run.rule}. Gives hints.` : (BOTS[name.split(':')[0]!] ?? 'A bot of this game.');
}
