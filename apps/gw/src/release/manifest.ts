import * as z from 'zod';
import { isVersion } from './version.ts';

/** What a bundle says about itself, and the signature over exactly these bytes (Ed25519, 64 bytes). */
export const MANIFEST = 'release.json';
export const SIGNATURE = 'release.json.sig';

/** A path below the bundle: relative, with `/`, and without `.`, `..` and empty parts. */
const path = z
  .string()
  .refine((text) => !/[\\\0]/.test(text) && text.split('/').every((part) => !['', '.', '..'].includes(part)));

const manifestShape = z.strictObject({
  format: z.literal('gateway-release/1'),
  name: z.string(),
  version: z.string().refine(isVersion),
  files: z.array(
    z.strictObject({
      path,
      /** Bytes. */
      size: z.int().nonnegative(),
      /** Of the content, hexadecimal. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestShape>;

/** Null where the text is no manifest, or names a file twice. */
export function parseManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = manifestShape.safeParse(value);
  if (!parsed.success) return null;
  const names = new Set(parsed.data.files.map((file) => file.path));
  const reserved = names.has(MANIFEST) || names.has(SIGNATURE);
  return names.size === parsed.data.files.length && !reserved ? parsed.data : null;
}
