import { createPrivateKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { GENESIS, link, seal } from './chain.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { createSigner } from './note.ts';
import { writeExportedEntry } from './verify.ts';

// Computed by another program, only from the manual's text (site/pages/concepts/log.md): exports and checkpoints that auditors
// store, and their programs, depend on it. Ed25519 is deterministic: the same key and text give the same signature.
const KEY_ID = '324be2dea8bc44461b0233e51fa48902ed6b1cc671e7739af2551e0bfe68f54e';
const DIGEST = '9f2630e0e585cf136fe136d8426b95b9e5b1e23291955fe98597e5cf8351cffe';
const SEALED =
  '06dd0168db0254773f7e26c34f677aa12b932db6a14e22dbabb6bd6dbcae2ef9a33ce9b6e8a672b770430db4cff6e24125021ba72f26e187df259c45031f2806';
const NOTED =
  '17fa9a252bc1a74c5a3f526facef5e0ad0169f10190830fba8cbaf792cafd47859ec4d60b8cfa8c581c72fa72e16ca3c8ac3af8b8e4021414c982775445fe100';

const CHAIN = 'authorization_decisions';
const entry = { sequence: 1, subject: 'zoë 😀\u2028', status: 200, requestId: null, roles: ['auditeur'] };
const place = { chain: CHAIN, sequence: 1n, digest: DIGEST };

/** The key of a seed that is 32 times the byte 7 (RFC 8410 puts these bytes before a seed). */
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
const signer = createSigner(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());

it('a key, a digest and a seal match the manual', () => {
  expect(signer.keyId).toBe(KEY_ID);
  expect(link(GENESIS, entry).digest).toBe(DIGEST);
  expect(Buffer.from(seal(signer, place).signature).toString('hex')).toBe(SEALED);
});

it('a checkpoint matches the manual', () => {
  expect(makeCheckpoint(signer, '2026-01-31T12:00:00.000Z', [place])).toBe(
    `gateway journal checkpoint 1\nat 2026-01-31T12:00:00.000Z\nchain ${CHAIN} 1 ${DIGEST}\nkey ${KEY_ID}\nsignature ${NOTED}\n`,
  );
});

it('a line of an export matches the manual', () => {
  const exported = { ...place, entry, previous: GENESIS, seal: seal(signer, place) };
  expect(writeExportedEntry(exported)).toBe(
    `{"chain":"${CHAIN}","sequence":1,"subject":"zoë 😀\u2028","status":200,"requestId":null,"roles":["auditeur"],"previous":"${GENESIS}",` +
      `"digest":"${DIGEST}","seal":{"keyId":"${KEY_ID}","signature":"${SEALED}"}}`,
  );
});
