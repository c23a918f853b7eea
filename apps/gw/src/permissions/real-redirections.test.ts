import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { judge, rulesOf } from './testing/rules.ts';

const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));
/** NAME stands for a name that no other line uses. */
const target = oneOf(`
  src/NAME  NAME  ../NAME  out/NAME  src/../NAME  src/deep/../NAME  src/link/NAME  "src/NAME"  src/'NAME'  ./src/NAME  src//NAME
  src/deep/NAME  src/deep/../../NAME  inner/NAME  inner/../NAME  ~/NAME  "$PWD/NAME"  src/{NAME,b}  'src'/"NAME"  src/\\NAME  deep/NAME
  src/link/../NAME`);
const operator = oneOf('>  >>  >|  2>  &>  &>>  1>  <>  >&');
const move = oneOf(
  'cd src  cd ..  cd src/deep  cd out  cd inner  cd src/link  (cd src)  cd -P inner  cd absent  cd "src"  cd ../project',
);
const glue = fc.constantFrom(' && ', '; ', '\n', ' || ');
const line = fc
  .tuple(fc.array(fc.tuple(move, glue), { maxLength: 2 }), operator, target, fc.boolean())
  .map(([moves, how, where, before]) => {
    const write = before ? `${how} ${where} echo x` : `echo x ${how} ${where}`;
    return `${moves.flat().join('')}${write}`;
  });

/** Where each name is below a folder. */
function placesOf(folder: string): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) places.set(entry.name, join(entry.parentPath, entry.name));
  return places;
}

it('what real Bash writes outside of src is never allowed by a rule for files of src', async () => {
  const root = temporaryFolder();
  const project = join(root, 'project');
  for (const folder of ['project/src/deep', 'project/out', 'outside/deep', 'home'])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('../../outside/deep', join(project, 'src', 'link'));
  symlinkSync('src', join(project, 'inner'));
  const lines = fc.sample(line, 300).map((one, at) => one.replaceAll('NAME', `w${at}`));
  const script = 'for line; do (eval "$line"); done > /dev/null 2>&1';
  const env = { PATH: '/usr/bin:/bin', HOME: join(root, 'home') };
  execFileSync('/bin/bash', ['-c', `${script}; true`, 'bash', ...lines], { cwd: project, env });
  const places = placesOf(root);
  const rules = rulesOf('--allow Bash(echo *) --allow Bash(cd *) --allow Write(src/**)');
  const wrong: string[] = [];
  let [allowed, outside] = [0, 0];
  for (const [at, one] of lines.entries()) {
    const place = places.get(`w${at}`);
    if (place === undefined) continue;
    const isOutside = !relative(project, place).startsWith(`src${sep}`);
    const { decision } = await judge('Bash', one, rules, 'normal', project);
    if (decision === 'allow') allowed += 1;
    if (isOutside) outside += 1;
    if (isOutside && decision === 'allow') wrong.push(`${one} wrote ${place}`);
  }
  expect(wrong).toEqual([]);
  expect(allowed).toBeGreaterThan(20);
  expect(outside).toBeGreaterThan(50);
});
