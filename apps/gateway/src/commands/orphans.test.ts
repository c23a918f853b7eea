import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orphanAnnouncements } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-orphans-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['/usr/local/bin/node', 1],
  ['/sbin/docker-init', 0],
  ['/usr/lib/systemd/systemd', 0],
  ['/opt/node/bin/tini', 0],
  ['/usr/bin/nodejs-wrapper', 0],
])('a process 1 that is %s is announced %i times', (program, times) => {
  const link = join(folder, program.replaceAll('/', '-'));
  symlinkSync(program, link);
  expect(orphanAnnouncements(link)).toHaveLength(times);
});

it('a process 1 that may not be seen is announced not at all', () => {
  writeFileSync(join(folder, 'plain'), '');
  for (const name of ['absent', 'plain']) expect(orphanAnnouncements(join(folder, name))).toEqual([]);
});

it('the announcement says what to do', () => {
  symlinkSync('/node', join(folder, 'first'));
  expect(orphanAnnouncements(join(folder, 'first'))[0]).toMatch(/docker run --init/);
});
