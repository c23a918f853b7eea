import { expect, it } from 'vitest';
import { readConfiguration } from '../configuration/configuration.ts';
import { readQuickly } from './sources.ts';

const MODEL = 'models:\n  - name: Coder\n    endpoint: ';

it.each([
  ['a plain one', `gateway: https://gateway.example\n${MODEL}demo\n    apiKey: \${{ env.KEY }}\n`, false],
  ['one that needs the library', `${MODEL}{https://engine.example/v1: 1}\nname: {a: b}\n`, false],
  ['a flow', 'models: [{name: a, endpoint: https://engine.example/v1}]\n', false],
  ['an unknown member', `${MODEL}https://engine.example/v1\n    temperture: 1\n`, false],
  ['an endpoint without its gateway', `${MODEL}demo\n`, false],
  ['the same with GATEWAY_URL', `${MODEL}demo\n`, true],
  ['a reference that is none', `${MODEL}https://engine.example/v1\n    apiKey: \${{ secrets.KEY }}\n`, false],
  ['no YAML', '{', false],
])('%s is read as with the library', async (_, text, hasGateway) => {
  const { value, faults, references } = readConfiguration(text, hasGateway);
  expect(await readQuickly(text, hasGateway)).toMatchObject({ value, faults, references });
});
