import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresBinaries } from './binaries.ts';
import { serviceUser } from './service-user.ts';
import { openCluster } from './start.ts';

const user = serviceUser();
let bin: string;
let parent: string;
beforeAll(() => {
  bin = postgresBinaries(user);
  parent = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
  chmodSync(parent, 0o711); // as root, for the server's user
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** A path may have spaces, quotes and letters of any language. */
const KEPT = `a "b" 'c' é名`;
const open = (name: string, programs = bin) => openCluster(join(parent, name), programs, user, false);
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('the folder of a server', () => {
  it('is made at the first start and kept at the next, with its password readable by its owner alone', async () => {
    const first = await open(KEPT);
    expect(readFileSync(join(first.data, 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/);
    expect(first.ownerPassword).toMatch(/^[\w-]{32}$/);
    expect(modeOf(join(parent, KEPT, 'owner-password'))).toBe(0o600);
    expect(modeOf(first.data)).toBe(0o700);
    writeFileSync(join(first.data, 'of-the-first-start'), '');
    expect(await open(KEPT)).toEqual(first);
    expect(existsSync(join(first.data, 'of-the-first-start'))).toBe(true);
  });

  it('is made again where the first start was interrupted at any step, and no password is left behind', async () => {
    const folder = join(parent, 'interrupted');
    mkdirSync(join(folder, 'data', 'base'), { recursive: true });
    writeFileSync(join(folder, 'data', 'base', 'half'), 'half');
    writeFileSync(join(folder, 'data.password'), 'of the interrupted start');
    // The file of the password was made, and the machine stopped before it was written.
    writeFileSync(join(folder, 'owner-password'), '');
    const { ownerPassword } = await open('interrupted');
    expect(ownerPassword).not.toBe('');
    expect(existsSync(join(folder, 'data', 'base', 'half'))).toBe(false);
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'initialised', 'owner-password']);
  });

  it('that cannot be made is not called complete, and the words of the program say why', async () => {
    const failing = join(parent, 'programs');
    mkdirSync(failing);
    const program = join(failing, 'initdb');
    writeFileSync(program, '#!/bin/sh\necho "initdb: error: no space left on device" >&2\nexit 1\n', { mode: 0o755 });
    await expect(open('failing', failing)).rejects.toThrow(
      /could not create its data folder .*: initdb: error: no space left/,
    );
    expect(existsSync(join(parent, 'failing', 'initialised'))).toBe(false);
    expect(existsSync(join(parent, 'failing', 'data.password'))).toBe(false);
  });

  it('is not made where the program is missing', async () => {
    await expect(open('no-program', join(parent, 'nowhere'))).rejects.toThrow(
      /could not create its data folder .*ENOENT/,
    );
  });
});
