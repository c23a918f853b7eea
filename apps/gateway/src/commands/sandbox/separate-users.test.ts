import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectorUnder } from '../../testing/inspector.ts';
import type { Launcher } from '../launcher.ts';
import { RunningCommand } from '../running-command.ts';
import { collect, SMALL, shell } from '../testing/run.ts';
import { openSandboxes, possible, type Sandboxes } from '../testing/sandboxes.ts';

let at: Sandboxes;
let launcher: Launcher;
beforeAll(async () => {
  if (!possible) return;
  at = await openSandboxes();
  launcher = await at.open({ ...at.settings, users: 3 });
});
afterAll(() => at?.close());

/** Runs a command for a subject of this number, with so much room on the disk. */
async function run(slot: number, script: string, room = SMALL.disk, directory = join(at.workdir, `slot-${slot}`)) {
  mkdirSync(directory, { recursive: true });
  await launcher.prepareDirectory(directory, slot);
  const caller = new PassThrough({ highWaterMark: 2 ** 16 });
  const launched = await launcher.launch(`separate-${slot}-${Date.now()}`, shell(script), directory, room);
  const command = new RunningCommand(launched, caller, {
    identifier: 'separate',
    session: 'separate',
    directory,
    startedAt: new Date(),
    silent: false,
    limits: SMALL,
    together: { most: SMALL.subjectDisk, before: SMALL.subjectDisk - room, others: () => 0, measured() {} },
    inspector: inspectorUnder(null),
    found: () => {},
  });
  return collect({ run: command, caller });
}

describe.runIf(possible)('the sandboxes of subjects', () => {
  it('have a user id each, reused in rotation where there are more subjects', async () => {
    const { user } = at.settings;
    for (const [slot, id] of [user, user + 1, user + 2, user].entries()) {
      const { end } = await run(slot, 'touch made');
      expect([end.code, statSync(join(at.workdir, `slot-${slot}`, 'made')).uid]).toEqual([0, id]);
    }
    expect(launcher.announcements.join()).toContain(`as user ids ${user} to ${user + 2}, one for each subject`);
  });
  it('take over the files of an earlier user', async () => {
    const directory = join(at.workdir, 'taken-over');
    await run(0, 'mkdir -m 700 deep && echo kept > deep/file && ln -s /etc/hostname deep/link', SMALL.disk, directory);
    const { uid } = statSync('/etc/hostname');
    const { stdout } = await run(1, 'cat deep/file', SMALL.disk, directory);
    expect([stdout, statSync('/etc/hostname').uid]).toEqual(['kept\n', uid]);
  });
  it('can remove and not write where their subject has no space left, and receive the limit', async () => {
    const directory = join(at.workdir, 'no-room');
    mkdirSync(directory);
    writeFileSync(join(directory, 'old'), 'x');
    const removed = await run(2, 'rm old && ls', 0, directory);
    expect([removed.end.code, removed.stdout]).toEqual([0, '']);
    expect(removed.events.map(({ evenement }) => evenement)).not.toContain('erreur');
    const { end, events } = await run(2, 'echo new > new', 0, directory);
    expect(end.code).not.toBe(0);
    expect(events.find(({ evenement }) => evenement === 'erreur')).toMatchObject({
      message: expect.stringMatching(/all directories of your sessions together met theirs of 64 MiB/),
    });
  });
  it('cannot change their personality', async () => {
    const { stdout } = await at.perl(`print syscall(${process.arch === 'arm64' ? 92 : 135}, 0xffffffff) . " $!"`);
    expect(stdout).toBe('-1 Operation not permitted');
  });
});
