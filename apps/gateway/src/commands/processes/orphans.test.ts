import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orphanAnnouncements } from './orphans.ts';

it.each([
  ['/usr/bin/node', 1],
  ['/sbin/tini', 0],
  ['/usr/lib/systemd/systemd', 0],
])('where process 1 is %s, %i lines are logged', (program, lines) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-first-'));
  symlinkSync(program, join(folder, 'exe'));
  expect(orphanAnnouncements(join(folder, 'exe'))).toHaveLength(lines);
  expect(orphanAnnouncements(join(folder, 'elsewhere'))).toEqual([]);
  rmSync(folder, { recursive: true });
});
