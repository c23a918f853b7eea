import { describe, expect, it } from 'vitest';
import { makeArchiveManifest, readArchiveManifest } from './archive-manifest.ts';
import { CheckpointFault } from './checkpoint.ts';
import { createSigner, generateSigningKey, readVerificationKey } from './signing-key.ts';

const signer = createSigner(generateSigningKey());
const key = readVerificationKey(signer.publicKey);
const keys = new Map([[key.id, key]]);
const manifest = {
  at: '2026-01-02T03:04:05.678Z',
  log: 'usage',
  file: 'usage-2025-10-1.jsonl',
  entries: 1234,
  sha256: '0a'.repeat(32),
};
const text = makeArchiveManifest(signer, manifest);

describe('the manifest of an archive', () => {
  it('is read back unchanged, also with the line ends of another system', () => {
    expect(readArchiveManifest(text, keys)).toEqual(manifest);
    expect(readArchiveManifest(text.replaceAll('\n', '\r\n'), keys)).toEqual(manifest);
  });

  it('is refused when any character of it was changed', () => {
    for (let index = 0; index < text.length; index += 1) {
      const changed = text.slice(0, index) + (text[index] === '0' ? '1' : '0') + text.slice(index + 1);
      expect(() => readArchiveManifest(changed, keys), `character ${index}`).toThrow(CheckpointFault);
    }
  });

  it('is refused when a line is missing, doubled or added', () => {
    const lines = text.split('\n');
    for (const [index, line] of lines.slice(0, -1).entries()) {
      expect(() => readArchiveManifest(lines.toSpliced(index, 1).join('\n'), keys)).toThrow(CheckpointFault);
      expect(() => readArchiveManifest(lines.toSpliced(index, 0, line).join('\n'), keys)).toThrow(CheckpointFault);
    }
  });

  it('is refused when it was signed by an unknown key, which is named', () => {
    expect(() => readArchiveManifest(text, new Map())).toThrow(`signed by the key ${key.id}, which is not trusted`);
  });
});
