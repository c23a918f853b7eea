import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';

const DAY_MS = 86_400_000;
const COMMON_NAME = '2.5.4.3';
const ECDSA_WITH_SHA256 = new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });

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

interface Party {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Makes an authority (ECDSA P-256) for ten years. No list includes its key: only configured clients trust it. */
export function createAuthority(name: string): Authority {
  const own = partyOf(name);
  const certificate = certify(own, own, 3650, [
    extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), true),
    extension(x509.id_ce_keyUsage, usage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign), true),
  ]);
  return {
    ...certificate,
    certify: (names, { days = 825 } = {}) =>
      certify(partyOf(names[0] ?? 'localhost'), own, days, [
        extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), true),
        extension(x509.id_ce_keyUsage, usage(x509.KeyUsageFlags.digitalSignature), true),
        extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth, x509.id_kp_clientAuth])),
        extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(names.map(alternativeName))),
        extension(
          x509.id_ce_authorityKeyIdentifier,
          new x509.AuthorityKeyIdentifier({ keyIdentifier: new x509.KeyIdentifier(digestOf(own.publicKey)) }),
        ),
      ]),
  };
}

function partyOf(name: string): Party {
  return { name, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

function certify(subject: Party, issuer: Party, days: number, extensions: readonly x509.Extension[]): Certificate {
  const now = Date.now();
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: Uint8Array.from([1, ...randomBytes(15)]).buffer,
    signature: ECDSA_WITH_SHA256,
    issuer: distinguishedName(issuer.name),
    validity: new x509.Validity({
      notBefore: new Date(now - Math.max(1, 1 - days) * DAY_MS), // a peer's clock may be behind ours
      notAfter: new Date(now + days * DAY_MS),
    }),
    subject: distinguishedName(subject.name),
    subjectPublicKeyInfo: AsnConvert.parse(spki(subject.publicKey), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions([
      ...extensions,
      extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(digestOf(subject.publicKey))),
    ]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), issuer.privateKey);
  const signed = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: ECDSA_WITH_SHA256,
    signatureValue: Uint8Array.from(signature).buffer,
  });
  const lines = Buffer.from(AsnConvert.serialize(signed)).toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: subject.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

function distinguishedName(name: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: name });
  return new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: COMMON_NAME, value })]),
  ]);
}

function extension(extnID: string, value: object, critical = false): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function usage(flags: number): x509.KeyUsage {
  const value = new x509.KeyUsage();
  value.fromNumber(flags);
  return value;
}

function alternativeName(name: string): x509.GeneralName {
  return new x509.GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name });
}

function spki(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' });
}

function digestOf(key: KeyObject): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha1').update(spki(key)).digest());
}
