import type fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lock } from './lock.ts';

/** A file that is gone by the time somebody who saw it reads it. */
let vanishing: string | null = null;
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const read = (...words: Parameters<typeof fs.readFileSync>): ReturnType<typeof fs.readFileSync> => {
    if (words[0] === vanishing) {
      vanishing = null;
      real.rmSync(words[0]);
    }
    return real.readFileSync(...words);
  };
  return { ...real, readFileSync: read };
});

it('is taken where the start that held it ends just then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const file = join(folder, 'lock');
  writeFileSync(file, '1 somebody else');
  vanishing = file;
  const held = lock(folder, file);
  expect(vanishing).toBeNull();
  expect(readFileSync(file, 'utf8')).toBe(held);
  rmSync(folder, { recursive: true });
});
