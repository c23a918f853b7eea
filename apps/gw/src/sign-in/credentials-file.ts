import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../files/lock.ts';
import { FIXES, readText } from '../files/reading.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import { WrongUsage } from '../process/fault.ts';
import * as s from '../schema/index.ts';

const keyShape = s.object({
  kind: s.literal('key'),
  key: s.string({ min: 1 }),
});
const tokenShape = s.object({
  kind: s.literal('token'),
  issuer: s.string(),
  clientId: s.string(),
  /** Which of the two tokens the gateway accepts. */
  sends: s.oneOf(['idToken', 'accessToken']),
  idToken: s.string(),
  accessToken: s.string(),
  refreshToken: s.string().nullable(),
  /** When the token that is sent expires, ISO 8601. */
  expiresAt: s.string(),
});
const fileShape = s.object({
  version: s.literal(1),
  /** By the gateway's base address. */
  gateways: s.record(s.union([keyShape, tokenShape])),
});

export type KeyCredential = s.Infer<typeof keyShape>;
export type TokenCredential = s.Infer<typeof tokenShape>;
export type Credential = KeyCredential | TokenCredential;
type Gateways = s.Infer<typeof fileShape>['gateways'];

/** What `gw login` keeps: `~/.gateway/credentials.json`, which its owner alone can read. */
export interface CredentialsFile {
  read(gateway: string): Promise<Credential | null>;
  /**
   * Replaces the credential of a gateway by the result of `change`, under a lock. Null removes it.
   * @returns the new credential.
   */
  update(
    gateway: string,
    change: (kept: Credential | null) => Promise<Credential | null>,
    patienceMs?: number,
  ): Promise<Credential | null>;
}

export function credentialsFile(home: string): CredentialsFile {
  const folder = join(home, '.gateway');
  const path = join(folder, 'credentials.json');

  async function readAll(): Promise<Gateways> {
    const read = await readText(path);
    if (read.state === 'absent') return {};
    if (read.state !== 'read') throw new WrongUsage(`${path} cannot be read (${read.state}). ${FIXES[read.state]}`);
    await closeToOthers(path);
    const parsed = fileShape.check(jsonIn(read.text));
    if (parsed.ok) return parsed.value.gateways;
    throw new WrongUsage(`${path} is damaged. Remove it, then sign in again: gw login.`);
  }

  return {
    read: async (gateway) => (await readAll())[gateway] ?? null,
    async update(gateway, change, patienceMs) {
      await ownFolder(folder);
      const work = async (): Promise<Credential | null> => {
        const { [gateway]: kept, ...others } = await readAll();
        const changed = await change(kept ?? null);
        if (changed === null && kept === undefined) return null;
        const gateways = changed === null ? others : { ...others, [gateway]: changed };
        await replaceFile(path, `${JSON.stringify({ version: 1, gateways }, null, 2)}\n`);
        return changed;
      };
      return withLock(`${path}.lock`, work, patienceMs);
    },
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A file that was copied or restored from a backup may have lost its mode. */
async function closeToOthers(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null && (stats.mode & 0o077) !== 0) await chmod(path, 0o600).catch(() => undefined);
}
