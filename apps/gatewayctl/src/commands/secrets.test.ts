import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowanceOf, createScanner } from '@gateway/secrets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../context/environment.ts';
import { run } from '../run.ts';

const ENVIRONMENT: Environment = {
  databaseUrl: undefined,
  databaseCaFile: undefined,
  databaseCa: undefined,
  signingKeyFile: 'unused',
  operator: 'tester@machine',
  license: undefined,
  licenseFile: undefined,
};
/** Concatenated, so that this file contains nothing that looks like a live credential. */
const TOKEN = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function ctl(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const write = async (text: string): Promise<void> => {
    out += text;
  };
  const report = (text: string): void => {
    err += text;
  };
  const code = await run(words, ENVIRONMENT, { write, report, watched: false, columns: null });
  return { code, out, err };
}

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('secrets scan', () => {
  it('prints position and kind, never the value, and exits with 1', async () => {
    const path = file('notes.txt', `first line\nthe token is ${TOKEN}\n`);
    const { code, out, err } = await ctl('secrets', 'scan', path);
    expect(code).toBe(1);
    expect(out).toContain(`${path}:2`);
    expect(out).toMatch(/access-token +github-token +high +40/);
    expect(out + err).not.toContain(TOKEN.slice(4, 14));
    expect(err).toBe('gatewayctl: 1 secret was found.\n');
  });

  it('names the line of each of several, at the very beginning and at the end without a line end too', async () => {
    const path = file('several.txt', `${TOKEN}\n\n${TOKEN} and ${TOKEN}\r\n${'\n'.repeat(5)}last: ${TOKEN}`);
    const { out } = await ctl('secrets', 'scan', path, '--json');
    expect((JSON.parse(out) as { line: number }[]).map(({ line }) => line)).toEqual([1, 3, 3, 9]);
  });

  it('gives pointers in JSON, and on request the digest that a policy would allow', async () => {
    const path = file('body.json', JSON.stringify({ messages: [{ content: TOKEN }] }));
    const { out } = await ctl('secrets', 'scan', path, '--show-digests', '--json');
    const [row] = JSON.parse(out) as { pointer: string; allow: string }[];
    expect(row?.pointer).toBe('/messages/0/content');
    const lenient = createScanner({ key: Buffer.from('k'), allow: [row?.allow ?? ''] });
    expect(lenient.scanText(TOKEN)).toEqual([]);
    expect(row?.allow).toBe(allowanceOf(Buffer.from(TOKEN)));
  });

  it('ends with 0 where there is nothing', async () => {
    const path = file('clean.txt', 'nothing to see');
    expect(await ctl('secrets', 'scan', path, path)).toEqual({
      code: 0,
      out: 'Nothing was found in 2 files.\n',
      err: '',
    });
    const named = file('named.txt', 'db_password = "x7Kq2mZt9RwB4nVs8LcD"');
    expect((await ctl('secrets', 'scan', named)).code).toBe(1);
    expect((await ctl('secrets', 'scan', named, '--no-entropy')).code).toBe(0);
  });

  it('names the file that it cannot read', async () => {
    const { code, err } = await ctl('secrets', 'scan', join(directory, 'absent'));
    expect(code).toBe(1);
    expect(err).toMatch(/absent cannot be read/);
    expect((await ctl('secrets', 'scan')).code).toBe(2);
  });
});

describe('secrets rules', () => {
  it('lists every rule with its source', async () => {
    const { code, out } = await ctl('secrets', 'rules', '--json');
    const rules = JSON.parse(out) as { id: string; source: string }[];
    expect(code).toBe(0);
    expect(rules.length).toBeGreaterThanOrEqual(150);
    const members = ['id', 'kind', 'confidence', 'title', 'source'];
    for (const rule of rules) expect(Object.keys(rule)).toEqual(members);
    expect((await ctl('secrets', 'rules')).out.trimEnd().split('\n')).toHaveLength(1 + rules.length);
    const cut = await ctl('secrets', 'rules', '--limit', '3');
    expect(cut.out).toContain(`\n3 of ${rules.length} shown. Raise --limit to see more.\n`);
  });
});
