import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask } from '../../testing/caller.ts';
import { startWorld, type World } from '../../testing/world.ts';
import { fixOf } from './provider-key.ts';

const KEYS = {
  KEY_WITH_A_BREAK: 'the-engine-key\n',
  BLANK_KEY: ' \n',
  KEY_OF_TWO_LINES: 'the-engine-key\r\nx-second: line',
  KEY_IN_WIDE_LETTERS: 'the-engine-key-ключ',
};

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])("a provider's key from its variable, %s profile", (_, profile) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ environment: KEYS, ...(profile ? { profile } : {}) });
    for (const name of Object.keys(KEYS)) {
      await world.serve(name, { apiKeyEnv: name });
      await world.serve(`${name}-x`, { apiKeyEnv: name, apiKeyHeader: 'x-engine-key' });
    }
  });
  afterAll(() => world.stop());

  const call = (endpoint: string) => ask(world.port, `/${endpoint}/v1/models`, { key: world.key });
  const got = () => world.engine.received.at(-1)?.headers;

  it('is sent without the final line break of many mounted secrets', async () => {
    expect((await call('KEY_WITH_A_BREAK')).status).toBe(200);
    expect(got()?.authorization).toBe('Bearer the-engine-key');
    expect((await call('KEY_WITH_A_BREAK-x')).status).toBe(200);
    expect(got()?.['x-engine-key']).toBe('the-engine-key');
  });

  it.each(['', '-x'])('is absent where it is blank (%j)', async (suffix) => {
    const before = world.engine.received.length;
    const { status, json } = await call(`BLANK_KEY${suffix}`);
    expect({ status, json }).toEqual({
      status: 500,
      json: { error: 'Missing env variable: BLANK_KEY' },
    });
    expect(world.engine.received).toHaveLength(before);
  });

  it('explains in a header how an absent one is set, with npm start too', async () => {
    const { headers } = await call('BLANK_KEY');
    expect(headers['x-gateway-fix']).toMatch(/^Set BLANK_KEY in the environment .*npm start: --env BLANK_KEY=VALUE/);
    expect(fixOf('NO HEADER\r\n')).toEqual({});
  });

  it.each(['KEY_OF_TWO_LINES', 'KEY_IN_WIDE_LETTERS'])(
    'is named, never shown, where no header can carry it: %s',
    async (name) => {
      const before = world.engine.received.length;
      for (const endpoint of [name, `${name}-x`]) {
        const { status, json } = await call(endpoint);
        const error = `The variable ${name} has characters that a header cannot contain. Set it to the provider's key only.`;
        expect({ status, json }).toEqual({ status: 502, json: { error } });
      }
      expect(world.engine.received).toHaveLength(before);
    },
  );
});
