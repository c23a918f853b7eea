import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openerOf } from '../../sign-in/browser.ts';
import { readHidden } from '../../sign-in/hidden-input.ts';
import { type Asked, fakeGateway } from '../../testing/fake-gateway.ts';
import { openWorld, type World } from '../../testing/world.ts';

const KEY = `gwk_${'0123456789abcdef'.repeat(3)}`;

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const gateway = () =>
  fakeGateway(({ authorization }: Asked) =>
    authorization === `Bearer ${KEY}`
      ? { status: 404, body: { error: 'Unknown endpoint: _sign-in', available: ['demo', 'large'] } }
      : { status: 401, body: { error: 'Unauthorized.' } },
  );

describe('gw login --key', () => {
  it('keeps a key from standard input once the gateway accepts it, and shows it nowhere', async () => {
    const { url, seen } = await gateway();
    const terminal = { readAll: async () => `${KEY}\n` };
    const { code, out, err } = await world.gw(['login', '--key', '--gateway', `${url}/`], { terminal });
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`Signed in to ${url} with an account key.\nEndpoints: demo, large\n`);
    expect(JSON.parse(readFileSync(`${world.home}/.gateway/credentials.json`, 'utf8'))).toMatchObject({
      gateways: { [url]: { kind: 'key', key: KEY } },
    });
    expect(seen).toHaveLength(1);
    expect((await world.gw(['logout', '--gateway', url])).out).toMatch(
      /The account key is deleted here; it stays valid/,
    );
    expect((await world.gw(['logout', '--gateway', url])).out).toBe(`Nobody is signed in to ${url}.\n`);
  });

  it('asks a person without echo, and ends where they interrupt', async () => {
    const { url } = await gateway();
    const at = (key: string | null) => ({ terminal: { input: true, readHidden: async () => key } });
    expect((await world.gw(['login', '--key', '--gateway', url], at(KEY))).code).toBe(0);
    expect((await world.gw(['login', '--key', '--gateway', url], at(null))).code).toBe(130);
  });

  it.each([
    [`gwk_${'f'.repeat(48)}`, 4, /does not accept the key \(401\): Unauthorized\. Nothing was kept\./],
    ['not a key', 2, /--key: this is not an account key/],
    ['', 2, /--key: this is not an account key/],
  ])('refuses %j with exit code %i', async (key, exit, says) => {
    const { url } = await gateway();
    const { code, out, err } = await world.gw(['login', '--key', '--gateway', url], {
      terminal: { readAll: async () => key },
    });
    expect([code, out]).toEqual([exit, '']);
    expect(err).toMatch(says);
  });
});

it('takes the gateway of the option, else of GATEWAY_URL, else of the user’s own configuration', async () => {
  world.write('home/casey/.gateway/config.yaml', 'gateway: https://of-the-file.example/\n');
  world.write('work/shop/.gateway/config.yaml', 'gateway: https://of-the-project.example\n');
  const signedOutOf = async (words: readonly string[], variables = {}): Promise<string> =>
    (await world.gw(['logout', ...words], { variables })).out;
  expect(await signedOutOf([])).toContain('https://of-the-file.example.');
  expect(await signedOutOf([], { GATEWAY_URL: 'https://of-the-variable.example' })).toContain('of-the-variable');
  expect(await signedOutOf(['--gateway', 'https://of-the-option.example/base/'])).toContain(
    'of-the-option.example/base.',
  );
});

it.each([
  [['login'], /No gateway is configured\. Name it: --gateway/],
  [['login', '--gateway', 'gateway.example'], /--gateway must be an address such as https/],
  [['login', '--gateway', 'https://u:p@gateway.example'], /--gateway must be an address/],
  [['login', '--device', '--key'], /--device and --key exclude each other/],
])('%j is wrong usage', async (words, says) => {
  const { code, out, err } = await world.gw(words);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(says);
});

it('reports the address at which no gateway answers', async () => {
  const { url, close } = await gateway();
  close();
  const { code, err } = await world.gw(['login', '--gateway', url]);
  expect(code).toBe(1);
  expect(err).toContain(`${url} does not answer`);
});

it('reads a line from a terminal in raw mode', async () => {
  const typed = async (...chunks: readonly string[]) => {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => modes.push(mode) });
    const line = readHidden(input as unknown as ReadStream);
    for (const chunk of chunks) input.write(chunk);
    const read = await line;
    expect(modes).toEqual([true, false]);
    return read;
  };
  expect(await typed('ab', 'x\u007fc\r')).toBe('abc');
  expect(await typed('\u001b[200~pasted\u001b[201~\n')).toBe('pasted');
  expect(await typed('abc\u0003')).toBeNull();
});

it('opens a browser where there is one to open', () => {
  expect(openerOf('darwin', new Map())?.[0]).toBe('open');
  expect(openerOf('linux', new Map([['DISPLAY', ':0']]))?.[0]).toBe('xdg-open');
  expect(openerOf('linux', new Map())).toBeNull();
  expect(
    openerOf(
      'linux',
      new Map([
        ['DISPLAY', ':0'],
        ['SSH_CONNECTION', 'x'],
      ]),
    ),
  ).toBeNull();
});
