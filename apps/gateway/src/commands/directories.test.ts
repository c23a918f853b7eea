import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionDirectories } from './directories.ts';
import { makeWorkdir } from './testing/run.ts';

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
let prepared: string[];
let directories: SessionDirectories;

beforeEach(async () => {
  workdir = await makeWorkdir();
  prepared = [];
  directories = new SessionDirectories(workdir.path, async (directory) => {
    prepared.push(directory);
  });
});
afterEach(() => workdir.remove());

const OWNER = { subject: 'ada', session: 'one' };

describe('the directory of a session', () => {
  it('is made once and reused', async () => {
    const directory = await directories.open(OWNER);
    writeFileSync(join(directory, 'note'), 'x');
    expect(await directories.open(OWNER)).toBe(directory);
    expect(readdirSync(directory)).toEqual(['note']);
  });
  it('is made usable for each command after any change by the last one', async () => {
    const directory = await directories.open(OWNER);
    const again = new SessionDirectories(workdir.path, async (path) => {
      prepared.push(path);
    });
    await again.takeUp();
    expect(await again.open(OWNER)).toBe(directory);
    expect(prepared).toEqual([directory, directory]);
  });
  it('is made once for concurrent commands, and is ready for each of them', async () => {
    const paths = await Promise.all([directories.open(OWNER), directories.open(OWNER), directories.open(OWNER)]);
    expect(new Set(paths).size).toBe(1);
    expect(prepared).toEqual([paths[0]]);
  });
  it('is directly below the working directory for any session name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (subject, session) => {
        expect(directories.pathOf({ subject, session })).toMatch(
          new RegExp(`^${workdir.path.replaceAll('.', '\\.')}/[0-9a-f]{64}$`),
        );
      }),
      { verbose: true },
    );
    for (const session of ['../../etc', '/etc', '.', '..', 'a/b', '\0']) {
      expect(directories.pathOf({ subject: 's', session })).toMatch(/\/[0-9a-f]{64}$/);
    }
  });
  it('belongs to one subject and one session only', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.string()), fc.tuple(fc.string(), fc.string()), ([a, b], [c, d]) => {
        const same = directories.pathOf({ subject: a, session: b }) === directories.pathOf({ subject: c, session: d });
        expect(same).toBe(a === c && b === d);
      }),
      { verbose: true },
    );
    // Joined without a border, these would be one.
    expect(directories.pathOf({ subject: 'ab', session: 'c' })).not.toBe(
      directories.pathOf({ subject: 'a', session: 'bc' }),
    );
  });
  it('is found again after a restart', async () => {
    await directories.open(OWNER);
    await directories.open({ subject: 'é"\n', session: '\u2028' });
    writeFileSync(join(workdir.path, `${'0'.repeat(64)}.json`), 'not a note');
    writeFileSync(join(workdir.path, 'other.json'), '{}');
    const again = new SessionDirectories(workdir.path, async () => {});
    await again.takeUp();
    expect([...again.known()].sort((a, b) => a.subject.localeCompare(b.subject))).toEqual([
      OWNER,
      { subject: 'é"\n', session: '\u2028' },
    ]);
  });
  it('is destroyed with everything in it, and its note', async () => {
    const directory = await directories.open(OWNER);
    mkdirSync(join(directory, 'deep', 'er'), { recursive: true });
    writeFileSync(join(directory, 'deep', 'er', 'file'), 'x');
    expect(directories.known()).toEqual([OWNER]);
    await directories.destroy(OWNER);
    expect(directories.known()).toEqual([]);
    expect(readdirSync(workdir.path)).toEqual([]);
    await directories.destroy(OWNER); // Once more is no fault.
  });
  it('is destroyed without following its links', async () => {
    const outside = await makeWorkdir();
    writeFileSync(join(outside.path, 'canary'), 'x');
    const directory = await directories.open(OWNER);
    symlinkSync(outside.path, join(directory, 'link'));
    symlinkSync(directory, join(directory, 'self'));
    await directories.destroy(OWNER);
    expect(existsSync(join(outside.path, 'canary'))).toBe(true);
    expect(readdirSync(workdir.path)).toEqual([]);
    await outside.remove();
  });
  it('is removed at the next start where its removal was interrupted', async () => {
    const half = join(workdir.path, `${'a'.repeat(64)}.removed-1-1`);
    mkdirSync(join(half, 'rest'), { recursive: true });
    await directories.takeUp();
    expect(readdirSync(workdir.path)).toEqual([]);
  });
  it('can be made again after it was destroyed', async () => {
    const directory = await directories.open(OWNER);
    await directories.destroy(OWNER);
    expect(await directories.open(OWNER)).toBe(directory);
    expect(prepared).toEqual([directory, directory]);
  });
});

const MEBIBYTE = 2 ** 20;
const DAY = 86_400_000;

describe('the directories of a subject', () => {
  const OTHER = { subject: 'ada', session: 'two' };
  it('are added up together, those of others are not, also after a restart', async () => {
    for (const owner of [OWNER, OTHER, { subject: 'bob', session: 'one' }]) {
      const directory = await directories.open(owner);
      writeFileSync(join(directory, 'file'), Buffer.alloc(MEBIBYTE, 1));
      directories.close(owner);
    }
    const again = new SessionDirectories(workdir.path, async () => {});
    await again.takeUp();
    for (const one of [directories, again]) {
      const bytes = await one.bytesOf('ada');
      expect(bytes).toBeGreaterThanOrEqual(2 * MEBIBYTE);
      expect(bytes).toBeLessThan(3 * MEBIBYTE);
      expect(one.bytesBeside(OTHER)).toBeLessThan(2 * MEBIBYTE);
      one.measured(OWNER, 7);
      expect(one.bytesBeside(OTHER)).toBe(7);
    }
  });
  it('share a number that no other subject has, and keep it after a restart', async () => {
    const slots = new Map<string, number>();
    const keeping = () =>
      new SessionDirectories(workdir.path, async (directory, slot) => {
        slots.set(directory, slot);
      });
    const first = keeping();
    const paths = await Promise.all([
      first.open({ subject: 'bob', session: 'one' }),
      first.open(OWNER),
      first.open(OTHER),
    ]);
    const again = keeping();
    await again.takeUp();
    paths.push(await again.open({ subject: 'eve', session: 'one' }), await again.open(OWNER));
    expect(paths.map((path) => slots.get(path))).toEqual([0, 1, 1, 2, 1]);
    await again.destroy({ subject: 'bob', session: 'one' });
    expect(slots.get(await again.open({ subject: 'zoe', session: 'one' }))).toBe(0);
  });
  it('are deleted after a day without a command, not before, and not while one runs', async () => {
    const idle = (path: string, milliseconds: number) => {
      const at = new Date(Date.now() - milliseconds);
      utimesSync(`${path}.json`, at, at);
    };
    const [old, fresh, used] = [OWNER, OTHER, { subject: 'ada', session: 'used' }];
    for (const owner of [old, fresh, used]) await directories.open(owner);
    for (const owner of [old, fresh]) directories.close(owner);
    await directories.bytesOf('ada');
    idle(directories.pathOf(old), DAY + 1000);
    idle(directories.pathOf(fresh), DAY - 60_000);
    idle(directories.pathOf(used), DAY + 1000);
    expect(await directories.expire(DAY)).toBe(0);
    expect(directories.known()).toEqual([fresh, used]);
    expect(existsSync(directories.pathOf(old))).toBe(false);
    expect(await directories.open(old)).toBe(directories.pathOf(old));
  });
});
