import { resolve } from 'node:path';
import {
  type ClientCapabilities,
  RequestError,
  type ToolCallContent,
  type ToolCallLocation,
  type ToolKind,
} from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import type { Preview } from '../agent/types/index.ts';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { maskLine } from '../redaction/mask-line.ts';

/** Characters of a result that the editor is sent; the model gets its own part. */
const MOST_CHARACTERS = 20_000;

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  List: 'read',
  BashOutput: 'read',
  Search: 'search',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  Bash: 'execute',
  BashStop: 'execute',
  Fetch: 'fetch',
  Agent: 'think',
  Checklist: 'think',
};
const WITH_PATH = new Set(['Read', 'List', 'Search', 'Write', 'Edit', 'MultiEdit']);

/** How an editor shows a call: title, kind and the files it is about. */
export function headingOf(tool: string, target: string, cwd: string) {
  const locations: ToolCallLocation[] = WITH_PATH.has(tool) && target !== '' ? [{ path: resolve(cwd, target) }] : [];
  return {
    title: tool === 'Bash' ? target : `${tool} ${target}`.trim(),
    name: tool,
    kind: KINDS[tool] ?? ('other' as const),
    locations,
  };
}

/** What a call would do, or did. */
export function contentOf(preview: Preview, cwd: string): ToolCallContent[] {
  if (preview.kind === 'diff')
    return [{ type: 'diff', path: resolve(cwd, preview.path), oldText: preview.before, newText: preview.after }];
  if (preview.kind === 'command')
    return [textContent(fenceText(preview.command) + (preview.note === undefined ? '' : `\n${preview.note}`))];
  if (preview.kind === 'text') return [output(preview.text)];
  return [];
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Text of a tool, unchanged; of a long text only the end is shown. */
export function output(text: string): ToolCallContent {
  const left = text.length - MOST_CHARACTERS;
  if (left <= 0) return textContent(fenceText(text));
  return textContent(
    `${left} characters before this were left out.\n${fenceText(text.slice(-MOST_CHARACTERS).toWellFormed())}`,
  );
}

/** Any text as a fenced code block of Markdown. */
export function fenceText(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** What the editor lends to the agent, as it said when the connection began. */
export interface Offered {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly terminals: boolean;
  /** Notices of their own, apart from the answer. */
  readonly notices: boolean;
  /** Forms, for questions of the model. */
  readonly forms: boolean;
  readonly terminalSignIn: boolean;
}

export const NOTHING_OFFERED: Offered = readOffered(undefined);

export function readOffered(capabilities: ClientCapabilities | undefined): Offered {
  const { fs, terminal, session, elicitation, auth } = capabilities ?? {};
  return {
    reads: fs?.readTextFile === true,
    writes: fs?.writeTextFile === true,
    terminals: terminal === true,
    notices: session?.notices != null,
    forms: elicitation?.form != null,
    terminalSignIn: auth?.terminal === true,
  };
}

const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;
const AUTH_REQUIRED = -32000;

/** Runs a handler; what it throws becomes an error of the protocol whose message the editor shows. */
export async function answering<Result>(handle: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await handle();
  } catch (error) {
    throw requestErrorOf(error);
  }
}

function requestErrorOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = maskLine(errorMessage(error));
  if (error instanceof SignInNeeded) return new RequestError(AUTH_REQUIRED, message);
  return new RequestError(error instanceof WrongUsage ? INVALID_PARAMS : INTERNAL_ERROR, message);
}

/** The editor offers to sign in. */
export class SignInNeeded extends CommandFailed {}
