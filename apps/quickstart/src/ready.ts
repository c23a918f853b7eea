import type { DatabaseAddresses } from './database.ts';
import type { ProfileName } from './options.ts';
import { QUESTION, type RelayedCall } from './relayed-call.ts';

/** What `npm start -- --json` prints when everything serves (decisions §16), and what the sentences are made of. */
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
    'Its entry in the decision log:',
    `  ${call.decision === null ? 'none' : JSON.stringify(call.decision)}`,
    'The same call from a shell:',
    `  ${curlLine(ready)}`,
  ];
}

/**
 * What a person reads when everything serves.
 * @param documentation address of what is served under `/v`; null where nothing is
 */
export function sentences(ready: Ready, call: RelayedCall | null, documentation: string | null): string {
  const { consoleSignIn: signIn } = ready;
  const other = ready.profile === 'serverless' ? 'on-premise' : 'serverless';
  return [
    '',
    `Profile ${ready.profile} (npm start -- --profile ${other} starts the other one).`,
    '',
    ...callLines(ready, call),
    '',
    `Gateway   ${ready.gateway}`,
    `Console   ${ready.console}${signIn ? `   user ${signIn.user}   password ${signIn.password}` : ''}`,
    ...(documentation === null ? [] : [`Manual    ${documentation}`]),
    `Database  ${ready.database.owner}`,
    `Data      ${ready.stateDirectory}`,
    '',
    'Ctrl-C ends everything.',
    '',
  ].join('\n');
}
