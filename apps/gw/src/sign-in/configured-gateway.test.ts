import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, property, webUrl } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { MACHINE } from '../testing/world.ts';
import { gatewayAddress, isReadOnTheWay, readConfiguredGateway } from './configured-gateway.ts';

describe('the address of a gateway', () => {
  it.each([
    ['https://gateway.example', 'https://gateway.example'],
    ['https://gateway.example/', 'https://gateway.example'],
    ['https://gateway.example/base///', 'https://gateway.example/base'],
    ['HTTPS://Gateway.EXAMPLE:443/Base', 'https://gateway.example/Base'],
    ['http://127.0.0.1:6001', 'http://127.0.0.1:6001'],
    ['https://gateway.example/a/../b', 'https://gateway.example/b'],
    ['https://[2001:DB8::1]:8443/', 'https://[2001:db8::1]:8443'],
  ])('%s is kept as %s', (text, kept) => {
    expect(gatewayAddress(text, '--gateway')).toBe(kept);
  });

  it.each([
    '',
    'gateway.example',
    '//gateway.example',
    'ftp://gateway.example',
    'file:///etc/passwd',
    'https://',
    'https://casey@gateway.example',
    'https://:secret@gateway.example',
    'https://gateway.example?key=1',
    'https://gateway.example/#top',
  ])('%j is refused, and the place where it stands is named', (text) => {
    expect(() => gatewayAddress(text, 'GATEWAY_URL')).toThrow(
      'GATEWAY_URL must be an address such as https://gateway.example, without user name and query.',
    );
  });

  it('is the same when it is read again', () => {
    assert(
      property(webUrl({ withQueryParameters: false, withFragments: false }), (text) => {
        const kept = gatewayAddress(text, '--gateway');
        expect(gatewayAddress(kept, '--gateway')).toBe(kept);
        expect(kept).not.toMatch(/\/$/);
      }),
    );
  });

  it.each([
    ['http://gateway.example', true],
    ['http://10.0.0.1', true],
    ['http://127.example.org', true],
    ['http://localhost.example.org', true],
    ['http://127.0.0.1.example.org', true],
    ['http://localhost:6001', false],
    ['http://127.0.0.1:6001', false],
    ['http://127.1.2.3', false],
    ['http://[::1]:6001', false],
    ['https://gateway.example', false],
  ])('%s can be read on the way: %j', (gateway, readable) => {
    expect(isReadOnTheWay(gateway)).toBe(readable);
  });
});

describe('the configured gateway', () => {
  const world = (files: Readonly<Record<string, string>> = {}, variables: Readonly<Record<string, string>> = {}) => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.gateway'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.gateway', name), text);
    return {
      ...MACHINE,
      variables: new Map(Object.entries(variables)),
      homeDirectory: home,
      workingDirectory: home,
      userName: null,
      userId: null,
    };
  };

  it.each([
    ['config.yaml', 'gateway: https://gateway.example/\nmodels: []\n'],
    ['config.yml', '# mine\ngateway: "https://gateway.example"\n'],
    ['config.yaml', '\uFEFFgateway: https://gateway.example\r\n'],
  ])('is read from %s', async (name, text) => {
    expect(await readConfiguredGateway(world({ [name]: text }), null)).toBe('https://gateway.example');
  });

  it('is that of config.yaml where both files are there', async () => {
    const both = { 'config.yml': 'gateway: https://of-yml.example', 'config.yaml': 'gateway: https://of-yaml.example' };
    expect(await readConfiguredGateway(world(both), null)).toBe('https://of-yaml.example');
  });

  it('names the file whose address is refused', async () => {
    await expect(readConfiguredGateway(world({ 'config.yml': 'gateway: gateway.example' }), null)).rejects.toThrow(
      'The member gateway of ~/.gateway/config.yml must be an address',
    );
  });

  it.each(['', 'models: []', 'gateway:', 'gateway: 1', '[', '- gateway', '"text"', '\u0000'])(
    'is none in a file with %j, and the message says how to name it',
    async (text) => {
      await expect(readConfiguredGateway(world({ 'config.yaml': text }), null)).rejects.toThrow(
        'No gateway is configured. Name it: --gateway https://gateway.example, or gateway: in ~/.gateway/config.yaml.',
      );
    },
  );

  it('is none for a user without home, unless a variable or the option names it', async () => {
    const homeless = (variables = {}) => ({ ...world({}, variables), homeDirectory: null });
    await expect(readConfiguredGateway(homeless(), null)).rejects.toThrow('No gateway is configured.');
    expect(await readConfiguredGateway(homeless({ GATEWAY_URL: 'https://a.example' }), null)).toBe('https://a.example');
    expect(await readConfiguredGateway(homeless({ GATEWAY_URL: 'nothing' }), 'https://b.example')).toBe(
      'https://b.example',
    );
  });
});
