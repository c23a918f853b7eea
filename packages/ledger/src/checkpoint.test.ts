import { describe, expect, it } from 'vitest';
import type { SealedPosition } from './chain.ts';
import {
  CheckpointFault,
  makeArchiveManifest,
  makeCheckpoint,
  readArchiveManifest,
  readCheckpoint,
} from './checkpoint.ts';
import { createSigner, generateSigningKey, readVerificationKey } from './note.ts';

const signer = createSigner(generateSigningKey());
const key = readVerificationKey(signer.publicKey);
const keys = new Map([[key.id, key]]);
const at = '2026-01-02T03:04:05.678Z';
const positions: SealedPosition[] = [
  { chain: 'authorization_decisions', sequence: 1234n, digest: '09'.repeat(32) },
  { chain: 'administration_actions', sequence: 5n, digest: '08'.repeat(32) },
];
const note = makeCheckpoint(signer, at, positions);

describe('a checkpoint', () => {
  it('is a text that is read back unchanged', () => {
    expect(readCheckpoint(note, keys)).toEqual({ at, positions, keyId: signer.keyId });
    expect(readCheckpoint(note.replaceAll('\n', '\r\n'), keys).positions).toEqual(positions);
    expect(readCheckpoint(makeCheckpoint(signer, at, []), keys).positions).toEqual([]);
  });

  it('is refused when it was signed by an unknown key', () => {
    expect(() => readCheckpoint(note, new Map())).toThrow(/not trusted/);
    const other = createSigner(generateSigningKey());
    expect(() => readCheckpoint(makeCheckpoint(other, at, positions), keys)).toThrow(CheckpointFault);
  });

  it('is refused when any character of it was changed', () => {
    const trimmed = note.trimEnd();
    for (let index = 0; index < trimmed.length; index += 1) {
      const changed = trimmed[index] === '0' ? '1' : '0';
      const text = trimmed.slice(0, index) + changed + trimmed.slice(index + 1);
      expect(() => readCheckpoint(text, keys), `character ${index}`).toThrow(CheckpointFault);
    }
  });

  it('is refused when text is added before or after a line', () => {
    const lines = note.trimEnd().split('\n');
    for (const [index, line] of lines.entries())
      for (const changed of [`x${line}`, `${line}x`, `${line} x`])
        expect(() => readCheckpoint(lines.with(index, changed).join('\n'), keys), changed).toThrow(CheckpointFault);
  });

  it('is refused when a line is missing, doubled or added', () => {
    const lines = note.trimEnd().split('\n');
    for (const [index, line] of lines.entries()) {
      expect(() => readCheckpoint(lines.toSpliced(index, 1).join('\n'), keys)).toThrow(CheckpointFault);
      expect(() => readCheckpoint(lines.toSpliced(index, 0, line).join('\n'), keys)).toThrow(CheckpointFault);
    }
    expect(() => readCheckpoint('', keys)).toThrow(CheckpointFault);
  });
});

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
