import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasModule, MODULES, RSYSLOG_TLS, startRsyslog } from './rsyslog.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsyslog-modules-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('its driver is looked for, not the program alone', () => {
  expect(hasModule('lmnsd_ossl', [folder])).toBe(false);
  mkdirSync(join(folder, 'rsyslog'));
  writeFileSync(join(folder, 'rsyslog/lmnsd_ossl.so'), '');
  expect(hasModule('lmnsd_ossl', [folder])).toBe(true);
});

it.runIf(RSYSLOG_TLS)('without its driver fails with its own words, not by waiting', async () => {
  const own = MODULES.find((place) => hasModule('lmnsd_ossl', [place])) ?? '';
  for (const name of readdirSync(join(own, 'rsyslog')).filter((one) => !one.startsWith('lmnsd_ossl'))) {
    symlinkSync(join(own, 'rsyslog', name), join(folder, name));
  }
  const { certificate: cert, key } = createAuthority('Test authority').certify(['localhost']);
  await expect(startRsyslog({ cert, key }, folder)).rejects.toThrow(/could not load module 'lmnsd_ossl'/);
});
