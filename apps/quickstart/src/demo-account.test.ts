import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type ConsoleClient, hostedAccount, localAccount } from './console-client.ts';
import type { Kept, StateDirectory } from './state.ts';

const KEY = 'gwk_kept';

function stateWith(demoKey: string | null): StateDirectory {
  const kept = { demoKey } as Kept;
  const keep = (changes: Partial<Kept>): void => {
    Object.assign(kept, changes);
  };
  return { kept, keep } as StateDirectory;
}

/** A console with these users and one plan that records requested changes. */
function consoleWith(users: readonly { id: string; username: string; plan: string | null }[]) {
  const sent: unknown[] = [];
  const api: ConsoleClient = {
    list: async <Row>(path: string, _: string, row: z.ZodType<Row>) =>
      (path === '/api/plans' ? [{ id: 'plan-1', slug: 'demo' }] : users).map((one) => row.parse(one)),
    send: async (method, path, body, answer) => {
      sent.push([method, path, body]);
      return answer.parse({ id: 'user-1', username: 'demo', plan: 'plan-1', key: 'gwk_new' });
    },
  };
  return { api, sent };
}

describe('the account of the hosted profile', () => {
  it('that the on-premise profile made on the same data is put on the plan', async () => {
    const { api, sent } = consoleWith([{ id: 'user-1', username: 'demo', plan: null }]);
    expect(await hostedAccount(api, stateWith(KEY))).toBe(KEY);
    expect(sent).toEqual([['PATCH', '/api/users/user-1', { plan: 'plan-1' }]]);
  });

  it('is unchanged on its current plan', async () => {
    const { api, sent } = consoleWith([{ id: 'user-1', username: 'demo', plan: 'plan-of-the-operator' }]);
    expect(await hostedAccount(api, stateWith(KEY))).toBe(KEY);
    expect(sent).toEqual([]);
  });

  it('is created on the plan if it is absent, and its key is stored', async () => {
    const { api, sent } = consoleWith([]);
    const state = stateWith(KEY);
    expect(await hostedAccount(api, state)).toBe('gwk_new');
    expect(state.kept.demoKey).toBe('gwk_new');
    expect(sent).toEqual([['POST', '/api/users', { username: 'demo', plan: 'plan-1' }]]);
  });
});

describe('the account of the on-premise profile', () => {
  /** `gatewayctl` on a database with these accounts. */
  function operator(usernames: readonly string[]) {
    const ran: string[] = [];
    const run = async (...words: readonly string[]): Promise<string> => {
      ran.push(words.join(' '));
      return words[1] === 'list' ? JSON.stringify(usernames.map((username) => ({ username }))) : '{"key":"gwk_new"}';
    };
    return { run, ran };
  }

  it.each([
    ['is there with its key', ['admin', 'demo'], KEY, KEY, []],
    ['is there and its key is not known', ['demo'], null, 'gwk_new', ['account rotate-key demo --json']],
    ['was deleted since', ['admin'], KEY, 'gwk_new', ['account create demo --json']],
    ['was never made', [], null, 'gwk_new', ['account create demo --json']],
  ] as const)('%s', async (_, usernames, kept, key, ran) => {
    const commands = operator(usernames);
    const state = stateWith(kept);
    expect(await localAccount(commands.run, state)).toBe(key);
    expect(state.kept.demoKey).toBe(key);
    expect(commands.ran).toEqual(['account list --json', ...ran]);
  });
});
