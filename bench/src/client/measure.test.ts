import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstPaint, timed } from './measure.ts';

const around = { directory: tmpdir(), variables: { PATH: process.env['PATH'] ?? '' } };
const bash = spawnSync('bash', ['--version']).status === 0;
const script = spawnSync('script', ['--version']).status === 0;

describe.runIf(bash)('the time of a program', () => {
  it('has the processor time that it used, of itself and of its children', async () => {
    const busy = 'for ((i = 0; i < 5000; i++)); do :; done';
    const [own, child, none] = await Promise.all([
      timed(['bash', '-c', busy], around),
      timed(['bash', '-c', `bash -c '${busy}'; true`], around),
      timed(['true'], around),
    ]);
    for (const { wallMs, processorMs } of [own, child]) {
      expect(processorMs).toBeGreaterThan(0);
      expect(wallMs).toBeGreaterThan(0);
    }
    expect(none.processorMs).toBeGreaterThanOrEqual(0);
  });

  it('is there whatever the program says and however it ends', async () => {
    const { wallMs } = await timed(['bash', '-c', 'echo 1 2 3; echo 4 5 6 >&2; exit 9'], around);
    expect(wallMs).toBeGreaterThan(0);
  });

  it('has the words of the line as they are, in the directory and with the variables that were given', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'bench-measure-'));
    const variables = { ...around.variables, NAME: 'a value' };
    await timed(['bash', '-c', 'printf "%s|" "$@" "$NAME" "$HOME" > said', '-', "a b'c", '$x', ''], {
      directory,
      variables,
    });
    expect(readFileSync(join(directory, 'said'), 'utf8')).toBe("a b'c|$x||a value||");
    rmSync(directory, { recursive: true });
  });
});

describe.runIf(script)('the first paint', () => {
  it.each([
    ['plain text', "printf 'hello'; sleep 60"],
    ['text behind colours and blanks', String.raw`printf '\033[2J\033[1;31m  \r\n\033]0;title\007x'; sleep 60`],
    ['text of a quoted word', "printf '%s' \"it's\"; sleep 60"],
  ])('is seen as soon as there is %s, and the program is ended', async (_, text) => {
    expect(await firstPaint(['bash', '-c', text], around)).toBeGreaterThan(0);
  });

  it.each([
    ['nothing', ':'],
    ['control sequences', String.raw`printf '\033[?25l\033[2J\033]0;a title\007\033(B \r\n'`],
  ])('is none where a program shows %s and ends', async (_, text) => {
    await expect(firstPaint(['bash', '-c', text], around)).rejects.toThrow('showed nothing');
  });
});
