import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

export const PROFILES = ['on-premise', 'serverless'] as const;
export type Profile = (typeof PROFILES)[number];

export function isProfile(value: string): value is Profile {
  return (PROFILES as readonly string[]).includes(value);
}

/** Whatever an artifact is made of; tests are not part of it. */
const PATTERNS = [
  'package-lock.json',
  'toolchain/{build,pages}.ts',
  'packages/*/package.json',
  'packages/*/{src,migrations}/**',
  'apps/{gateway,console,gatewayctl,gw}/{package.json,vite.config.ts,index.html}',
  'apps/{gateway,console,gatewayctl,gw}/src/**',
];

/** SHA-256 over the paths and contents of the sources, so that an unchanged artifact is not built again. */
export async function digestOfSources(...also: readonly string[]): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(PATTERNS, { withFileTypes: true })) {
    if (entry.isFile() && !entry.name.includes('.test.')) files.push(relative('.', join(entry.parentPath, entry.name)));
  }
  const hash = createHash('sha256').update(also.join('\0'));
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(await readFile(file));
  return hash.digest('hex').slice(0, 32);
}
