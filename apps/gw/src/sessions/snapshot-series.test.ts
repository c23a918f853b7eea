import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../process/environment.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { createObjects } from './objects.ts';
import { createGitIndex, createSnapshots } from './snapshots.ts';

const NAMES = ['a.txt', 'b.txt', 'd/c.txt', 'd/e/f.txt', 'link'];
type Step = readonly [how: 'write' | 'remove' | 'link' | 'rights', name: string, text: string, byCommand: boolean];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('write', 'write', 'remove', 'link', 'rights'),
  fc.constantFrom(...NAMES),
  fc.string({ maxLength: 5 }),
  fc.boolean(),
);

/** Files of a folder with what is in them: of a link its target, of a file its rights. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory() && !entry.parentPath.startsWith(join(folder, '.git')),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : `${statSync(path).mode & 0o777} ${readFileSync(path, 'utf8')}`;
      return [path.slice(folder.length + 1), content];
    }),
  );
}

function change(project: string, [how, name, text]: Step): void {
  const path = join(project, name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true }); // tools and most programs write no file through a link
  if (how === 'write') writeFileSync(path, text);
  else if (how === 'link') symlinkSync(text === '' ? 'nowhere' : text.replaceAll('\0', '_'), path);
  else if (how === 'rights') writeFileSync(path, `${text}!`, { mode: 0o755 });
}

describe('undo', () => {
  it.each([
    ['copies', 12],
    ['index of git', 5],
  ] as const)(
    'of every turn gives the files as they were at first, and redo as they were at last: %s',
    async (how, numRuns) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
          fc.array(step, { maxLength: 3 }),
          async (turns, first) => {
            const project = temporaryFolder();
            for (const one of first) change(project, one);
            const kept = join(temporaryFolder(), 'undo');
            const options = how === 'copies' ? {} : { index: createGitIndex(project, kept, readEnvironment()) };
            if (how !== 'copies')
              for (const args of [
                ['init', '-q'],
                ['add', '-A'],
              ])
                execFileSync('git', args, { cwd: project });
            const snapshots = createSnapshots(project, kept, options);
            const states = [contentOf(project)];
            for (const [at, steps] of turns.entries()) {
              await snapshots.begin(at + 1);
              for (const one of steps) {
                if (one[3]) await snapshots.beforeCommand();
                else await snapshots.beforeWrite(join(project, one[1]));
                change(project, one);
                if (one[3]) await snapshots.afterCommand();
              }
              await snapshots.end();
              states.push(contentOf(project));
            }
            for (let turn = turns.length; turn > 0; turn -= 1) {
              expect((await snapshots.undo(turn))?.conflicts ?? []).toEqual([]);
              expect(contentOf(project)).toEqual(states[turn - 1]);
            }
            for (let turn = 1; turn <= turns.length; turn += 1) {
              expect((await snapshots.redo(turn))?.conflicts ?? []).toEqual([]);
              expect(contentOf(project)).toEqual(states[turn]);
            }
          },
        ),
        { numRuns },
      );
    },
  );

  it('leaves alone what is too large to be copied, and says so', async () => {
    const project = temporaryFolder();
    const path = join(project, 'large.bin');
    writeFileSync(path, 'x');
    truncateSync(path, 17 * 1024 * 1024);
    const snapshots = createSnapshots(project, join(temporaryFolder(), 'undo'));
    await snapshots.begin(1);
    await snapshots.beforeWrite(path);
    writeFileSync(path, 'small now');
    await snapshots.end();
    expect(await snapshots.undo(1)).toEqual({ turn: 1, files: [], conflicts: ['large.bin'] });
    expect(readFileSync(path, 'utf8')).toBe('small now');
  });

  it('says what it cannot restore where its copies are gone', async () => {
    const [project, kept] = [temporaryFolder(), join(temporaryFolder(), 'undo')];
    writeFileSync(join(project, 'a.txt'), 'before');
    const snapshots = createSnapshots(project, kept);
    await snapshots.begin(1);
    await snapshots.beforeWrite(join(project, 'a.txt'));
    writeFileSync(join(project, 'a.txt'), 'after');
    await snapshots.end();
    rmSync(kept, { recursive: true });
    expect(await snapshots.undo(1)).toEqual({ turn: 1, files: [], conflicts: ['a.txt'] });
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('after');
  });
});

describe('the copies', () => {
  it('are of their owner alone, and one for each content', async () => {
    const [project, kept] = [temporaryFolder(), join(temporaryFolder(), 'undo')];
    const objects = createObjects(kept);
    for (const name of ['a', 'b']) {
      writeFileSync(join(project, name), 'same', { mode: 0o644 });
      await objects.keep(join(project, name));
    }
    const digest = createHash('sha256').update('same').digest('hex');
    const copy = join(kept, digest.slice(0, 2), digest);
    expect(readdirSync(dirname(copy))).toEqual([digest]);
    expect([statSync(copy).mode & 0o777, statSync(dirname(copy)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('that were not used for longest are removed where all are too large', async () => {
    const kept = temporaryFolder();
    const sizes = { old: 400, middle: 400, young: 400 };
    for (const [at, [name, size]] of Object.entries(sizes).entries()) {
      writeFileSync(join(kept, name), '');
      truncateSync(join(kept, name), size * 1024 * 1024); // without blocks on the disk
      utimesSync(join(kept, name), at, at);
    }
    await createObjects(kept).prune();
    expect(readdirSync(kept)).toEqual(['young']);
  });

  it('stay where they are few, and where there are none', async () => {
    const kept = temporaryFolder();
    writeFileSync(join(kept, 'one'), 'x');
    await createObjects(kept).prune();
    await createObjects(join(kept, 'absent')).prune();
    expect(existsSync(join(kept, 'one'))).toBe(true);
  });
});
