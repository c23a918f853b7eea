import { expect, it } from 'vitest';
import { misspelt, type Variable } from './reading.ts';

const listed = (...names: string[]): Variable[] =>
  names.map((name) => ({ name, form: 'a text', fallback: 'nothing', effect: 'Is read.' }));
const READ = listed(
  'PORT',
  'HOST',
  'HTTPS_PROXY',
  'DATABASE_URL',
  'TLS_CERT_FILE',
  'GATEWAY_DRAIN_SECONDS',
  'GATEWAY_STATE_DIR',
  'GATEWAY_AGENT_PROCESSES',
  'GATEWAY_AGENT_PROCESSORS',
);

it.each([
  ['a letter too few', 'GATEWAY_DRAIN_SECOND', 'GATEWAY_DRAIN_SECONDS'],
  ['a letter too many', 'GATEWAY_STATE_DIRR', 'GATEWAY_STATE_DIR'],
  ['another letter', 'DATABASE_URI', 'DATABASE_URL'],
  ['two letters exchanged', 'GATEWAY_DRIAN_SECONDS', 'GATEWAY_DRAIN_SECONDS'],
  ['a slip in its first word', 'GATEWY_DRAIN_SECONDS', 'GATEWAY_DRAIN_SECONDS'],
  ['its last word left out', 'TLS_CERT', 'TLS_CERT_FILE'],
  ['its last word written out', 'GATEWAY_STATE_DIRECTORY', 'GATEWAY_STATE_DIR'],
])('a name with %s is reported, with the probable one, never with its value', (_, name, meant) => {
  expect(misspelt({ [name]: 'hunter2' }, READ)).toEqual([`${name}: is not a setting. Did you mean ${meant}?`]);
});

it.each([
  ['what is read', { GATEWAY_DRAIN_SECONDS: '5', GATEWAY_AGENT_PROCESSES: '3' }],
  ['one that is blank', { GATEWAY_DRAIN_SECOND: ' ' }],
  ['one beside what it may be meant for', { DATABASE_URI: 'x', DATABASE_URL: 'y' }],
  ["the key of a provider, whose name is the operator's", { GATEWAY_OPENAI_KEY: 'x', GATEWAY_KEY: 'y' }],
  [
    'a variable that Kubernetes sets for a service',
    { GATEWAY_SERVICE_HOST: 'x', GATEWAY_PORT: 'y', GATEWAY_PORT_80_TCP: 'z' },
  ],
  ["what is near a name that is not the product's alone", { HOSTS: 'x', PORTS: 'y', HTTP_PROXY: 'z' }],
  ['a beginning of several', { GATEWAY_AGENT: 'x' }],
  ['a beginning that is not of whole words', { GATEWAY_STAT: 'x', GATEWAY: 'y' }],
  ['two slips', { GATEWAY_DRIAN_SECOND: 'x', DATABASE_URLS_: 'y', TLS_CRET_FIL: 'z' }],
  ['two letters exchanged and one left out', { GATEWAY_STATE_ID: 'x' }],
  ['a name in lower case', { gateway_state_dirr: 'x' }],
  ['another word at the end', { DATABASE_URL_OF_ANOTHER: 'x' }],
])('%s is not reported', (_, environment) => {
  expect(misspelt(environment, READ)).toEqual([]);
});
