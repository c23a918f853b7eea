import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAutomaton } from '@gateway/secrets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleClient } from './client-bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-bundle-'));
const parts = new Map<string, string>();

beforeAll(async () => {
  await bundleClient('serverless', folder, {});
  for (const name of readdirSync(join(folder, 'gw')).filter((one) => one.endsWith('.js')))
    parts.set(name, readFileSync(join(folder, 'gw', name), 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STATIC = /(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g;
const LATER = /\bimport\("\.\/([^"]+)"\)/g;
const importsOf = (name: string, form: RegExp): string[] =>
  [...(parts.get(name) ?? '').matchAll(form)].map(([, part = '']) => part);

/** A part with all that is loaded with it. */
function closure(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  for (const part of importsOf(name, STATIC)) closure(part, known);
  return known;
}

describe('the parts of the client', () => {
  it('import no module of Node: an import reads all of its exports, which load more', () => {
    const importing = [...parts].filter(([, text]) => /\b(?:from|import)\s*\(?"node:/.test(text));
    expect(importing.map(([name]) => name)).toEqual([]);
  });

  it('contain no translations of the validation library', () => {
    expect([...parts].filter(([, text]) => text.includes('Ungültige Eingabe')).map(([name]) => name)).toEqual([]);
  });

  it('name no missing part, except the commands, which gw -p does not start', () => {
    const missing = [...parts.keys()].flatMap((name) =>
      [...importsOf(name, STATIC), ...importsOf(name, LATER)].filter((part) => !parts.has(part)),
    );
    expect(missing.every((part) => /^commands\/[\w-]+\.ts$/.test(part))).toBe(true);
  });

  it('are few for gw -p', () => {
    const loaded = closure('print.js');
    const command = importsOf('print.js', LATER).find((part) => part.startsWith('command-'));
    for (const part of closure(command ?? '')) loaded.add(part);
    const core = [...loaded].map((part) => (parts.get(part) ?? '').length).sort((one, other) => other - one);
    expect(loaded.size).toBeLessThan(10);
    // All of a session is in one of them.
    expect((core[0] ?? 0) / core.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(0.8);
  });
});

it('the automaton of the rules for secrets is beside them', () => {
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, 'gw/automaton.bin'));
  expect(new Int32Array(buffer.slice(byteOffset, byteOffset + byteLength))).toEqual(loadAutomaton());
});

it('names its sources, and nothing that is no file of this repository', () => {
  const sources = readFileSync(join(folder, 'gw/sources.txt'), 'utf8').split('\n');
  expect(sources).toEqual(
    expect.arrayContaining([
      'apps/gw/package.json',
      'apps/gw/src/print.ts',
      'apps/gw/src/start.mjs',
      'packages/secrets/src/index.ts',
    ]),
  );
  expect(sources.filter((path) => !existsSync(path) || path.includes('node_modules/'))).toEqual([]);
});
