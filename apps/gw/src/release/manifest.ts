import * as s from '../schema/index.ts';
import { isVersion } from './version.ts';

/** What a bundle says about itself, and the signature over exactly these bytes (Ed25519, 64 bytes). */
export const MANIFEST = 'release.json';
export const SIGNATURE = 'release.json.sig';

/** A path below the bundle: relative, with `/`, and without `.`, `..` and empty parts. */
const path = s
  .string()
  .refine((text) => !/[\\\0]/.test(text) && text.split('/').every((part) => !['', '.', '..'].includes(part)));

const manifestShape = s.strictObject({
  format: s.literal('gateway-release/1'),
  name: s.string(),
  version: s.string().refine(isVersion),
  files: s.array(
    s.strictObject({
      path,
      /** Bytes. */
      size: s.integer({ min: 0 }),
      /** Of the content, hexadecimal. */
      sha256: s.string().refine((text) => /^[0-9a-f]{64}$/.test(text)),
    }),
  ),
});
export type Manifest = s.Infer<typeof manifestShape>;

/** Null where the text is no manifest, or names a file twice. */
export function parseManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const manifest = manifestShape.valueOf(value);
  if (manifest === null) return null;
  const names = new Set(manifest.files.map((file) => file.path));
  const reserved = names.has(MANIFEST) || names.has(SIGNATURE);
  return names.size === manifest.files.length && !reserved ? manifest : null;
}
