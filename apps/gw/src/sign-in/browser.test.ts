import { once } from 'node:events';
import { chmodSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { openBrowser, openerOf } from './browser.ts';

const DESKTOP = new Map([['WAYLAND_DISPLAY', 'wayland-0']]);
const ADDRESS = 'https://directory.example/authorize?a=1&b=$(touch x)&c=`id`;%20"d"';

describe('the browser', () => {
  it('is opened by a program that is given the address as one argument', async () => {
    const folder = temporaryFolder();
    const program = join(folder, 'xdg-open');
    writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$@" > "$0.part"\nmv "$0.part" "$0.done"\n');
    chmodSync(program, 0o700);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const watcher = watch(folder);
    onTestFinished(() => watcher.close());
    openBrowser(ADDRESS, 'linux', DESKTOP);
    for (let name: unknown; name !== 'xdg-open.done'; ) [, name] = (await once(watcher, 'change')) as unknown[];
    expect(readFileSync(`${program}.done`, 'utf8')).toBe(`${ADDRESS}|`);
  });

  it('that cannot be opened ends nothing', async () => {
    vi.stubEnv('PATH', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => openBrowser(ADDRESS, 'linux', DESKTOP)).not.toThrow();
    expect(() => openBrowser(ADDRESS, 'linux', new Map())).not.toThrow();
    await new Promise((resolve) => setImmediate(resolve)); // the program's absence is an event of its own
  });

  it.each([
    ['win32', new Map<string, string>(), ['rundll32', 'url.dll,FileProtocolHandler']],
    ['darwin', new Map([['SSH_CONNECTION', 'x']]), ['open']],
    ['linux', DESKTOP, ['xdg-open']],
    ['freebsd', new Map([['DISPLAY', ':0']]), ['xdg-open']],
    ['linux', new Map([...DESKTOP, ['SSH_CONNECTION', 'x']]), null],
  ] as const)('on %s is opened without a shell', (platform, variables, opener) => {
    expect(openerOf(platform, variables)).toEqual(opener);
  });
});
