import { StringDecoder } from 'node:string_decoder';
import type { CommandEvent } from '@gateway/contract';
import { ModelRefused } from '../agent/types/index.ts';
import { type HttpAnswer, type Post, sentenceOf } from '../models/http.ts';
import { networkReason, originOf } from '../process/network.ts';
import {
  type CommandEnd,
  CommandRefused,
  type CommandRequest,
  type CommandRunner,
  type RunningCommand,
} from './jobs.ts';

/** Milliseconds after an interrupt before the connection is cut, which interrupts the command, too. The gateway kills after 5 s. */
const INTERRUPT_MS = 8000;

/** As on the workstation: no program may wait for input. */
const VARIABLES = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' };

export interface GatewayRunnerOptions {
  /** Base address of the gateway, without a slash at its end. */
  readonly gateway: string;
  readonly post: Post;
  /** What proves the user's identity to the gateway; null sends nothing. */
  readonly proof: () => Promise<string | null>;
}

/**
 * Runs commands in the gateway's agent execution: in a directory of the session there, not in the project. A command that
 * the gateway refuses is not run on this machine instead.
 */
export function createGatewayRunner({ gateway, post, proof }: GatewayRunnerOptions): CommandRunner {
  const base = `${gateway}/_agent-execution/commands`;
  const origin = originOf(gateway);

  async function send(url: string, body: object | null, signal: AbortSignal): Promise<HttpAnswer> {
    const key = await proof();
    const headers = {
      accept: 'application/x-ndjson, application/json',
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    };
    return post(url, headers, body === null ? '' : JSON.stringify(body), signal);
  }

  return {
    location: `the gateway ${origin}`,
    async start(request, output) {
      const controller = new AbortController();
      let answer: HttpAnswer;
      try {
        answer = await send(base, bodyOf(request), controller.signal);
      } catch (error) {
        throw new CommandRefused(
          `The command was not run: ${origin} cannot be reached: ${networkReason(error)} Your organization's policy lets commands run only there.`,
        );
      }
      if (answer.status !== 200) throw await refusalOf(answer, origin);
      return follow(answer, output, {
        interrupt: (identifier) => send(`${base}/${encodeURIComponent(identifier)}/interrupt`, null, controller.signal),
        cut: () => controller.abort(new Error('The command was stopped.')),
      });
    },
  };
}

function bodyOf({ command, session, parentSession }: CommandRequest): object {
  return {
    session,
    ...(parentSession === undefined ? {} : { parentSession }),
    interpreteur: 'bash',
    arguments: ['-c', command],
    variablesSupplementaires: VARIABLES,
  };
}

/** A session that was revoked ends; any other refusal is a fault of this command. */
async function refusalOf(answer: HttpAnswer, origin: string): Promise<Error> {
  const sentence = (await sentenceOf(answer)) ?? `${origin} answered ${answer.status}.`;
  if (answer.headers['x-gateway-session-standing'] === 'revoked')
    return new ModelRefused(sentence, answer.status, true);
  return new CommandRefused(`The gateway did not run the command (${answer.status}): ${sentence}`);
}

interface Control {
  readonly interrupt: (identifier: string) => Promise<HttpAnswer>;
  /** Closes the connection: the gateway then interrupts the command. */
  readonly cut: () => void;
}

/** Reads a command's events until its end. */
function follow(answer: HttpAnswer, output: (text: string) => void, { interrupt, cut }: Control): RunningCommand {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let identifier: string | null = null;
  let fault: string | undefined;
  let stopped = false;

  function endOf({ code, signal, interrompu }: Extract<CommandEvent, { evenement: 'fin' }>): CommandEnd {
    const cause = fault ?? (interrompu && !stopped ? 'The gateway ended it.' : undefined);
    return { code, signal, ...(cause === undefined ? {} : { fault: cause }) };
  }

  async function read(): Promise<CommandEnd> {
    try {
      for await (const event of commandEvents(answer.body)) {
        if (event.evenement === 'demarre') identifier = event.identifiant;
        else if (event.evenement === 'sortie') output(decoders[event.flux].write(Buffer.from(event.donnees, 'base64')));
        else if (event.evenement === 'erreur') fault = event.message;
        else return endOf(event);
      }
      return {
        code: null,
        signal: null,
        fault: fault ?? 'The gateway closed the connection before the command ended.',
      };
    } catch (error) {
      if (stopped) return { code: null, signal: 'SIGKILL' };
      return { code: null, signal: null, fault: `The connection to the gateway broke: ${networkReason(error)}` };
    }
  }

  const ended = read();
  return {
    ended,
    async stop() {
      stopped = true;
      const timer = setTimeout(cut, INTERRUPT_MS);
      // Without an identifier, or where it is not known any more, cutting the connection interrupts the command.
      const interrupted = identifier === null ? null : await interrupt(identifier).catch(() => null);
      if (interrupted?.status !== 200) cut();
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Characters of one event, at most: the gateway sends output in pieces of far less. */
const LONGEST_LINE = 16 * 2 ** 20;

/** The events of a command as its answer brings them, one JSON object a line. Events of another kind are left out. */
export async function* commandEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<CommandEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('it sent a line that is too long');
    for (const line of lines) {
      const event = eventIn(line);
      if (event !== null) yield event;
    }
  }
}

function eventIn(line: string): CommandEvent | null {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('it sent a line that is not JSON');
  }
  const event = (value ?? {}) as Readonly<Record<string, unknown>>;
  switch (event['evenement']) {
    case 'demarre':
      return typeof event['identifiant'] === 'string' ? (value as CommandEvent) : null;
    case 'sortie':
      return typeof event['donnees'] === 'string' && (event['flux'] === 'stdout' || event['flux'] === 'stderr')
        ? (value as CommandEvent)
        : null;
    case 'erreur':
      return typeof event['message'] === 'string' ? (value as CommandEvent) : null;
    case 'fin':
      return {
        evenement: 'fin',
        code: typeof event['code'] === 'number' ? event['code'] : null,
        signal: typeof event['signal'] === 'string' ? event['signal'] : null,
        interrompu: event['interrompu'] === true,
        dureeMs: Number(event['dureeMs'] ?? 0),
      };
    default:
      return null;
  }
}
