import { expect, test } from 'vitest';

import { parseOptions } from './options.ts';

const command = {
  name: 'pour',
  options: [
    { flag: 'engine', value: 'URL', repeatable: true, summary: '' },
    { flag: 'port', value: 'P', summary: '' },
    { flag: 'no-load', summary: '' },
  ],
  positionals: ['FILE'],
};

test('values, repeats, flags and positionals are read in any order', () => {
  const options = parseOptions(command, ['--engine', 'a', 'file', '--no-load', '--engine=b', '--port=0']);
  expect(options.positionals).toEqual(['file']);
  expect(options.texts('engine')).toEqual(['a', 'b']);
  expect(options.text('port')).toBe('0');
  expect(options.given('no-load')).toBe(true);
});

test('what was not given is absent', () => {
  const options = parseOptions(command, ['file']);
  expect([options.text('port'), options.texts('engine'), options.given('no-load')]).toEqual([
    undefined,
    [],
    false,
  ]);
});

test('everything after -- is a positional', () => {
  expect(parseOptions(command, ['--', '--port']).positionals).toEqual(['--port']);
});

test.each([
  [['f', '--prot', '1'], 'penstock pour has no option --prot; did you mean --port?'],
  [['f', '--zzzzzz'], 'penstock pour has no option --zzzzzz; there are: --engine, --port, --no-load'],
  [['f', '-p', '1'], 'penstock pour has no option -p; there are: --engine, --port, --no-load'],
  [['f', '--port'], '--port needs a value: --port P'],
  [['f', '--port='], '--port needs a value: --port P'],
  [['f', '--port', '--no-load'], '--port needs a value: --port P, found --no-load'],
  [['f', '--port', '1', '--port', '2'], '--port is given twice; it takes one value'],
  [['f', '--no-load=yes'], '--no-load takes no value, found "yes"'],
  [['f', 'g'], 'unexpected "g": penstock pour takes FILE only'],
  [[], 'FILE is missing: penstock pour FILE'],
])('%j is refused in one line', (argv, message) => {
  expect(() => parseOptions(command, argv)).toThrow(message);
});

test('asking for an option the command does not list is a bug, not a usage error', () => {
  expect(() => parseOptions(command, ['f']).text('prot')).toThrow(TypeError);
});
