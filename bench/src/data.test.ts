import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  ['search', ['--corpora', '/nowhere/docs'], '/nowhere/docs/questions.jsonl'],
  ['secrets', ['--data', '/nowhere/dev.jsonl.gz'], '/nowhere/dev.jsonl.gz'],
])('%s names its missing data in one line', (name, words, file) => {
  const ran = spawnSync(process.execPath, [`${import.meta.dirname}/${name}/main.ts`, ...words], { encoding: 'utf8' });
  const line = `${file} cannot be read (ENOENT). The data are no part of this repository: name where they are with ${words[0]}.\n`;
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([1, '', line]);
});

it.each([
  ['main.ts', ['--rounds', 'many'], 'rounds'],
  ['policy/main.ts', ['--callers', '1,x'], 'callers'],
  ['growth/main.ts', ['--subjects', '0'], 'subjects'],
  ['commands/main.ts', ['--repetitions', '1.5'], 'repetitions'],
  ['client/main.ts', ['--rounds', '-'], 'rounds'],
])('%s %j is refused before anything is started', (program, words, option) => {
  const ran = spawnSync(process.execPath, [`${import.meta.dirname}/${program}`, ...words], { encoding: 'utf8' });
  expect(ran.status).not.toBe(0);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toContain(`--${option} takes a whole number from 1`);
});
