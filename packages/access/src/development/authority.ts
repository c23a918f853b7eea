import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { groupsOf } from '../policy/network.ts';
import * as der from './der.ts';

const DAY_MS = 86_400_000;

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority of one's own, for a demonstration on one machine and for tests. */
export interface Authority extends Certificate {
  /**
   * Certifies a server (and client) under these names.
   * @param names host names and IP addresses; the first is the common name
   */
  certify(names: readonly string[], options?: { readonly days?: number }): Certificate;
}

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};

/** Makes an authority (ECDSA P-256) for ten years. No list includes its key: only configured clients trust it. */
export function createAuthority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const from = { name, publicKey, privateKey };
  const own = certificateOf(from, from, 3650, [
    extension(OID.basicConstraints, der.sequence(der.boolean(true)), true),
    extension(OID.keyUsage, der.bits(Buffer.from([0x06]), 1), true),
  ]);
  return {
    certificate: own,
    key: pem(privateKey),
    certify: (names, { days = 825 } = {}) => certifyLeaf(from, names, days),
  };
}

interface Party {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function certifyLeaf(issuer: Party, names: readonly string[], days: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = { name: names[0] ?? 'localhost', publicKey };
  const certificate = certificateOf(subject, issuer, days, [
    extension(OID.basicConstraints, der.sequence(), true),
    extension(OID.keyUsage, der.bits(Buffer.from([0x80]), 7), true),
    extension(OID.extendedKeyUsage, der.sequence(der.identifier(OID.serverAuth), der.identifier(OID.clientAuth))),
    extension(OID.subjectAltName, der.sequence(...names.map(alternativeName))),
    extension(OID.authorityKeyIdentifier, der.sequence(der.implicit(0, keyIdentifier(issuer.publicKey)))),
  ]);
  return { certificate, key: pem(privateKey) };
}

/** A certificate as RFC 5280 writes it. */
function certificateOf(
  subject: Pick<Party, 'name' | 'publicKey'>,
  issuer: Party,
  days: number,
  extensions: readonly der.Element[],
): string {
  const algorithm = der.sequence(der.identifier(OID.ecdsaWithSha256));
  const now = Date.now();
  const from = new Date(now - Math.max(1, 1 - days) * DAY_MS); // a peer's clock may be behind ours
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer.name),
    der.sequence(der.time(from), der.time(new Date(now + days * DAY_MS))),
    distinguishedName(subject.name),
    subject.publicKey.export({ format: 'der', type: 'spki' }),
    der.explicit(
      3,
      der.sequence(...extensions, extension(OID.subjectKeyIdentifier, der.octets(keyIdentifier(subject.publicKey)))),
    ),
  );
  const signed = der.sequence(body, algorithm, der.bits(sign('sha256', body, issuer.privateKey)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(name: string): der.Element {
  return der.sequence(der.set(der.sequence(der.identifier(OID.commonName), der.text(name))));
}

function extension(id: string, value: der.Element, critical = false): der.Element {
  return der.sequence(der.identifier(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

function alternativeName(name: string): der.Element {
  if (isIP(name) === 4) return der.implicit(7, Buffer.from(name.split('.').map(Number)));
  if (isIP(name) === 6)
    return der.implicit(7, Buffer.from(groupsOf(name).flatMap((group) => [group >> 8, group & 0xff])));
  return der.implicit(2, Buffer.from(name));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest();
}

function pem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
