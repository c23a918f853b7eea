import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { termNotice } from './create-server.ts';

const { certificate } = createAuthority('authority of the test').certify(['127.0.0.1']);
const { validFromDate, validToDate } = new X509Certificate(certificate);
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-term-'));
  file = join(folder, 'cert.pem');
  writeFileSync(file, certificate);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('an expired certificate, or one not yet valid, is reported with the day', () => {
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()];
  expect([termNotice(file, from), termNotice(file, to)]).toEqual([null, null]);
  expect(termNotice(file, to + 1)).toBe(
    `TLS_CERT_FILE: callers refuse the certificate, which expired on ${validToDate.toISOString()}.`,
  );
  expect(termNotice(file, from - 1)).toBe(
    `TLS_CERT_FILE: callers refuse the certificate, which is not valid before ${validFromDate.toISOString()}.`,
  );
});
