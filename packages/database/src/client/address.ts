import { isIP } from 'node:net';

/** A database address that a person must fix. The message never contains the password. */
export class DatabaseAddressFault extends Error {
  override readonly name = 'DatabaseAddressFault';
}

/** A checked address. Made by `parseDatabaseAddress` alone. */
export interface DatabaseAddress {
  /** Host name, IP address, or the folder of a Unix socket (starts with `/`). */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** Verified TLS, or none for a connection within this machine. Never anything between. */
  readonly tls: { readonly ca: string | undefined } | null;
}

/** Parameters allowed in the address: none of them weakens the connection. */
const KNOWN_PARAMETERS = new Set(['host', 'application_name']);

/** Whether a parameter decides about encryption: `sslmode`, `ssl`, `sslrootcert`, `gssencmode`, `channel_binding`, … */
function decidesEncryption(name: string): boolean {
  return /^(ssl|tls|gss|channel_binding|require|krb)/i.test(name);
}

/** Whether traffic to this host stays on this machine: a socket folder, `localhost`, 127.0.0.0/8, ::1. */
function isLocal(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost') return true;
  return (isIP(host) === 4 && host.startsWith('127.')) || host === '::1';
}

/** An unescaped `/`, `?` or `#` in a password ends the host there; the rest would be shown, or looked up in the DNS. */
const UNENCODED = /^[^:]*:\/\/[^/?#]*[/?#].*@/s;
const ENCODE = 'In a user name or a password, write / as %2F, ? as %3F, # as %23 and @ as %40';

function parse(url: string): URL {
  if (UNENCODED.test(url)) throw new DatabaseAddressFault(`has an @ behind its host. ${ENCODE}`);
  // `postgres:///name?host=/folder` and `postgres://user@%2Ffolder/name` are no hosts to the URL parser.
  const socket = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)((?:%2[fF][^/?#:]*)?)(?=(?::\d+)?(?:[/?#]|$))/.exec(url);
  const text = socket ? `${socket[1]}socket.invalid${url.slice(socket[0].length)}` : url;
  try {
    const result = new URL(text);
    if (socket?.[2] && !result.searchParams.has('host')) result.searchParams.set('host', decodeURIComponent(socket[2]));
    return result;
  } catch {
    throw new DatabaseAddressFault(
      `is not a usable address: expected postgres://user:password@host:port/database. ${ENCODE}`,
    );
  }
}

function decode(part: string, what: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DatabaseAddressFault(`has a ${what} with a broken percent-encoding`);
  }
}

/**
 * Checks an address before anything connects to it (refusals-21). TLS is verified for every host that is not this
 * machine, and for this machine too when an authority is given.
 * @param options.ca PEM text of an authority that is trusted instead of the system's.
 * @throws DatabaseAddressFault with the rest of a sentence that begins with the variable's name.
 */
export function parseDatabaseAddress(url: string, options: { readonly ca?: string } = {}): DatabaseAddress {
  const address = parse(url.trim());
  if (address.protocol !== 'postgres:' && address.protocol !== 'postgresql:') {
    throw new DatabaseAddressFault('must begin with postgres:// or postgresql://');
  }
  for (const name of address.searchParams.keys()) {
    if (decidesEncryption(name)) {
      throw new DatabaseAddressFault(
        `carries the parameter ${name}: the address does not decide about encryption. Remove it; ` +
          'TLS is always verified for a host other than this machine, and an authority is given by its own variable',
      );
    }
    if (!KNOWN_PARAMETERS.has(name)) {
      throw new DatabaseAddressFault(`carries the parameter ${name}, which is not known here. Remove it`);
    }
  }
  const folder = address.searchParams.get('host');
  if (folder !== null && !folder.startsWith('/')) {
    throw new DatabaseAddressFault('has a host parameter that is not the folder of a socket (it must begin with /)');
  }
  const host = folder ?? address.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || host === 'socket.invalid') throw new DatabaseAddressFault('names no host');
  if (host.includes(',')) throw new DatabaseAddressFault('names more than one host: give one');
  const user = decode(address.username, 'user name');
  if (user === '') throw new DatabaseAddressFault('names no user');
  const database = decode(address.pathname.slice(1), 'database name');
  if (database === '' || database.includes('/')) throw new DatabaseAddressFault('names no database');
  const password = decode(address.password, 'password');
  return {
    host,
    port: address.port === '' ? 5432 : Number(address.port),
    database,
    user,
    password: password === '' ? undefined : password,
    tls: isLocal(host) && options.ca === undefined ? null : { ca: options.ca },
  };
}
