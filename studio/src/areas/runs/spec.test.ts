import { expect, it } from 'vitest';
import { askedOf, specOf, type GameForm } from './spec';

const leduc: GameForm = {
  name: 'leduc',
  title: 'Leduc',
  description: '',
  fields: [
    { name: 'players', kind: 'whole', default: '2' },
    { name: 'suits', kind: 'whole', default: '2' },
  ],
  named: [],
  usual: {},
};

it('says of a game what is not as usual', () => {
  expect(specOf(leduc, '', {})).toBe('leduc');
  expect(specOf(leduc, '', { players: '3', suits: '2' })).toBe('leduc:players=3');
  expect(specOf({ ...leduc, name: 'cheat' }, 'half', { suits: '4' })).toBe('cheat:half,suits=4');
});

it('asks for what was typed, as numbers where they are', () => {
  const option = { default: null, help: '', shown: '', many: false };
  const options = [
    { ...option, name: 'iterations', kind: 'whole' },
    { ...option, name: 'target', kind: 'share' },
    { ...option, name: 'shared', kind: 'yes' },
    { ...option, name: 'against', kind: 'text', many: true },
    { ...option, name: 'rule', kind: 'text' },
  ];
  expect(askedOf(options, { iterations: '10_000', target: '0.1%', shared: false, against: 'heuristic', rule: '' })).toEqual({
    iterations: 10000,
    target: '0.1%',
    against: ['heuristic'],
  });
  expect(askedOf(options, { iterations: 'many' })).toEqual({ iterations: 'many' });
});
