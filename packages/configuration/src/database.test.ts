import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { CERTIFICATE_CHECK, certificatesOf, databaseReader, refuseUnverified } from './database.ts';
import { Reading } from './reading.ts';

const gateway = databaseReader('gateway', null);
const console = databaseReader('console', {
  address: 'postgres://console_service@127.0.0.1:6000/gateway',
  shown: 'the development database',
});
const URL = 'postgres://gateway_service:a-secret@db.example:5432/gateway';

describe('the address of the database', () => {
  // refusals-21
  it('must be given where there is no default', () => {
    const reading = new Reading({});
    expect(gateway.read(reading)).toBeNull();
    expect(reading.faults).toEqual([expect.stringMatching(/^DATABASE_URL: is not set\. .*gateway_service/)]);
  });
  it('falls back where a service has something to fall back to', () => {
    const reading = new Reading({});
    expect(console.read(reading)).not.toBeNull();
    expect(reading.faults).toEqual([]);
    expect(console.url.fallback).toBe('the development database');
  });
  it.each(['sslmode=disable', 'sslmode=verify-full', 'ssl=true', 'sslrootcert=/x'])(
    'does not decide about encryption: %s',
    (parameter) => {
      const reading = new Reading({ DATABASE_URL: `${URL}?${parameter}` });
      expect(gateway.read(reading)).toBeNull();
      expect(reading.faults).toEqual([expect.stringMatching(/^DATABASE_URL: /)]);
    },
  );
  it('is never shown with its password', () => {
    for (const address of [`${URL}?sslmode=disable`, 'a-secret', 'mysql://a:a-secret@b/c']) {
      const reading = new Reading({ DATABASE_URL: address });
      gateway.read(reading);
      expect(reading.faults.join()).not.toContain('a-secret');
    }
  });
});

describe('the authority of the database', () => {
  it('is given once', () => {
    const reading = new Reading({ DATABASE_URL: URL, DATABASE_CA_CERT: 'x', DATABASE_CA_CERT_PATH: '/x' });
    gateway.read(reading);
    expect(reading.faults).toEqual(['DATABASE_CA_CERT_PATH: and DATABASE_CA_CERT are both set. Keep one.']);
  });
  it.each([
    ['DATABASE_CA_CERT', 'no certificate', 'contains no PEM certificate that can be read.'],
    ['DATABASE_CA_CERT_PATH', '/nowhere/ca.pem', 'names a file that cannot be read (ENOENT): "/nowhere/ca.pem".'],
  ])('is refused where %s is unusable', (name, value, sentence) => {
    const reading = new Reading({ DATABASE_URL: URL, [name]: value });
    gateway.read(reading);
    expect(reading.faults).toContain(`${name}: ${sentence}`);
  });
});

it('every variable that is read is listed for the reference', () => {
  expect(gateway.variables.map(({ name }) => name)).toEqual([
    'DATABASE_URL',
    'DATABASE_CA_CERT_PATH',
    'DATABASE_CA_CERT',
  ]);
});

const [one = ''] = rootCertificates;
const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

describe('the certificates of a text', () => {
  it.each([
    ['one', one, 1],
    ['two with words between', `${one}\nthe other\n${one}\n`, 2],
    ['lines as Windows ends them, behind a byte order mark', `\ufeff${one.replaceAll('\n', '\r\n')}\r\n`, 1],
    ['none', 'no PEM at all', 0],
  ])('%s', (_, text, count) => {
    expect(certificatesOf(text)).toHaveLength(count);
  });

  it.each([
    ['one that is empty', broken],
    ['one beside a good one', `${one}\n${broken}`],
    ['one that was cut off', `${one}\n${one.slice(0, 200)}`],
  ])('are all refused where one cannot be read: %s', (_, text) => {
    expect(certificatesOf(text)).toBeNull();
  });
});

it.each([
  ['0', ['NODE_TLS_REJECT_UNAUTHORIZED: must not be 0. To trust an authority of your own, remove it and set OWN_CA.']],
  [' 0 ', [expect.stringMatching(/must not be 0/)]],
  ['1', []],
  ['', []],
])('the check of certificates cannot be switched off: %j', (value, faults) => {
  const reading = new Reading({ [CERTIFICATE_CHECK.name]: value });
  refuseUnverified(reading, { ...CERTIFICATE_CHECK, name: 'OWN_CA' });
  expect(reading.faults).toEqual(faults);
});
