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
/** A sign-in at an MCP server: what its authorization server (OAuth) issued. */
const serverShape = s.object({
  authorizationServer: s.string(),
  /** RFC 8707; null where the server names none. */
  resource: s.string().nullable(),
  /** As the authorization server registered this client (RFC 7591). */
  client: s.object({
    client_id: s.string(),
    client_secret: s.string().optional(),
    token_endpoint_auth_method: s.string().optional(),
  }),
  accessToken: s.string(),
  refreshToken: s.string().nullable(),
});
const fileShape = s.object({
  version: s.literal(1),
  /** By the gateway's base address. */
  gateways: s.record(s.union([keyShape, tokenShape])),
  /** By the server's address. */
  servers: s.record(serverShape).optional(),
});

export type KeyCredential = s.Infer<typeof keyShape>;
export type TokenCredential = s.Infer<typeof tokenShape>;
export type Credential = KeyCredential | TokenCredential;
export type ServerSignIn = s.Infer<typeof serverShape>;
interface Sections {
  readonly gateways: Readonly<Record<string, Credential>>;
  readonly servers: Readonly<Record<string, ServerSignIn>>;
}

/** What signing in keeps: `~/.gateway/credentials.json`, which its owner alone can read. */
export interface CredentialsFile extends CredentialsSection<Credential> {
  /** The sign-ins at MCP servers. */
  readonly servers: CredentialsSection<ServerSignIn>;
}
export interface CredentialsSection<T> {
  /** @param address of the gateway or the server */
  read(address: string): Promise<T | null>;
  /**
   * Replaces the credential of an address by the result of `change`, under a lock. Null removes it.
   * @returns the new credential.
   */
  update(address: string, change: (kept: T | null) => Promise<T | null>, patienceMs?: number): Promise<T | null>;
}

export function credentialsFile(home: string): CredentialsFile {
  const folder = join(home, '.gateway');
  const path = join(folder, 'credentials.json');

  async function readAll(): Promise<Sections> {
    const read = await readText(path);
    if (read.state === 'absent') return { gateways: {}, servers: {} };
    if (read.state !== 'read') throw new WrongUsage(`${path} cannot be read (${read.state}). ${FIXES[read.state]}`);
    await closeToOthers(path);
    const parsed = fileShape.check(jsonIn(read.text));
    if (parsed.ok) return { servers: {}, ...parsed.value };
    throw new WrongUsage(`${path} is damaged. Remove it, then sign in again: gw login.`);
  }

  const section = <T>(
    valuesOf: (all: Sections) => Readonly<Record<string, T>>,
    withValues: (all: Sections, values: Readonly<Record<string, T>>) => Sections,
  ): CredentialsSection<T> => ({
    read: async (address) => valuesOf(await readAll())[address] ?? null,
    async update(address, change, patienceMs) {
      await ownFolder(folder);
      const work = async (): Promise<T | null> => {
        const all = await readAll();
        const { [address]: kept, ...others } = valuesOf(all);
        const changed = await change(kept ?? null);
        if (changed === null && kept === undefined) return null;
        const { gateways, servers } = withValues(all, changed === null ? others : { ...others, [address]: changed });
        const more = Object.keys(servers).length === 0 ? {} : { servers };
        await replaceFile(path, `${JSON.stringify({ version: 1, gateways, ...more }, null, 2)}\n`);
        return changed;
      };
      return withLock(`${path}.lock`, work, patienceMs);
    },
  });

  return {
    ...section<Credential>(
      ({ gateways }) => gateways,
      (all, gateways) => ({ ...all, gateways }),
    ),
    servers: section<ServerSignIn>(
      ({ servers }) => servers,
      (all, servers) => ({ ...all, servers }),
    ),
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
