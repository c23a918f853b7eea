import * as z from 'zod';
import { type Refusal, refusal } from './refusals.ts';
import { characters, isStorable, storableText } from './text.ts';

/** One command of an agent session, as its caller requests it (commands-2). */
export interface Command {
  readonly session: string;
  /** The parent session, if the caller names one (workstation-10). */
  readonly parentSession: string | null;
  /** The program that runs: a name looked up on the path, or a path. */
  readonly interpreter: string;
  readonly arguments: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** `sansFluxDeSortie`: no `sortie` events. */
  readonly silent: boolean;
}

/** Bytes of one variable's name and value. The kernel takes 128 KiB, a sandbox passes both as arguments: longer values belong in a file. */
export const LONGEST_VARIABLE_BYTES = 65_536;

/** A text the operating system takes as a word: a NUL would end it early. */
const isWord = (value: unknown): value is string => typeof value === 'string' && isStorable(value);
const isName = (value: unknown): value is string => isWord(value) && value !== '';
/** UTF-16 code units of a session's name. Longer ones could not be revoked: the database could not keep them in its indexes. */
export const LONGEST_SESSION = 800;

/**
 * Whether a text can name a session. Every name allowed here can be revoked: blanks at the ends, control characters and direction
 * overrides included.
 */
export function isSessionName(text: unknown): text is string {
  return isName(text) && text.length <= LONGEST_SESSION;
}

function isRelative(session: unknown): session is string {
  return isName(session) && characters(session) <= MAXIMUM_SESSION;
}

/**
 * The command that a body requests, or the first refusal that applies (commands-2). Nothing is completed with empty values. An
 * invalid name of an environment variable (empty, or with `=`) is refused with the sentence for its value, since the list of
 * sentences is closed.
 */
export function parseCommand(body: unknown): { readonly command: Command } | { readonly refused: Refusal } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { refused: refusal('command-body') };
  const members: Readonly<Record<string, unknown>> = { ...body };
  const { session, parentSession = null } = members;
  if (!isSessionName(session)) return { refused: refusal('command-session') };
  if (parentSession !== null && !(isRelative(session) && isRelative(parentSession))) {
    return { refused: refusal('command-session') };
  }
  if (!isName(members['interpreteur'])) return { refused: refusal('command-interpreter') };
  const words = members['arguments'];
  if (!Array.isArray(words) || !words.every(isWord)) return { refused: refusal('command-arguments') };
  const given = members['variablesSupplementaires'];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { refused: refusal('command-variables') };

  const variables = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    if (!isName(key) || key.includes('=') || !isWord(value)) {
      return { refused: refusal('command-variable', { details: { key } }) };
    }
    if (Buffer.byteLength(key) + Buffer.byteLength(value) > LONGEST_VARIABLE_BYTES) {
      return {
        refused: refusal('command-variable-too-long', { details: { key, bytes: String(LONGEST_VARIABLE_BYTES) } }),
      };
    }
    variables.set(key, value);
  }
  return {
    command: {
      session,
      parentSession,
      interpreter: members['interpreteur'],
      arguments: words,
      variables,
      silent: members['sansFluxDeSortie'] === true,
    },
  };
}

/** Which of a command's two outputs. */
export type OutputStream = 'stdout' | 'stderr';

/** What a caller reads while its command runs, one JSON object a line (commands-4). */
export type CommandEvent =
  | { readonly evenement: 'demarre'; readonly identifiant: string; readonly session: string; readonly a: string }
  | { readonly evenement: 'sortie'; readonly flux: OutputStream; readonly donnees: string }
  | {
      readonly evenement: 'fin';
      /** Exit code, or null where a signal ended it or it never ran. */
      readonly code: number | null;
      readonly signal: string | null;
      /** Whether the gateway ended it: at the caller's wish, at a revocation, at a limit. */
      readonly interrompu: boolean;
      readonly dureeMs: number;
    }
  | {
      readonly evenement: 'erreur';
      readonly message: string;
      /** Of an output that was cut off before a secret (commands-13). */
      readonly code?: 'secret-detected';
      readonly kinds?: readonly string[];
    };

/** Media type of the stream: JSON objects, each terminated by a newline. */
export const COMMAND_EVENTS_TYPE = 'application/x-ndjson; charset=utf-8';

/** One event as sent, its newline included. */
export function commandEventLine(event: CommandEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Process output as an event: base64, since output need not be text (commands-4). */
export function outputEvent(flux: OutputStream, { buffer, byteOffset, byteLength }: Uint8Array): CommandEvent {
  return { evenement: 'sortie', flux, donnees: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

/** Maximum number of acts in a batch (limits-3). */
export const MAXIMUM_ACTS = 500;
/** The most characters of an act's reason (limits-3). */
export const MAXIMUM_REASON = 300;
/** The most characters of a session's name that has relatives: the names of child and parent share an index entry. */
export const MAXIMUM_SESSION = 300;

const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

const session = storableText(1, MAXIMUM_SESSION);
/** In UTC and milliseconds from here on: the database takes fewer zones and shorter fractions than ISO 8601 has. */
const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant', abort: true })
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST, 'must lie between 1970 and 9999')
  .transform((text) => new Date(text).toISOString());

/** A value of a closed list. */
function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/**
 * One tool call of an agent (workstation-6). These members are all: anything else (parameters, content, conversation) is refused,
 * so that it can never be stored.
 */
const agentActSchema = z.strictObject(
  {
    id: z.uuid('must be a UUID'),
    session,
    parentSession: session.exactOptional(),
    /** As the workstation declares it (workstation-6). */
    subject: storableText(1, 400),
    at: instant,
    tool: storableText(1, 200),
    /** Names a thing; it must not contain content. */
    target: z.strictObject(
      { kind: oneOf(['path', 'command', 'host']), value: storableText(1, 8192) },
      { error: objectFault },
    ),
    authorizedBy: oneOf(['policy', 'human', 'automatic']),
    outcome: oneOf(['succeeded', 'failed', 'refused', 'interrupted']),
    reason: storableText(0, MAXIMUM_REASON).exactOptional(),
  },
  { error: objectFault },
);

export type AgentAct = z.infer<typeof agentActSchema>;

/** The acts of a batch, or why the whole batch is refused: the words after `acts refused - `. */
export function parseActBatch(body: unknown): { readonly acts: readonly AgentAct[] } | { readonly refused: string } {
  if (typeof body !== 'object' || body === null || !('acts' in body) || !Array.isArray(body.acts)) {
    return { refused: 'the body is an object whose member acts is a list' };
  }
  const stranger = Object.keys(body).find((member) => member !== 'acts');
  if (stranger !== undefined) return { refused: `the body has one member, acts; ${quote(stranger)} is not one` };

  const acts: AgentAct[] = [];
  for (const [index, candidate] of body.acts.entries()) {
    // Faults are named in the order of the acts, so an early fault precedes the excess at the end.
    if (index === MAXIMUM_ACTS) return { refused: `act #${index + 1}: a batch holds at most ${MAXIMUM_ACTS} acts` };
    const parsed = agentActSchema.safeParse(candidate);
    if (!parsed.success) return { refused: `act #${index + 1}: ${reasonOf(parsed.error)}` };
    acts.push(parsed.data);
  }
  return { acts };
}

/** The first fault in words that never repeat a value. */
function reasonOf(error: z.ZodError): string {
  const [fault] = error.issues;
  if (fault === undefined) return 'must be an act';
  const path = fault.path.map(String).join('.');
  return path === '' ? fault.message : `${path} ${fault.message}`;
}

function objectFault(issue: { readonly code?: string; readonly keys?: readonly string[] }): string {
  const [stranger] = issue.keys ?? [];
  return stranger === undefined ? 'must be an object' : `must not hold the field ${quote(stranger)}`;
}

function quote(member: string): string {
  return JSON.stringify(member.slice(0, 60));
}

/** Prefixes of this product's variables, and those of the runtime and its libraries. */
const PREFIXES = /^(?:ADMIN|CONSOLE|DATABASE|GATEWAY|LD|NODE|NPM|OIDC|OPENSSL|SSL|TLS|UPSTREAM)_|^PG[A-Z]+$/i;

/**
 * Credentials of clouds and their tools, which a machine may have beside the keys of engines. Not among them: names that engines use
 * themselves (AZURE_OPENAI_API_KEY, AWS_BEARER_TOKEN_BEDROCK, GOOGLE_API_KEY).
 */
const CLOUD =
  /^(?:ALIBABA_CLOUD|ARM|CLOUDSDK|KUBERNETES|OCI|TF|VAULT)_|^AWS_(?!BEARER_TOKEN_BEDROCK$)|^AZURE_(?:CLIENT|FEDERATED|PASSWORD|STORAGE|SUBSCRIPTION|TENANT|USERNAME)|^(?:DIGITALOCEAN_ACCESS_TOKEN|GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CREDENTIALS|HCLOUD_TOKEN|KUBECONFIG)$/i;

/** Others that the programs, their database client or the proxies' clients read. */
const NAMES: ReadonlySet<string> = new Set([
  'ALL_PROXY',
  'FTP_PROXY',
  'HOME',
  'HOST',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'PATH',
  'PORT',
  'PWD',
  'TMPDIR',
]);

/**
 * Whether the programs themselves use a variable, or it holds credentials of a cloud, in any case. An operator may not name it as a provider's key, because its value
 * would be sent there (console-12). The console refuses the name, and the gateway reads no key from it.
 */
export function isOwnVariable(name: string): boolean {
  return PREFIXES.test(name) || CLOUD.test(name) || NAMES.has(name.toUpperCase());
}

/** Codes under which a TLS connection fails whose certificate is of an authority that is not among those that count. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** Whether a configured authority fixes it: the variable for it depends on the peer. */
export function isUntrustedAuthority(code: string): boolean {
  return UNTRUSTED.has(code);
}
