import { spawnSync } from 'node:child_process';
import { createTestDatabase, digestOfKey } from '@gateway/database/testing';
import { describe, expect, it, vi } from 'vitest';
import { runByHand } from './by-hand.ts';
import { callersOf } from './callers.ts';

const isolates = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;

it('callers are accounts of their own, each with a key and the right to run commands', async () => {
  const database = await createTestDatabase();
  try {
    const keys = await callersOf(database.ownerUrl, 3);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^gwk_[0-9a-f]{48}$/);
    const rows = await database.sql`
      select account.username, key.last_four, held.role from account_keys key
      join accounts account on account.id = key.account_id join role_assignments held on held.subject = account.username
      where key.digest in ${database.sql(keys.map(digestOfKey))} order by account.username`;
    expect(rows).toEqual(
      keys.map((key, at) => ({ username: `bench-${at}`, last_four: key.slice(-4), role: 'utilisateur-standard' })),
    );
  } finally {
    await database.drop();
  }
});

describe('a command in bubblewrap without a gateway', () => {
  it.runIf(isolates)('is measured to its first byte, not to its end', async () => {
    const begun = performance.now();
    const first = await runByHand('echo x; sleep 0.3');
    expect(first).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeGreaterThan(first);
  });

  it.runIf(isolates)('has no first byte where it writes nothing', async () => {
    expect(await runByHand('true')).toBeNaN();
  });

  it.runIf(isolates)('sees neither the network nor the files of this machine', async () => {
    expect(await runByHand('test -e /etc/passwd && echo x')).toBeNaN();
    expect(await runByHand('test "$(ls /sys/class/net 2>/dev/null)" && echo x')).toBeNaN();
  });

  it('is named where bubblewrap is not installed', async () => {
    vi.stubEnv('PATH', '/nowhere');
    try {
      await expect(runByHand('true')).rejects.toThrow('bwrap');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
