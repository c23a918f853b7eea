import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { Reading } from '@gateway/configuration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogExport } from './log-export.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateway-configuration-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const read = (environment: Record<string, string>) => {
  const reading = new Reading(environment);
  return { logExport: readLogExport(reading), faults: reading.faults };
};
const to = (GATEWAY_LOG_EXPORT_URL: string, more: Record<string, string> = {}) =>
  read({ GATEWAY_LOG_EXPORT_URL, ...more });
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

describe('the log export', () => {
  it('is not there by default', () => {
    expect(read({})).toEqual({ logExport: null, faults: [] });
  });

  it.each([
    ['syslog+tls://logs.example', 'syslog', true, 'logs.example', 6514, 'syslog+tls://logs.example:6514'],
    ['syslog+tcp://10.0.0.4', 'syslog', false, '10.0.0.4', 601, 'syslog+tcp://10.0.0.4:601'],
    ['syslog+tcp://[fd00::4]:1514/', 'syslog', false, 'fd00::4', 1514, 'syslog+tcp://[fd00::4]:1514'],
    ['https://otel.example', 'otlp', true, 'otel.example', 443, 'https://otel.example:443/v1/logs'],
    ['https://otel.example:4318/', 'otlp', true, 'otel.example', 4318, 'https://otel.example:4318/v1/logs'],
    [
      'https://otel.example:4318/tenant/logs',
      'otlp',
      true,
      'otel.example',
      4318,
      'https://otel.example:4318/tenant/logs',
    ],
    ['http://localhost:4318', 'otlp', false, 'localhost', 4318, 'http://localhost:4318/v1/logs'],
    ['http://[::1]:4318/v1/logs', 'otlp', false, '::1', 4318, 'http://[::1]:4318/v1/logs'],
  ])('goes to %s', (url, protocol, secure, host, port, address) => {
    const { logExport, faults } = to(url);
    expect(faults).toEqual([]);
    expect(logExport).toMatchObject({ protocol, secure, host, port, address, headers: {}, eventBytes: 7168 });
  });

  it.each([
    ['udp://logs.example:514', /is not the address of a collector/],
    ['syslog://logs.example', /is not the address of a collector/],
    ['logs.example:514', /is not the address of a collector/],
    ['syslog+tls://', /is not the address of a collector/],
    ['syslog+tls://logs.example:port', /is not the address of a collector/],
    ['syslog+tls://user:hunter2@logs.example', /must not hold a user or a password/],
    ['https://hunter2@otel.example', /must not hold a user or a password/],
    ['https://otel.example/v1/logs?key=hunter2', /neither a query nor a fragment/],
    ['syslog+tcp://logs.example/hunter2', /must have no path/],
    ['http://otel.example:4318', /must begin with https/],
    ['http://127.0.0.1.example:4318', /must begin with https/],
    ['syslog+tcp://logs.example:0', /a port a collector can listen on/],
  ])('is refused for %s, and the value is not shown', (url, sentence) => {
    const { faults } = to(url);
    expect(faults).toEqual([expect.stringMatching(sentence)]);
    expect(faults[0]).toMatch(/^GATEWAY_LOG_EXPORT_URL: /);
    expect(faults[0]).not.toContain('hunter2');
  });

  it('takes headers as OpenTelemetry writes them', () => {
    const { logExport, faults } = to('https://otel.example', {
      GATEWAY_LOG_EXPORT_HEADERS: 'Authorization=Bearer%20hunter2, x-scope = a=b',
    });
    expect(faults).toEqual([]);
    expect(logExport?.headers).toEqual({ authorization: 'Bearer hunter2', 'x-scope': 'a=b' });
  });

  it.each(['hunter2', '=hunter2', 'a b=hunter2', 'x=hunter2%0d%0ay', 'x=%zz', 'x=1,,y=2'])(
    'does not take the headers %s, and does not show them',
    (text) => {
      const { faults } = to('https://otel.example', { GATEWAY_LOG_EXPORT_HEADERS: text });
      expect(faults).toEqual([expect.stringMatching(/^GATEWAY_LOG_EXPORT_HEADERS: is not readable/)]);
      expect(faults[0]).not.toContain('hunter2');
    },
  );

  it('has no headers with syslog', () => {
    const { faults } = to('syslog+tls://logs.example', { GATEWAY_LOG_EXPORT_HEADERS: 'a=b' });
    expect(faults).toEqual([expect.stringMatching(/has no meaning for syslog/)]);
  });

  it('presents its own certificate, and trusts an authority', () => {
    const authority = createAuthority('Test authority');
    const { certificate, key } = authority.certify(['gateway']);
    const { logExport, faults } = to('syslog+tls://logs.example', {
      GATEWAY_LOG_EXPORT_TLS_CA_FILE: file('ca.pem', authority.certificate),
      GATEWAY_LOG_EXPORT_TLS_CLIENT_CERT_FILE: file('cert.pem', certificate),
      GATEWAY_LOG_EXPORT_TLS_CLIENT_KEY_FILE: file('key.pem', key),
    });
    expect(faults).toEqual([]);
    expect(logExport?.tls.client).toEqual({ cert: certificate, key });
    expect(logExport?.tls.addedAuthorities).toHaveLength(1);
  });

  it('needs both files of a certificate, and a pair that belongs together', () => {
    const pair = createAuthority('one').certify(['a']);
    const other = createAuthority('two').certify(['b']);
    const [cert, key] = [file('a.pem', pair.certificate), file('b.pem', other.key)];
    const names = ['GATEWAY_LOG_EXPORT_TLS_CLIENT_CERT_FILE', 'GATEWAY_LOG_EXPORT_TLS_CLIENT_KEY_FILE'] as const;
    expect(to('https://o.example', { [names[0]]: cert }).faults).toEqual([
      expect.stringContaining(`${names[1]}: is not set`),
    ]);
    expect(to('https://o.example', { [names[1]]: key }).faults).toEqual([
      expect.stringContaining(`${names[0]}: is not set`),
    ]);
    expect(to('https://o.example', { [names[0]]: cert, [names[1]]: key }).faults).toEqual([
      expect.stringContaining('are not a certificate and its private key'),
    ]);
  });

  it('bounds events within what receivers take', () => {
    expect(to('https://o.example', { GATEWAY_LOG_EXPORT_EVENT_BYTES: '65536' }).logExport?.eventBytes).toBe(65_536);
    for (const wrong of ['100', '99999999', 'many'])
      expect(to('https://o.example', { GATEWAY_LOG_EXPORT_EVENT_BYTES: wrong }).faults).toHaveLength(1);
  });
});
