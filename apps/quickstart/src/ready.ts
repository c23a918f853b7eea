import { randomUUID } from 'node:crypto';
import { namedPermission, roleLabel } from '@gateway/contract/labels';
import { parseDatabaseAddress, withPool } from '@gateway/database';
import type { DatabaseAddresses } from './database.ts';
import type { ProfileName } from './options.ts';

/** Characters of a digest that are enough to find the entry again. */
const DIGEST_SHOWN = 12;

/** An entry of the decision log as one line for a person. */
export function decisionLine(entry: RecordedDecision): string {
  const { sequence, at, subject, permission, resource, outcome, reason, roles, digest } = entry;
  const who = [subject ?? 'nobody known', ...roles.map(roleLabel)].join(', ');
  const why = outcome === 'granted' ? '' : `, because ${reason}`;
  const when = new Date(at).toISOString();
  const mark = digest.slice(0, DIGEST_SHOWN);
  return `#${sequence} ${outcome} to ${who}: ${namedPermission(permission)} on ${resource}${why}, at ${when}, digest ${mark}…`;
}

/** What `npm start -- --json` prints when everything serves (client-32), and what the sentences are made of. */
export interface Ready {
  readonly profile: ProfileName;
  readonly gateway: string;
  readonly console: string;
  readonly engine: string;
  readonly database: DatabaseAddresses;
  readonly keys: { readonly admin?: string; readonly demo?: string };
  readonly endpoint: string | null;
  readonly license: string | null;
  readonly directory: {
    readonly issuer: string;
    readonly clientId: string;
    readonly subject: string;
    readonly authorityFile: string;
  } | null;
  readonly consoleSignIn: { readonly user: string; readonly password: string } | null;
  /** Of the auditor, where the person above may not read the logs. */
  readonly auditorSignIn: { readonly user: string; readonly password: string } | null;
  readonly stateDirectory: string;
}

/** The line that makes the same call in a shell. */
export function curlLine(ready: Ready): string {
  const body = JSON.stringify({ messages: [{ role: 'user', content: QUESTION }] });
  return [
    `curl ${ready.gateway}/${ready.endpoint}/v1/chat/completions`,
    `-H 'authorization: Bearer ${ready.keys.demo ?? ''}'`,
    "-H 'content-type: application/json'",
    `-d '${body}'`,
  ].join(' ');
}

function callLines(ready: Ready, call: RelayedCall | null): readonly string[] {
  if (call === null) return ['Nothing is declared (--bare).'];
  return [
    `One call through the endpoint "${ready.endpoint}" ${call.status === null ? 'could not be made' : `was answered with ${call.status}`}:`,
    `  ${call.answer.trim().replaceAll('\n', '\n  ')}`,
    `Decision log: ${call.decision === null ? 'no entry' : decisionLine(call.decision)}`,
  ];
}

/** What a person needs next, each with what to type or open. */
function nextSteps(ready: Ready, documentation: string | null, hasEngine: boolean): readonly string[] {
  const { consoleSignIn: signIn } = ready;
  const steps: readonly (readonly [title: string, what: string])[] = [
    ['Open the console', `${ready.console}${signIn ? `   user ${signIn.user}   password ${signIn.password}` : ''}`],
    ...(ready.keys.demo === undefined ? [] : ([['Make a call', curlLine(ready)]] as const)),
    ...(hasEngine
      ? []
      : ([['Connect an engine', 'npm start -- --engine http://localhost:11434 --model llama3.2']] as const)),
    ...(documentation === null ? [] : ([['Read the manual', documentation]] as const)),
  ];
  return steps.flatMap(([title, what], at) => [
    `${at + 1}. ${title.padEnd(TITLE_WIDTH)}  ${what}`,
    ...(at === 0
      ? [...certificateNotice(ready), ...twoPeople(ready)].map((line) => `${' '.repeat(TITLE_WIDTH + 5)}${line}`)
      : []),
  ]);
}

/** What the browser will show on the way to the sign-in, and why it is expected. */
function certificateNotice({ directory }: Ready): readonly string[] {
  if (directory === null) return [];
  return [
    `The browser warns once: the certificate of ${directory.issuer} was made on this machine.`,
    'Go on, or first let the browser trust its authority:',
    directory.authorityFile,
  ];
}

/** The accounts and their rights, in the profile where only two people together see everything. */
function twoPeople({ consoleSignIn, auditorSignIn, endpoint }: Ready): readonly string[] {
  if (consoleSignIn === null || auditorSignIn === null || endpoint === null) return [];
  const { user, password } = auditorSignIn;
  return [
    `The administrator "${consoleSignIn.user}" declares engines, installs policies and grants roles.`,
    `Only an auditor reads the logs and the policy in force: user ${user}   password ${password}`,
    'Nobody holds both roles. To change person, sign out first, or use a private window.',
  ];
}

const TITLE_WIDTH = 'Connect an engine'.length;

/**
 * The text for a person when everything serves.
 * @param documentation address of the pages under `/v`; null if there are none
 * @param hasEngine whether a real engine was given
 */
export function sentences(
  ready: Ready,
  call: RelayedCall | null,
  documentation: string | null,
  hasEngine: boolean,
): string {
  const other = ready.profile === 'serverless' ? 'on-premise' : 'serverless';
  return [
    '',
    `Profile ${ready.profile} (npm start -- --profile ${other} starts the other one).`,
    `Gateway   ${ready.gateway}`,
    `Database  ${ready.database.owner}`,
    `Data      ${ready.stateDirectory}`,
    '',
    ...callLines(ready, call),
    '',
    ...nextSteps(ready, documentation, hasEngine),
    '',
    'Ctrl-C ends everything.',
    '',
  ].join('\n');
}

/** The shown part of an entry of the decision log. */
interface RecordedDecision {
  readonly sequence: string;
  readonly at: Date | string;
  readonly subject: string | null;
  readonly permission: string;
  readonly resource: string;
  readonly outcome: string;
  readonly reason: string;
  readonly roles: readonly string[];
  readonly digest: string;
}

/** One call through the gateway, as a developer's client makes it, and its log entry. */
interface RelayedCall {
  /** Null where no answer came: the gateway cannot be reached in the way the caller of `npm start` set it up. */
  readonly status: number | null;
  /** What the engine said, the refusal's sentence, or why there is none. */
  readonly answer: string;
  /** The entry of the decision log, or null where there is none. */
  readonly decision: RecordedDecision | null;
}

const QUESTION = 'Say hello to the person who started you.';

function spoken(text: string): string {
  try {
    const body = JSON.parse(text) as { choices?: { message?: { content?: unknown } }[]; error?: unknown };
    const content = body.choices?.[0]?.message?.content;
    if (typeof content === 'string') return content;
    return typeof body.error === 'string' ? body.error : text;
  } catch {
    return text;
  }
}

async function decisionOf(ownerUrl: string, requestId: string): Promise<RelayedCall['decision']> {
  const owner = parseDatabaseAddress(ownerUrl);
  const [entry] = await withPool(
    owner,
    { max: 1, applicationName: 'npm start' },
    (sql) => sql<RecordedDecision[]>`
      select sequence::text, at, subject, permission, resource, outcome, reason, roles, encode(digest, 'hex') as digest
      from authorization_decisions where request_id = ${requestId}`,
  );
  return entry ?? null;
}

export async function relayOneCall(
  gateway: string,
  endpoint: string,
  key: string,
  ownerUrl: string,
): Promise<RelayedCall> {
  const requestId = randomUUID();
  try {
    const response = await fetch(`${gateway}/${endpoint}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-request-id': requestId },
      body: JSON.stringify({ model: endpoint, messages: [{ role: 'user', content: QUESTION }] }),
    });
    const answer = spoken(await response.text());
    return { status: response.status, answer, decision: await decisionOf(ownerUrl, requestId) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // `fetch` throws nothing else where the network fails
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    return { status: null, answer: cause, decision: null };
  }
}
