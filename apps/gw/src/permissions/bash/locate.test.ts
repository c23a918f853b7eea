import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { locate } from './locate.ts';
import { parseLine } from './parse-line.ts';
import { isWithin, realPathOf } from './resolved-path.ts';

vi.setConfig({ testTimeout: 180_000 }); // hundreds of processes of Bash

function world() {
  const root = temporaryFolder();
  const project = join(root, 'project');
  for (const folder of ['project/src/deep', 'outside/deep']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('../outside', join(project, 'link'));
  symlinkSync('src', join(project, 'inner'));
  symlinkSync('src/deep', join(project, 'down'));
  symlinkSync('../../outside/deep', join(project, 'src', 'far'));
  return { root, project };
}

/** What a line may remove, relative to the project; null outside, and where it is not known. */
async function removed(line: string, project: string): Promise<readonly (string | null)[]> {
  const { commands } = await locate(await parseLine(line), project, project);
  return commands.flatMap(({ paths }) =>
    paths.flatMap(({ role, resolved }) => (role === 'removes' ? [resolved?.relative ?? null] : [])),
  );
}

describe('what a line removes', () => {
  it.each([
    ['rm a.txt', ['a.txt']],
    ['rm -rf src ./src/deep', ['src', 'src/deep']],
    ['cd src && rm a', ['src/a']],
    ['cd src; cd deep; rm a', ['a', 'src/a', 'deep/a', 'src/deep/a']],
    ['cd inner && rm a', ['src/a']],
    ['rm ../a', [null]],
    ['rm link/a', [null]],
    ['cd link && rm a', [null]],
    ['cd .. && rm a', [null]],
    ['cd src && rm a && cd .. && rm b', ['src/a', 'b']],
    ['cd src && cd .. && cd .. && rm a', [null]],
    ['(cd src) && cd .. && rm a', ['a', 'src/a', null]],
    ["sh -c 'cd src' && cd .. && rm a", ['a', 'src/a', null]],
    ['eval cd src && cd .. && rm a', ['a', 'src/a', null]],
    ['! cd absent && cd .. && rm a', ['a', 'absent/a', null]],
    ['cd absent; cd ..; rm a', ['a', 'absent/a', null]],
    ['cd down; cd ..; cd ..; rm a', ['a', 'src/deep/a', null, 'src/a']],
    ['cd -P link/.. && rm a', ['a', null]],
    ['builtin cd ..; rm a', ['a', null]],
    ['cd "$x" && rm a', [null]],
    ['cd - && rm a', [null]],
    ['cd && rm a', [null]],
    ['pushd src && rm a', [null]],
    ['rm src/far/../a', [null]],
    ['rm "$x"', [null]],
    ['rm -- -a', ['-a']],
    ['find src -delete', ['src']],
    ['find . -name x -delete', ['']],
    ['find .. -name x -delete', [null]],
    ['xargs rm a', ['a', null]],
    ['sudo rm a', ['a']],
  ])('by %s may be %j', async (line, expected) => {
    const { project } = world();
    const found = await removed(line, project);
    expect([...new Set(found)]).toEqual(expected);
  });
});

/** One of the texts that two blanks divide. */
const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));

it('what real Bash would remove outside the project is never taken for a file inside', async () => {
  const { project } = world();
  const folder = oneOf(`
    src  src/deep  ..  .  /  link  inner  link/..  far  src/far  ../project  absent  ..  -  'src'  -P link/..  down
    -P link  -L inner  -P inner/..  -- src  -P  ../outside  ../../..  src/../link`);
  const target = oneOf('a  ./a  ../a  link/a  src/../a  link/../a  far/a  inner/../a  ../../a  deep/../../a  ..');
  const glue = fc.constantFrom(' && ', '; ', ' || ', '\n');
  const step = fc.tuple(fc.constantFrom('cd', 'cd', 'cd', 'builtin cd', 'command cd', 'pushd'), folder, glue);
  const lines = fc.sample(fc.tuple(fc.array(step, { maxLength: 4 }), target), 400).map(([steps, last]) => {
    const moves = steps.map(([how, where, then]) => `${how} ${where}${then}`);
    return `${moves.join('')}rm -f ${last}`;
  });
  const script = `rm() { printf '\\2%s\\0%s' "$PWD" "$2"; }
for line; do (eval "$line") 2> /dev/null; printf '\\1'; done`;
  const options = { cwd: project, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: '/home/casey' } } as const;
  const ran = execFileSync('/bin/bash', ['-c', script, 'bash', ...lines], options).split('\x01');
  const wrong: string[] = [];
  let outside = 0;
  for (const [at, line] of lines.entries()) {
    const [from, name] = (ran[at]?.split('\x02')[1] ?? '').split('\0');
    if (from === undefined || name === undefined) continue;
    const real = await realPathOf(`${resolve(from)}/${name}`);
    if (isWithin(project, real) && real !== project) continue;
    outside += 1;
    const found = await removed(line, project);
    if (found.every((place) => place !== null && place !== '')) wrong.push(line);
  }
  expect(wrong).toEqual([]);
  expect(outside).toBeGreaterThan(50);
});
