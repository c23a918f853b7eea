import { SENTENCES as HOSTED } from '#hosted-refusals';
import { SENTENCES as ON_PREMISE } from '#on-premise-refusals';
import { BRAND } from './author.ts';

/**
 * Every refusal of the service: code (the reason in the decision log), HTTP status and sentence, in one table
 * (refusals-1). A sentence is a template: `<name>` is filled from the refusal's details.
 */
const EVERYWHERE = {
  // On the wire, before anything is decided: not decisions, so never in the decision log
  'malformed-request': [400, 'Malformed request: <fault>.'],
  'request-too-slow': [408, 'The request did not arrive in time.'],
  'expectation-unknown': [417, 'The gateway supports only the expectation 100-continue.'],
  'too-many-headers': [431, 'The request has too many headers, or headers that are too long.'],
  ending: [503, 'This gateway is shutting down and accepts no new requests. Send the request again.'],
  'method-not-served': [501, 'Upgrade, CONNECT and TRACE are not served here.'],
  // The caller
  'credentials-missing': [401, `Missing credentials. Set apiKey in your ${BRAND} config.`],
  'key-unknown': [401, 'Unauthorized.'],
  'key-revoked': [401, 'Unauthorized.'],
  'key-expired': [401, 'Unauthorized.'],
  'account-disabled': [401, 'Unauthorized.'],
  'token-malformed': [401, 'Unauthorized.'],
  'token-algorithm': [401, 'Unauthorized.'],
  'token-signature': [401, 'Unauthorized.'],
  'token-issuer': [401, 'Unauthorized.'],
  'token-audience': [401, 'Unauthorized.'],
  'token-expired': [401, 'Unauthorized.'],
  'token-not-yet-valid': [401, 'Unauthorized.'],
  'token-claims': [401, 'Unauthorized.'],
  'token-subject-is-local': [401, 'Unauthorized.'],
  'directory-absent': [401, 'Unauthorized.'],
  'directory-unreachable': [503, 'Authorization decision could not be made, so the request was refused.'],
  // Revocation
  'subject-revoked': [403, 'Your access to this instance has been revoked. Contact the operator of this deployment.'],
  'session-revoked': [403, "This agent session was revoked by your organization's administration."],
  // Where to
  'endpoint-unknown': [404, 'Unknown endpoint: <name>'],
  'endpoint-disabled': [403, 'Endpoint "<name>" is disabled.'],
  // Rights
  'role-missing': [403, 'Your identity is recognised, but no role you hold carries the right to call this endpoint.'],
  'policy-forbids': [403, 'Your identity is recognised, but no role you hold carries the right to call this endpoint.'],
  'policy-error': [403, 'Your identity is recognised, but no role you hold carries the right to call this endpoint.'],
  'provider-excluded': [
    403,
    'Your identity is recognised, but no role you hold carries the right to call this endpoint.',
  ],
  // Secrets (relay-34)
  'secret-detected': [403, 'The request carries what looks like a secret (<kind>), so it was not relayed.'],
  'unreadable-body': [415, "The request's content coding could not be read, so it was not relayed."],
  'secret-answered': [502, 'The answer carries what looks like a secret (<kind>), so it was not served.'],
  // Fail closed
  undecided: [503, 'Authorization decision could not be made, so the request was refused.'],
  unrecorded: [503, 'Authorization decision could not be recorded, so the request was refused.'],
  // An entry of the decision log, and no answer to anybody
  'entries-missing': [503, 'The decision log of the database lacks entries that were written before.'],
  // Upstream
  'provider-key-missing': [500, 'Missing env variable: <name>'],
  'provider-unreachable': [502, '<message>'],
  'duration-cap': [504, 'The request exceeded the duration cap of <seconds> seconds.'],
  // Agent commands
  'execution-role-missing': [
    403,
    'Your identity is recognised, but no role you hold carries the right to run agent commands here.',
  ],
  'execution-policy-forbids': [
    403,
    'Your identity is recognised, but no role you hold carries the right to run agent commands here.',
  ],
  'execution-policy-error': [
    403,
    'Your identity is recognised, but no role you hold carries the right to run agent commands here.',
  ],
  'execution-undecided': [503, 'Authorization decision could not be made, so the command was refused.'],
  'execution-unrecorded': [503, 'Authorization decision could not be recorded, so the command was not run.'],
  'launcher-absent': [
    501,
    'This gateway runs no agent commands: no launcher is configured (GATEWAY_AGENT_LAUNCHER). The operator sets it to bubblewrap or process, and GATEWAY_AGENT_WORKDIR to a directory.',
  ],
  'command-body': [400, 'The request body must be a JSON object.'],
  'command-session': [400, 'session must be a non-empty string.'],
  'command-interpreter': [400, 'interpreteur must be a non-empty string.'],
  'command-arguments': [400, 'arguments must be an array of strings.'],
  'command-variables': [400, 'variablesSupplementaires must be an object.'],
  'command-variable': [400, 'variablesSupplementaires.<key> must be a string.'],
  'command-variable-too-long': [
    413,
    'variablesSupplementaires.<key> is longer than <bytes> bytes. Write the value to a file.',
  ],
  'command-unknown': [404, 'No such running command.'],
  'commands-at-limit': [429, 'This gateway already runs <limit> agent commands at once. Try again when one has ended.'],
  'subject-at-limit': [429, 'You already run <limit> agent commands at once. Try again when one has ended.'],
  // Workstation control plane
  'license-not-presented': [
    401,
    "This gateway serves its organization's policy only to a workstation that presents a valid license in the header Authorization, as a bearer token. Ask the administrator who deployed it.",
  ],
  'organization-unknown': [
    500,
    'This gateway is configured to serve the organization "<name>", which does not exist in its database.',
  ],
  'control-plane-unreadable': [503, 'The database could not be read. Send the request again.'],
  'acts-not-json': [400, 'the body is JSON'],
  'acts-refused': [400, 'acts refused - <reason>'],
  'acts-not-stored': [503, 'It is unknown whether the acts are stored. Send the batch again: each act is stored once.'],
  'directory-not-configured': [404, 'not_found'],
  // Bodies that this service reads itself
  'body-too-large': [413, 'The request body is larger than <bytes> bytes.'],
  // Bodies in memory, including relayed ones
  'bodies-full': [503, 'This gateway holds as many request bodies as its memory allows. Send the request again soon.'],
  // Documentation, search, query server
  'documentation-absent': [
    501,
    'This gateway serves no documentation: no directory is configured (GATEWAY_DOCS_DIR). Unpack the documentation archive and set GATEWAY_DOCS_DIR to the folder that holds its archive.json.',
  ],
  'documentation-read-only': [405, 'Documentation is read-only: only GET and HEAD are served under this path.'],
  'documentation-version': [
    404,
    'This gateway serves documentation version <installed>, at <base>. Version <requested> is not installed here.',
  ],
  'documentation-path': [400, 'Not a documentation path.'],
  'documentation-page': [404, 'No such documentation page.'],
  'documentation-changing': [503, 'The documentation is being replaced. Try again in a few seconds.'],
  'search-absent': [
    501,
    'This gateway serves no documentation, so it cannot answer questions about it (GATEWAY_DOCS_DIR is not set). Unpack the documentation archive and set GATEWAY_DOCS_DIR to the folder that holds its archive.json.',
  ],
  'search-corpus-absent': [
    501,
    'The documentation installed here carries no llms-full.txt, so no question can be answered from it. Its pages are served; only search is unavailable.',
  ],
  'search-read-only': [405, 'Documentation search is read-only: only GET and HEAD are served at this path.'],
  'search-question-missing': [
    400,
    'Ask a question with the "q" query parameter, for example /v/_search?q=<words>. Add "limit" to ask for fewer or more passages.',
  ],
  'search-question-too-long': [400, 'A question holds at most <most> characters.'],
  'query-server-post-only': [
    405,
    'This MCP endpoint answers POST only. It is stateless and opens no event stream. To read the same answers without MCP, use /v/_search?q=...',
  ],
  'query-server-body': [400, 'This MCP endpoint expects a single JSON-RPC 2.0 message as the request body.'],
  'query-server-origin': [403, 'This MCP endpoint does not serve pages of another origin.'],
  // Console: access; the profiles define the texts about sign-in
  'cross-site': [
    403,
    'A page of another site sent the request, so it was refused. Behind a proxy, forward the header Host (the console got "<host>"), or set CONSOLE_PUBLIC_URL.',
  ],
  'permission-missing': [
    403,
    'Your identity is recognised, but you hold no role that carries <permission> here. The role <role> carries it.',
  ],
  'sign-in-throttled': [429, 'Too many failed sign-ins came from this address. Try again in <seconds> seconds.'],
  // Console: the request
  'address-unknown': [404, 'This console has no such address.'],
  'thing-unknown': [404, 'There is no such <kind>.'],
  'thing-taken': [409, 'There is another <kind> with this <field>.'],
  'thing-referred-to': [409, 'This <kind> cannot be deleted: <by> refers to it.'],
  'roles-exclude': [409, 'One subject cannot hold a role of administration and the role of auditor at the same time.'],
  'member-privileged': [
    409,
    'This member holds a role of the whole instance, so a project does not decide about its account.',
  ],
  'member-disabled-by-instance': [
    409,
    'An instance administrator disabled this account, so only an instance administrator can enable it.',
  ],
  'header-repeated': [400, 'The request has the header <name> more than once, so it was refused.'],
  'input-media-type': [415, 'The request body must be sent as application/json.'],
  'input-too-large': [413, 'The request body is larger than <bytes> bytes.'],
  'input-unreadable': [400, 'The request body must be a JSON object.'],
  'input-faulty': [400, '<faults>'],
  'pages-absent': [
    503,
    'This artifact was built without the pages of the console. Its API works; run the build to have both.',
  ],
  'database-silent': [503, 'The database did not answer in time. Check what is stored before you try again.'],
  'console-fault': [500, 'The console failed to answer. Read the cause on its error output.'],
} as const satisfies Record<string, readonly [number, string]>;

const TABLE = { ...EVERYWHERE, ...HOSTED, ...ON_PREMISE };

export type RefusalCode = keyof typeof TABLE;

/** A refusal as a value: never thrown; one function turns it into an answer and a log entry. */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  readonly code: Code;
  /** What fills the sentence's `<placeholders>`. Never a secret. */
  readonly details: Readonly<Record<string, string>>;
  /** Members besides `error` in the envelope (refusals-1). */
  readonly members: Readonly<Record<string, unknown>>;
  /** Headers the answer carries besides the envelope's own. */
  readonly headers: Readonly<Record<string, string>>;
}

export const REFUSAL_CODES = Object.keys(TABLE) as readonly RefusalCode[];

export function refusal<Code extends RefusalCode>(
  code: Code,
  parts: Partial<Omit<Refusal<Code>, 'code'>> = {},
): Refusal<Code> {
  return { code, details: parts.details ?? {}, members: parts.members ?? {}, headers: parts.headers ?? {} };
}

export function statusOf(refused: { readonly code: RefusalCode }): number {
  return TABLE[refused.code][0];
}

/** The sentence a caller reads, its placeholders filled from the details. */
export function sentenceOf(refused: Pick<Refusal, 'code' | 'details'>): string {
  return TABLE[refused.code][1].replace(/<(\w+)>/g, (_, name: string) => refused.details[name] ?? '');
}

/** The JSON envelope `{error, …members}` (refusals-1). */
export function envelopeOf(refused: Refusal): Record<string, unknown> {
  return { error: sentenceOf(refused), ...refused.members };
}
