import { expect, it } from 'vitest';
import { type Environment, StartFault } from './environment.ts';
import { type Options, parseOptions } from './options.ts';
import { engineKey } from './start-all.ts';

function keyFor(words: readonly string[], variables: Readonly<Record<string, string>>): Record<string, string> {
  const parsed = parseOptions(words, '/');
  if (!('options' in parsed)) throw new Error(parsed.text);
  const options: Options = parsed.options;
  const environment: Environment = { callerFolder: '/', machine: {}, gateway: {}, named: (name) => variables[name] };
  return engineKey({ options, environment });
}

const ENGINE = ['--engine', 'https://engines.example', '--model', 'm'];

it("the engine's key is the variable that was named, and no other", () => {
  const variables = { ENGINE_KEY: 'k', OTHER: 'o' };
  expect(keyFor([...ENGINE, '--engine-key-env', 'ENGINE_KEY'], variables)).toEqual({ ENGINE_KEY: 'k' });
  expect(keyFor(ENGINE, variables)).toEqual({});
  expect(keyFor([], variables)).toEqual({});
});

it('a key that is not set is a fault, unless --env sets it for the gateway', () => {
  const words = [...ENGINE, '--engine-key-env', 'ENGINE_KEY'];
  expect(() => keyFor(words, {})).toThrow(StartFault);
  expect(() => keyFor(words, {})).toThrow('The variable ENGINE_KEY, which --engine-key-env names, is not set.');
  expect(keyFor([...words, '--env', 'ENGINE_KEY=k'], {})).toEqual({});
});
