import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * The license settings that the build fixes (roles-20): the vendor's public key, from the file that
 * GATEWAY_LICENSE_PUBLIC_KEY_FILE names. Without one the artifact trusts development licenses, and logs this at every start.
 * @returns definitions for the bundler
 * @throws with a sentence for the person who builds
 */
export async function licenseKeyDefinition(file: string | undefined): Promise<Record<string, string>> {
  if (!file) return {};
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`GATEWAY_LICENSE_PUBLIC_KEY_FILE: ${file} cannot be read (${error.code}).`);
  });
  return { BUILD_LICENSE_PUBLIC_KEY: JSON.stringify(publicKeyIn(text, file)) };
}

function publicKeyIn(text: string, file: string): string {
  const refusal = `GATEWAY_LICENSE_PUBLIC_KEY_FILE: ${file} contains no Ed25519 public key (PEM).`;
  if (text.includes('PRIVATE KEY')) throw new Error(`${refusal} A private key must never get into an artifact.`);
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key.export({ format: 'pem', type: 'spki' }).toString();
  } catch {
    // reported below
  }
  throw new Error(refusal);
}
