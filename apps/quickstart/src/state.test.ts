import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartFault } from './environment.ts';
import { openState } from './state.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'state-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('persistent state', () => {
  it('is made once and read again', () => {
    const first = openState(folder);
    first.release();
    const second = openState(folder);
    expect(second.kept).toEqual(first.kept);
    expect(second.temporary).toBe(false);
  });
  it('gains what a start of an earlier version did not know, and keeps it', () => {
    const first = openState(folder);
    first.release();
    const file = join(folder, 'quickstart.json');
    const { auditorPassword: _, ...earlier } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify(earlier));
    const second = openState(folder);
    second.release();
    expect(second.kept).toEqual({ ...first.kept, auditorPassword: expect.stringMatching(/^[\w-]{12}$/) });
    const third = openState(folder);
    third.release();
    expect(third.kept).toEqual(second.kept);
  });

  it('contains an administrator key that the gateway accepts', () => {
    const { adminKey } = openState(folder).kept;
    expect(adminKey).toMatch(/^gwk_[0-9a-f]{48}$/);
    expect(new Set(adminKey.slice(4)).size).toBeGreaterThanOrEqual(10);
  });

  it('contains the administrator key that the first start received', () => {
    const given = `gwk_${'0123456789abcdef'.repeat(3)}`;
    const other = `gwk_${'fedcba9876543210'.repeat(3)}`;
    openState(folder, given).release();
    expect(openState(folder, other).kept.adminKey).toBe(given);
  });

  it.each(['', 'no key', `gwk_${'01'.repeat(24)}`])('contains none that the gateway refuses: %j', (given) => {
    expect(openState(folder, given).kept.adminKey).toMatch(/^gwk_[0-9a-f]{48}$/);
    expect(openState(join(folder, 'other'), given).kept.adminKey).not.toBe(given);
  });

  it('takes changes, which the next start sees', () => {
    const state = openState(folder);
    state.keep({ demoKey: 'gwk_demo', enginePort: 6003 });
    state.release();
    expect(openState(folder).kept).toMatchObject({ demoKey: 'gwk_demo', enginePort: 6003 });
  });

  it('differs from one folder to the next', () => {
    const [one, two] = [openState(join(folder, 'one')), openState(join(folder, 'two'))];
    expect(
      Object.values(one.kept).filter((value) => value !== null && Object.values(two.kept).includes(value)),
    ).toEqual([]);
  });

  it('is readable by its owner alone', () => {
    const state = openState(folder);
    state.keep({ demoKey: 'x' });
    expect(mode(join(folder, 'quickstart.json'))).toBe('600');
    expect(mode(state.folder('gateway'))).toBe('700');
  });

  it('is in a folder that PostgreSQL can traverse, and keeps its file mode', () => {
    const asRoot = process.getuid?.() === 0;
    expect(mode(openState(join(folder, 'made')).path)).toBe('711');
    for (const [given, kept] of [
      [0o755, '755'],
      [0o700, asRoot ? '711' : '700'],
      [0o770, asRoot ? '771' : '770'],
    ] as const) {
      const there = join(folder, `there-${kept}`);
      mkdirSync(there);
      chmodSync(there, given);
      openState(there);
      expect(mode(there)).toBe(kept);
    }
  });

  it('is refused when damaged, with the file to fix', () => {
    openState(folder).release();
    writeFileSync(join(folder, 'quickstart.json'), '{"half":');
    expect(() => openState(folder)).toThrow(StartFault);
    expect(() => openState(folder)).toThrow(/quickstart\.json is damaged/);
  });
});

describe('the lock', () => {
  it('names the process that uses the folder', () => {
    const state = openState(folder);
    expect(() => openState(folder)).toThrow(`(process ${process.pid})`);
    state.release();
    openState(folder).release();
  });

  it('is acquired by exactly one of many concurrent starts, after one that was killed', async () => {
    const state = new URL('state.ts', import.meta.url).href;
    const program = `const { openState } = await import(${JSON.stringify(state)});
      process.stdout.write('loaded');
      process.stdin.once('data', () => {
        try { globalThis.state = openState(${JSON.stringify(folder)}); process.stdout.write(' has it'); }
        catch (error) { process.stdout.write(' ' + error.message); }
      }).resume();`;
    const killed = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await once(killed.stdout, 'data');
    killed.stdin.write('go');
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const starts = Array.from({ length: 6 }, () => spawn(process.execPath, ['--input-type=module', '-e', program]));
    await Promise.all(starts.map((start) => once(start.stdout, 'data')));
    const said = starts.map((start) => once(start.stdout, 'data').then(([words]) => String(words)));
    for (const start of starts) start.stdin.write('go');
    const outcomes = await Promise.all(said);
    for (const start of starts) start.kill();
    expect(outcomes.filter((words) => words === ' has it')).toHaveLength(1);
    expect(outcomes.filter((words) => words.startsWith(' npm start already runs on'))).toHaveLength(5);
  }, 120_000); // it starts six programs
});

it('without a folder, it is a temporary one', () => {
  const state = openState(null);
  expect(state.temporary).toBe(true);
  expect(state.path.startsWith(tmpdir())).toBe(true);
  rmSync(state.path, { recursive: true });
});

it('a folder in which nothing can be written is named, without a stack trace', () => {
  mkdirSync(join(folder, 'lock'));
  expect(() => openState(folder)).toThrow(StartFault);
  expect(() => openState(folder)).toThrow(/^The folder .* cannot be used for the data: unable to open database file/);
});

it('a folder that cannot be made is named', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => openState(join(folder, 'file', 'below'))).toThrow(/file\/below cannot be used/);
});
