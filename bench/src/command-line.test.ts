import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
/** Each benchmark: its script, and its program. */
const BENCHMARKS = Object.entries(scripts).flatMap(([name, line]) =>
  /^bench(?::|$)/.test(name) ? [[name, line.replace('node ', '')] as const] : [],
);

function run(program: string, ...args: string[]) {
  return spawnSync(process.execPath, [join(ROOT, program), ...args], { cwd: ROOT, encoding: 'utf8' });
}

describe('a benchmark', () => {
  it('is one of eight', () => {
    expect(BENCHMARKS.map(([name]) => name)).toHaveLength(8);
  });

  it.each(BENCHMARKS)('%s explains its options, and measures nothing', (name, program) => {
    const { status, stdout, stderr } = run(program, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name} -- \\[`));
    const usage = stdout.split('\n')[0] ?? '';
    const explained = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(explained).toEqual([...usage.matchAll(/\[(--[a-z-]+)/g)].map(([, option]) => option));
  });

  it.each(BENCHMARKS)('%s names an unknown option in one line, and shows those that exist', (name, program) => {
    const { status, stdout, stderr } = run(program, '--fast');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Unknown option '--fast'.*\n\nUsage: /);
    expect(stderr).toContain(`npm run ${name} `);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['bench', '--rounds=0', '--rounds takes a whole number from 1'],
    ['bench:growth', '--streams=many', '--streams takes a whole number from 1'],
    ['bench:policy', '--callers=1,,2', '--callers takes a whole number from 1'],
    ['bench:commands', '--repetitions=-1', '--repetitions takes a whole number from 1'],
    ['bench:client', '--rounds', "Option '--rounds <value>' argument missing"],
  ])('%s refuses %s before it starts anything', (name, option, sentence) => {
    const { status, stderr } = run(scripts[name]?.replace('node ', '') ?? '', option);
    expect(status).toBe(2);
    expect(stderr.split('\n')[0]).toBe(sentence);
  });
});
