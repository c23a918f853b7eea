import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(() => {
  world = openWorld();
});
afterAll(() => world.close());

describe('proxies', () => {
  it('are shown by scheme, host and port alone', async () => {
    const { proxies, findings } = await world.report({
      variables: {
        HTTPS_PROXY: 'http://casey:Tr0ub4dor@proxy.example:3128/path?query#x',
        http_proxy: 'https://proxy.example',
        ALL_PROXY: 'http://token-of-mine@[2001:db8::1]:8080',
        NO_PROXY: 'localhost, .example.org  10.0.0.0/8',
      },
    });
    expect(proxies).toEqual({
      proxies: [
        { variable: 'HTTPS_PROXY', address: 'http://proxy.example:3128', credentials: true },
        { variable: 'http_proxy', address: 'https://proxy.example', credentials: false },
        { variable: 'ALL_PROXY', address: 'http://[2001:db8::1]:8080', credentials: true },
      ],
      exceptions: ['localhost', '.example.org', '10.0.0.0/8'],
    });
    expect(findings).toEqual([]);
  });

  it.each([
    'proxy.example:3128',
    'casey:secret@proxy.example:3128',
    'socks5://proxy.example',
    'http://',
    '://',
    'http://a b',
  ])('set to %j is no address, and is not repeated', async (value) => {
    const ran = await world.gw(['diagnose', '--output', '-'], { variables: { HTTPS_PROXY: value } });
    expect(ran.out).toContain('A proxy variable contains no address of http or https.');
    expect(ran.out).toContain('Where: HTTPS_PROXY\n');
    expect(ran.out).toMatch(/^HTTPS_PROXY +set, but no address/m);
    expect(ran.out).not.toContain('casey:secret');
  });

  it('that differ by the case of the variable are a finding', async () => {
    const variables = { HTTPS_PROXY: 'http://a.example:1', https_proxy: 'http://b.example:1' };
    expect(await world.findings({ variables })).toEqual([
      'Two variables name different proxies. Programs differ in which of them they take. | HTTPS_PROXY and https_proxy | Give both the same value, or unset one.',
    ]);
    expect(await world.findings({ variables: { ...variables, https_proxy: variables.HTTPS_PROXY } })).toEqual([]);
  });

  it.each([
    ['http://localhost:6001/x', { HTTP_PROXY: 'http://p.example' }, 'localhost'],
    ['http://127.0.0.1:6001', { http_proxy: 'http://p.example', NO_PROXY: 'example.org' }, '127.0.0.1'],
    ['http://[::1]:6001', { ALL_PROXY: 'http://p.example' }, '::1'],
    ['https://localhost', { HTTP_PROXY: 'http://p.example' }, null],
    ['http://localhost', { HTTP_PROXY: 'http://p.example', NO_PROXY: 'localhost' }, null],
    ['http://127.0.0.9', { HTTP_PROXY: 'http://p.example', no_proxy: '127.0.0.0/8' }, null],
    ['http://[::1]', { HTTP_PROXY: 'http://p.example', NO_PROXY: '::1' }, null],
    ['http://localhost', { HTTP_PROXY: 'http://p.example', NO_PROXY: '*' }, null],
    ['http://localhost:6001', { HTTP_PROXY: 'http://p.example', NO_PROXY: 'localhost:6001' }, null],
    ['http://localhost', { HTTP_PROXY: 'http://p.example', NO_PROXY: 'localhost:80' }, null],
    ['https://127.0.0.1', { HTTPS_PROXY: 'http://p.example', NO_PROXY: '127.0.0.1:443' }, null],
    ['http://[::1]:6001', { HTTP_PROXY: 'http://p.example', NO_PROXY: '[::1]:6001' }, null],
    ['http://localhost:6001', { HTTP_PROXY: 'http://p.example', NO_PROXY: 'localhost:6002' }, 'localhost'],
    ['https://gateway.example', { HTTPS_PROXY: 'http://p.example' }, null],
    ['http://localhost', {}, null],
  ])('between this machine and %s with %j', async (endpoint, variables, host) => {
    const file = world.write('own.yaml', `models: [{name: a, endpoint: '${endpoint}'}]\n`);
    const findings = await world.findings({ variables }, '--config', file);
    expect(findings).toEqual(
      host === null
        ? []
        : [
            `Calls to this machine would be sent to the proxy, which cannot reach it. | ${file}:1:30 | Add ${host} to NO_PROXY.`,
          ],
    );
  });
});

describe('authorities', () => {
  const authority = createAuthority('gw');
  const short = authority.certify(['short'], { days: 1 });
  const long = authority.certify(['long'], { days: 3000 });
  const DAY_MS = 86_400_000;
  /** A month from now, when the short one has expired. */
  const later = new Date(Date.now() + 30 * DAY_MS);
  const at = (variables: Record<string, string>, now = later) => ({ variables, now });
  let lasting: string;
  beforeAll(() => {
    lasting = world.write('lasting.pem', long.certificate);
  });

  it('are counted, with the first that expires next', async () => {
    const both = world.write(
      'both.pem',
      `# ours\r\n${long.certificate.replaceAll('\n', '\r\n')}\r\n${short.certificate}`,
    );
    const { authorities, findings } = await world.report(at({ NODE_EXTRA_CA_CERTS: both, SSL_CERT_FILE: both }));
    expect(authorities).toEqual([
      {
        variables: ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
        file: both,
        state: 'read',
        certificates: 2,
        expired: 1,
        nextExpiry: expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/) as string,
      },
    ]);
    expect(findings.map(({ what, where }) => [what, where])).toEqual([
      ['Of 2 certificates, 1 has expired.', `${both}, named by NODE_EXTRA_CA_CERTS and SSL_CERT_FILE`],
    ]);
  });

  it('of a bundle of the public ones expire every day', async () => {
    const bundle = world.write('bundle.pem', `${rootCertificates.slice(0, 20).join('\n')}\n${short.certificate}`);
    const { authorities, findings } = await world.report(at({ NODE_EXTRA_CA_CERTS: bundle }));
    expect(authorities[0]?.certificates).toBe(21);
    expect(authorities[0]?.expired).toBeGreaterThan(0);
    expect(findings).toEqual([]);
    const all = await world.findings(at({ NODE_EXTRA_CA_CERTS: bundle }, new Date('2200-01-01T00:00:00Z')));
    expect(all[0]).toContain('Of 21 certificates, 21 have expired.');
  });

  it('may be missing, empty, spoiled, or a key', async () => {
    const directory = join(world.root, 'directory.pem');
    mkdirSync(directory, { recursive: true });
    symlinkSync('loop.pem', join(world.root, 'loop.pem'));
    const pem = long.certificate;
    const files: readonly (readonly [string, RegExp])[] = [
      [join(world.root, 'absent.pem'), /cannot be read: absent/],
      [directory, /cannot be read: directory/],
      [join(world.root, 'loop.pem'), /cannot be read: link loop/],
      [world.write('empty.pem', ''), /contains no certificate/],
      [
        world.write('der.pem', Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64')),
        /cannot be read: not UTF-8/,
      ],
      [world.write('spoiled.pem', `${pem}${pem.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA')}`), /cannot be read\./],
      [world.write('with-key.pem', `${pem}${long.key}`), /holds a private key/],
    ];
    for (const [file, says] of files) {
      const findings = await world.findings(at({ NODE_EXTRA_CA_CERTS: file }));
      expect([file, findings.length]).toEqual([file, 1]);
      expect(findings[0]).toMatch(says);
      expect(findings[0]).toContain(`| ${file}, named by NODE_EXTRA_CA_CERTS |`);
      expect(findings[0]).not.toContain('BEGIN');
    }
  });

  it('that Node does not read are a finding, except where it is configured to read them', async () => {
    const [finding] = await world.findings(at({ SSL_CERT_FILE: lasting }));
    expect(finding).toMatch(
      /^An authority is added for other programs, but not for Node.*\| SSL_CERT_FILE \| .*NODE_EXTRA_CA_CERTS/,
    );
    expect(await world.findings(at({ SSL_CERT_FILE: lasting, NODE_OPTIONS: '--use-openssl-ca' }))).toEqual([]);
  });

  it('count for nothing where certificates are not verified', async () => {
    const [finding] = await world.findings({ variables: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(finding).toMatch(/^Certificates are not verified.*\| NODE_TLS_REJECT_UNAUTHORIZED \| Unset it\./);
    expect(await world.findings({ variables: { NODE_TLS_REJECT_UNAUTHORIZED: '1' } })).toEqual([]);
  });
});

describe('tools', () => {
  it('are found with their versions', async () => {
    world.write('bin/git', '#!/bin/sh\necho "git version 2.47.1 (somebody’s)"\n', 0o755);
    world.write('bin/rg', '#!/bin/sh\necho "ripgrep 14.1.0 (rev e50df40a19)"\n', 0o755);
    const PATH = join(world.root, 'bin');
    expect((await world.report({ variables: { PATH } })).tools).toEqual([
      { name: 'git', file: join(PATH, 'git'), version: '2.47.1' },
      { name: 'rg', file: join(PATH, 'rg'), version: '14.1.0' },
    ]);
  });

  it('may be absent: git is missed in a repository alone', async () => {
    const without = openWorld();
    const variables = { PATH: join(without.root, 'nothing') };
    expect(await without.findings({ variables })).toEqual([]);
    expect((await without.report({ variables })).tools.map(({ file }) => file)).toEqual([null, null]);
    without.git('init');
    expect(await without.findings({ variables })).toEqual([
      'The project is a repository, and git is not found. | PATH | Install git, or add its directory to PATH.',
    ]);
    without.close();
  });

  it('may not run, or say nothing of use', async () => {
    world.write('broken/rg', '#!/bin/sh\necho secret >&2; exit 1\n', 0o755);
    world.write('broken/git', '#!/bin/sh\necho hello\n', 0o755);
    const { tools, findings } = await world.report({ variables: { PATH: join(world.root, 'broken') } });
    expect(tools.map(({ version }) => version)).toEqual([null, null]);
    expect(findings.map(({ what }) => what)).toEqual(['rg does not run.']);
  });

  it('are not read from a directory of the project', async () => {
    const [finding] = await world.findings({ variables: { PATH: `.:${process.env['PATH']}` } });
    expect(finding).toMatch(/^PATH holds a relative directory.*\| PATH \|/);
  });
});
