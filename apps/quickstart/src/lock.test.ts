import type fs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lock } from './lock.ts';

/** A file that is removed between the listing and the read. */
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

it('is acquired if the start that held it ends at that moment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const file = join(folder, 'lock');
  writeFileSync(file, '1 somebody else');
  vanishing = file;
  const held = lock(folder, file);
  expect(vanishing).toBeNull();
  expect(readFileSync(file, 'utf8')).toBe(held);
  rmSync(folder, { recursive: true });
});
