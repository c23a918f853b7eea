import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cardOf, testArchive, writeFiles } from '../testing/archive.ts';
import { archiveFollower, lookRepeatedly, pauseAfter } from './follow.ts';
import { loadArchive } from './load.ts';

/** Follows a folder and keeps what was installed and rejected. */
async function follow(folder: string) {
  const first = await loadArchive(folder);
  if ('fault' in first) throw new Error(first.fault);
  const installed: string[] = [];
  const rejected: string[] = [];
  const look = archiveFollower({
    folder,
    fingerprint: first.fingerprint,
    install: async (archive) => {
      installed.push(`${archive.card.version} ${archive.files.get('index.html')?.bytes?.toString() ?? ''}`);
    },
    reject: ({ fault }) => rejected.push(fault),
  });
  return { installed, rejected, look };
}

it('does nothing while nothing changes', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  for (let times = 0; times < 3; times += 1) await following.look();
  expect(following.installed).toEqual([]);
});

it('installs an archive that was renamed into position, once it was seen twice', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  writeFiles(join(archive.root, 'next'), { 'archive.json': cardOf('2.0.0'), 'index.html': 'second' });
  renameSync(archive.folder, join(archive.root, 'old'));
  renameSync(join(archive.root, 'next'), archive.folder);
  await following.look();
  expect(following.installed).toEqual([]);
  await following.look();
  expect(following.installed).toEqual(['2.0.0 second']);
  await following.look();
  await following.look();
  expect(following.installed).toHaveLength(1);
});

it('takes an archive that a link was turned to', async () => {
  const archive = testArchive();
  const link = join(archive.root, 'current');
  symlinkSync('archive', link);
  const following = await follow(link);
  writeFiles(join(archive.root, 'next'), { 'archive.json': cardOf('2.0.0'), 'index.html': 'second' });
  symlinkSync('next', `${link}.new`);
  renameSync(`${link}.new`, link);
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['2.0.0 second']);
});

it('takes the same version installed again with other content', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  archive.write({ 'index.html': 'fixed' });
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['1.0.0 fixed']);
});

it('takes nothing while the folder is being written, look after look', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  for (let page = 0; page < 5; page += 1) {
    archive.write({ [`page-${page}.html`]: 'x', 'index.html': `half ${page}` });
    await following.look();
  }
  expect(following.installed).toEqual([]);
  archive.write({ 'index.html': 'whole', 'archive.json': cardOf('1.1.0') });
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['1.1.0 whole']);
});

it('keeps the earlier archive beside a faulty or missing one, reports this once, and installs a valid one afterwards', async () => {
  const archive = testArchive();
  const following = await follow(archive.folder);
  archive.write({ 'archive.json': '{"version":' });
  for (let times = 0; times < 4; times += 1) await following.look();
  expect(following.rejected).toEqual([expect.stringMatching(/archive\.json is not JSON/)]);
  rmSync(archive.folder, { recursive: true });
  for (let times = 0; times < 4; times += 1) await following.look();
  expect(following.rejected).toEqual([expect.anything(), expect.stringMatching(/does not exist/)]);
  expect(following.installed).toEqual([]);
  archive.write({ 'archive.json': cardOf('3.0.0'), 'index.html': 'third' });
  await following.look();
  await following.look();
  expect(following.installed).toEqual(['3.0.0 third']);
});

it('checks again after an archive was installed or refused as soon as after any other check', async () => {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  onTestFinished(() => clock.mockRestore());
  const archive = testArchive();
  const spend = (): void => {
    time += 60_000;
  };
  const install = async (): Promise<void> => spend();
  const look = archiveFollower({ folder: archive.folder, fingerprint: 'none', install, reject: spend });
  expect(await look()).toEqual({ calm: false, took: 0 });
  expect(await look()).toEqual({ calm: true, took: 0 });
  archive.write({ 'archive.json': '{' });
  expect(await look()).toEqual({ calm: false, took: 0 });
  expect(await look()).toEqual({ calm: true, took: 0 });
  expect(time).toBe(120_000);
});

it('waits longer after a long look, and less long where the folder is changing', () => {
  expect(pauseAfter({ calm: true, took: 1 })).toBe(1000);
  expect(pauseAfter({ calm: true, took: 100 })).toBe(5000);
  expect(pauseAfter({ calm: false, took: 1 })).toBe(200);
  expect(pauseAfter({ calm: false, took: 100 })).toBe(500);
});

it('looks again and again, also after a look that failed, until it is stopped', async () => {
  const failures: string[] = [];
  let looks = 0;
  await new Promise<void>((resolve) => {
    const stop = lookRepeatedly(
      async () => {
        looks += 1;
        if (looks === 1) throw new Error('no luck');
        if (looks < 4) return { calm: false, took: 0 };
        stop();
        resolve();
        return { calm: true, took: 0 };
      },
      ({ message }) => failures.push(message),
    );
  });
  expect([looks, failures]).toEqual([4, ['no luck']]);
});
