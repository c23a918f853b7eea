import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bench-unscanned-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hook = new URL('unscanned.mjs', import.meta.url);

function run(name: string, text: string) {
  const directory = join(folder, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const file = join(directory, name === 'other' ? 'console.js' : 'gateway.js');
  writeFileSync(file, text);
  return spawnSync(process.execPath, ['--import', hook.href, file], { encoding: 'utf8' });
}
const built = (times: number): string =>
  'const a = {scanBody(body,contentType){return { findings: [1], mask: () => "masked" };}};' +
  'const b = {scanBody(body,contentType){return 1;}};'.repeat(times - 1) +
  "const { findings, mask } = a.scanBody('body'); console.log(findings.length, mask());";

describe('a gateway whose scanner is left out', () => {
  it('finds nothing in a whole body, and leaves it', () => {
    const { stdout, stderr } = run('gateway', built(1));
    expect([stdout, stderr]).toEqual(['0 body\n', '']);
  });

  it('is the built one alone: another program scans as it does', () => {
    expect(run('other', built(1)).stdout).toBe('1 masked\n');
  });

  it.each([
    ['absent', "console.log('runs');", 0],
    ['twice', built(2), 2],
  ])('does not start where the function is %s, so that nothing is measured against itself', (name, text, count) => {
    const { status, stdout, stderr } = run(name, text);
    expect([status === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(`has ${count} functions scanBody(body,contentType){ …`);
  });
});
