import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { findNamedServers } from './servers.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const named = (...words: readonly string[]) => {
  const { environment } = world.context({ variables: { TOKEN: 'the-token' } });
  return findNamedServers(environment, words);
};

describe('--mcp', () => {
  it.each(['http://127.0.0.1:6001/mcp', 'https://tools.example/a?b=c'])(
    'takes the address %s as it is',
    async (url) => {
      expect(await named(url)).toEqual([{ name: new URL(url).host, url, ofProject: false }]);
    },
  );

  it('takes the servers of a file, which may use variables, and trusts them', async () => {
    world.write(
      'work/shop/servers.yaml',
      'mcpServers:\n  - name: one\n    command: one\n    args: [--x]\n    env: { KEY: "${{ env.TOKEN }}" }\n  - name: two\n    url: https://two.example/mcp\n    type: sse\n',
    );
    expect(await named('servers.yaml')).toMatchObject([
      { name: 'one', command: 'one', args: ['--x'], env: { KEY: 'the-token' }, ofProject: false },
      { name: 'two', url: 'https://two.example/mcp', type: 'sse', ofProject: false },
    ]);
  });

  it('may stand several times, and keeps the order', async () => {
    world.write('work/shop/a.yaml', 'mcpServers: [{ name: a, command: a }]\n');
    world.write('other/b.yaml', 'mcpServers: [{ name: b, command: b }]\n');
    const servers = await named('a.yaml', 'https://c.example', `${world.root}/other/b.yaml`);
    expect(servers.map(({ name }) => name)).toEqual(['a', 'c.example', 'b']);
  });

  it('takes nothing of a file without servers', async () => {
    world.write('work/shop/empty.yaml', 'models: []\n');
    expect(await named('empty.yaml')).toEqual([]);
  });

  it.each(['nowhere.yaml', '.', 'github', 'ftp://tools.example', ''])(
    '%j is no server: the message says what is',
    async (word) => {
      await expect(named(word)).rejects.toThrow(
        `--mcp ${word}: no such file, and names do not resolve because there is no registry. Give a YAML file with mcpServers, or an http(s) address.`,
      );
    },
  );

  it.each([
    ['mcpServers: [{ name: a }]', /servers\.yaml/],
    ['mcpServers: [', /servers\.yaml/],
    ['mcpServers: [{ name: a, command: a, env: { K: "${{ env.MISSING }}" } }]', /MISSING/],
  ])('names the fault of the file with %j', async (text, says) => {
    world.write('work/shop/servers.yaml', `${text}\n`);
    await expect(named('servers.yaml')).rejects.toThrow(says);
  });
});
