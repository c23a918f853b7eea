import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { notifyReady } from './listening.ts';

const folder = mkdtempSync(join(tmpdir(), 'configuration-notify-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes the place of systemd's program. */
function systemdNotify(script: string): void {
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\n${script}`);
  chmodSync(join(folder, 'systemd-notify'), 0o755);
}

describe('readiness', () => {
  const environment = { NOTIFY_SOCKET: '/run/notify', PATH: `${folder}:/usr/bin:/bin`, ENGINE_API_KEY: 'secret' };

  it('is reported to systemd, by a program that sees no other variable', async () => {
    systemdNotify(`{ echo "$*"; env; } > '${folder}/heard'`);
    expect(await notifyReady(environment)).toBeNull();
    const heard = readFileSync(join(folder, 'heard'), 'utf8');
    expect(heard).toMatch(/^--ready\n/);
    expect(heard).toContain('NOTIFY_SOCKET=/run/notify');
    expect(heard).not.toContain('ENGINE_API_KEY');
  });

  it('is reported to nobody where nobody waits for it', async () => {
    systemdNotify('exit 3');
    expect(await notifyReady({ PATH: folder })).toBeNull();
    expect(await notifyReady({ PATH: folder, NOTIFY_SOCKET: '' })).toBeNull();
  });

  it('that systemd did not hear of is told to the operator', async () => {
    systemdNotify('exit 3');
    expect(await notifyReady(environment)).toMatch(/^NOTIFY_SOCKET: .*exit code 3/);
    rmSync(join(folder, 'systemd-notify'));
    expect(await notifyReady({ ...environment, PATH: folder })).toMatch(/ENOENT/);
  });
});
