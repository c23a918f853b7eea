import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { CERTIFICATE_CHECK, certificatesOf, refuseUnverified } from './certificates.ts';
import { Reading } from './reading.ts';

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
