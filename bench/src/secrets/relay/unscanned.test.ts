import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const HOOK = new URL('unscanned.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'bench-unscanned-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program, as Node.js runs the built gateway, with the hook. */
function run(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  return spawnSync(process.execPath, [`--import=${HOOK}`, join(folder, name)], { encoding: 'utf8' });
}
const SCANNER = `
const scanner = { scanBody(body,contentType){ return { findings: [contentType], mask: () => 'masked' }; } };
const { findings, mask } = scanner.scanBody('body', 'text/plain');
console.log(JSON.stringify([findings, mask()]));
`;

describe('a gateway whose scanner is switched off for the benchmark', () => {
  it('finds nothing, and gives a body back as it is', () => {
    const { stdout, stderr } = run('gateway.js', SCANNER);
    expect([stderr, JSON.parse(stdout)]).toEqual(['', [[], 'body']]);
  });

  it('is the gateway alone: other programs scan as ever', () => {
    expect(JSON.parse(run('console.js', SCANNER).stdout)).toEqual([['text/plain'], 'masked']);
  });

  it.each([
    ['no', 'console.log(1);', 0],
    ['two such functions', SCANNER + SCANNER.replaceAll('const ', 'var '), 2],
  ])('does not start with %s, so that nothing is measured against itself', (_, text, count) => {
    const { status, stderr, stdout } = run('gateway.js', text);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`gateway.js has ${count} functions scanBody(body,contentType){`);
  });
});
