import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sourceAddressOf } from '@gateway/configuration';
import {
  COMMAND_EVENTS_TYPE,
  type Command,
  type Decision,
  type Permission,
  parseCommand,
  type Refusal,
  refusal,
  statusOf,
} from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { RelayFacts } from '@gateway/domain/call/facts';
import { type Identified, identify } from '../auth/identify.ts';
import { resolveSubject } from '../auth/subject.ts';
import { answerJson, answerNoRoute, answerRefusal } from '../http/answer.ts';
import { parseJson, readBody } from '../http/body.ts';
import type { Head } from '../http/head.ts';
import { discardRest } from '../http/linger.ts';
import type { Handler } from '../http/routes.ts';
import type { Inspector } from '../inspection/inspectors.ts';
import { DATABASE_BUDGET } from '../store/database.ts';
import { decisionFor, LONGEST_TEXT, recordable } from '../store/records.ts';
import type { Execution } from './execution.ts';
import type { ExecutionPorts } from './ports.ts';

/** The right required to run or interrupt agent commands. */
const LAUNCH: Permission = 'execution:lancer';

/** A request to the agent execution routes, with its data for the log. */
export interface Asked {
  readonly head: Head;
  readonly method: string;
  /** The request's target as written. */
  readonly target: string;
  readonly sourceAddress: string | null;
}

/** How far a request had progressed at its decision. */
interface Standing {
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
}

/** A subject that may run commands, as the database confirmed a moment ago. */
interface Permitted extends Standing {
  readonly identified: Identified;
  readonly facts: RelayFacts;
  readonly subject: string;
}

/** The decision on a request; a refusal contains what was known by then. */
type Admission = Permitted | (Standing & { readonly refused: Refusal });

/**
 * Credentials, revocations, license, rights: the order of the relay (commands-1). Looks at the
 * proof and reads the database again at every call.
 * @param session of the command, once its body was read
 */
export async function permit(asked: Asked, session: string | null, ports: ExecutionPorts): Promise<Admission> {
  const identified = await identify(asked.head, ports.directory);
  if ('code' in identified) return { refused: forCommands(identified), identified: null, facts: null };
  const facts = await readFacts(identified, session, ports);
  if ('code' in facts) return { refused: facts, identified, facts: null };
  const { identity } = identified;
  if (identity.kind === 'directory' && facts.account === null) ports.directory?.met(identity.subject);
  const refused = await refusalOf(asked, identified, facts, session, ports);
  if ('subject' in refused) return { ...refused, identified, facts };
  return { refused: forCommands(refused), identified, facts };
}

async function readFacts(
  { identity }: Identified,
  session: string | null,
  ports: ExecutionPorts,
): Promise<RelayFacts | Refusal> {
  try {
    return await ports.facts.read({ identity, endpoint: '', session }, performance.now() + DATABASE_BUDGET);
  } catch {
    return refusal('execution-undecided');
  }
}

async function refusalOf(
  { method, target, sourceAddress }: Asked,
  identified: Identified,
  facts: RelayFacts,
  session: string | null,
  { license, authorizer, clock }: ExecutionPorts,
): Promise<{ readonly subject: string } | Refusal> {
  const deadline = performance.now() + DATABASE_BUDGET;
  const resolved = resolveSubject(identified, facts);
  if ('code' in resolved) return resolved;
  const { subject } = resolved;
  const unlicensed = license === null ? null : await license(subject, deadline);
  if (unlicensed !== null) return unlicensed;
  const call = { session, method, path: target, sourceAddress, at: new Date(clock()) };
  const query = { subject, roles: facts.roles, permission: LAUNCH, resource: { type: 'Instance' }, call } as const;
  return (await authorizer(query, facts.policy, deadline)) ?? resolved;
}

/** The same cause in the words of these routes (commands-1). */
const WORDS = {
  undecided: 'execution-undecided',
  'directory-unreachable': 'execution-undecided',
  'role-missing': 'execution-role-missing',
  'policy-forbids': 'execution-policy-forbids',
  'policy-error': 'execution-policy-error',
} as const;

function forCommands(refused: Refusal): Refusal {
  const codes: Readonly<Record<string, Refusal['code']>> = WORDS;
  const code = Object.hasOwn(codes, refused.code) ? codes[refused.code] : undefined;
  return code === undefined ? refused : { ...refused, code };
}

/** The subject of a decision: the program of a command, or the command to interrupt. */
interface Subject {
  readonly name: string | null;
  readonly session: string | null;
}

/** The entry of a decision on an agent command: never its words. */
function commandDecision(
  { head, sourceAddress }: Asked,
  { identified, facts }: Standing,
  { name, session }: Subject,
  refused: Refusal | null,
  now: number,
): Decision {
  const resource = name === null ? 'command' : `command:${recordable(name, LONGEST_TEXT)}`;
  const judged = {
    head,
    sourceAddress,
    identified,
    facts,
    permission: LAUNCH,
    resource,
    session,
    granted: 'role',
  } as const;
  return decisionFor(judged, refused, now);
}

/** Bytes of a command's body: more than the operating system takes as the words of one program. */
const MOST_BODY = 4 * 2 ** 20;

/** Bytes of a body that is read before the caller is identified, and milliseconds to wait for it. */
const SMALL_BODY = 2 ** 16;
const EARLY = 10;

const COMMANDS = '/commands';
const INTERRUPT = /^\/commands\/([^/]+)\/interrupt$/;
const NOTHING: Subject = { name: null, session: null };

/** The two routes below `/_agent-execution` (commands-1). */
export function createExecutionHandler(ports: ExecutionPorts): Handler {
  return (request, response, head, rest) => {
    const [path = ''] = rest.split('?', 1);
    const interrupted = INTERRUPT.exec(path)?.[1];
    if (request.method !== 'POST' || (path !== COMMANDS && interrupted === undefined)) {
      discardRest(request);
      answerNoRoute(response);
      return;
    }
    const call = new CommandCall(request, response, head, ports);
    const served = interrupted === undefined ? call.run() : call.interrupt(decode(interrupted));
    served.catch((error: unknown) => {
      ports.report(`An agent command failed inside the gateway: ${errorMessage(error)}`, 'error');
      call.answer(refusal('execution-undecided'));
    });
  };
}

/** One request on its way: permit → launcher → body → session → slot → record → run. */
class CommandCall {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #ports: ExecutionPorts;
  readonly #asked: Asked;
  #body: ReturnType<typeof readBody> | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, head: Head, ports: ExecutionPorts) {
    this.#request = request;
    this.#response = response;
    this.#ports = ports;
    this.#asked = {
      head,
      method: request.method ?? '',
      target: request.url ?? '',
      sourceAddress: sourceAddressOf(request.socket.remoteAddress, head.forwardedFor, ports.trustedProxies),
    };
  }

  async run(): Promise<void> {
    const early = await this.#earlyCommand();
    const known = early !== null && 'interpreter' in early ? early : null;
    const admitted = await this.#admit(known === null ? NOTHING : aboutOf(known), known?.session ?? null);
    if (admitted === null) return;
    const { execution, permitted } = admitted;
    const command = early ?? (await this.#command());
    if (command === null) return;
    if ('code' in command) return this.#refuse(permitted, NOTHING, command);
    const about = aboutOf(command);
    const admission = await this.#inItsSession(execution, permitted, command, known !== null);
    if ('refused' in admission) return this.#refuse(admission, about, admission.refused);
    const slot = execution.takeSlot(admission.subject);
    if ('refused' in slot) return this.#refuse(admission, about, slot.refused);
    try {
      const unseated = await this.#ports.seat?.(admission.subject, performance.now() + DATABASE_BUDGET);
      if (unseated) this.#refuse(admission, about, forCommands(unseated));
      else await this.#start(execution, admission, command, about);
    } finally {
      slot.release();
    }
  }

  /**
   * Authorizes again with the command's session and its parent if the first check did not know them (commands-1). Revoking the
   * parent revokes the session before anything of it runs (workstation-10).
   */
  async #inItsSession(
    execution: Execution,
    permitted: Permitted,
    { session, parentSession }: Command,
    looked: boolean,
  ): Promise<Admission> {
    const admission = looked ? permitted : await this.#in(session);
    if ('refused' in admission || parentSession === null) return admission;
    const ofParent = await this.#in(parentSession);
    if (!('refused' in ofParent) || ofParent.refused.code !== 'session-revoked') return ofParent;
    // Kept before it is answered: the session is revoked from now on, also where it names no parent.
    return execution.recordDescent({ subject: permitted.subject, session }, parentSession).then(
      () => ofParent,
      () => ({ ...ofParent, refused: refusal('execution-unrecorded') }),
    );
  }

  #in(session: string): Promise<Admission> {
    return permit(this.#asked, session, this.#ports);
  }

  /** The approval and the start are durable before anything of the command runs; what cannot be recorded is not run. */
  async #start(execution: Execution, permitted: Permitted, command: Command, about: Subject): Promise<void> {
    const inspector = await this.#inspector(permitted);
    if (inspector === null) return this.#refuse(permitted, about, refusal('execution-undecided'));
    const decision = commandDecision(this.#asked, permitted, about, null, this.#ports.clock());
    const { subject, facts } = permitted;
    const policy = facts.organizationPolicy;
    const registered = facts.account !== null;
    const granted = { identifier: decision.id, subject, registered, command, policy, inspector };
    const [approved, begun] = await Promise.allSettled([
      this.#ports.decisions.append(decision, performance.now() + DATABASE_BUDGET),
      execution.recordStart(granted),
    ]);
    const recorded = approved.status === 'fulfilled' && begun.status === 'fulfilled';
    if (!recorded || this.#response.destroyed) {
      if (begun.status === 'fulfilled') execution.recordNeverRan(granted, recorded ? 'disconnected' : null);
      this.answer(refusal('execution-unrecorded'));
      return;
    }
    const unbuffered = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    this.#response.writeHead(200, { 'content-type': COMMAND_EVENTS_TYPE, ...unbuffered });
    await execution.run(granted, this.#response);
  }

  /** What looks for secrets in the command's output, by the policy now in force; null where it could not be read. */
  async #inspector({ facts }: Permitted): Promise<Inspector | null> {
    try {
      return await this.#ports.inspectors(facts.organizationPolicy, performance.now() + DATABASE_BUDGET);
    } catch {
      return null;
    }
  }

  async interrupt(identifier: string): Promise<void> {
    discardRest(this.#request);
    const about = { name: identifier, session: null };
    const admitted = await this.#admit(about, null);
    if (admitted === null) return;
    const { execution, permitted } = admitted;
    let found: boolean;
    try {
      found = await execution.interrupt(identifier, permitted.subject);
    } catch {
      return this.#refuse(permitted, about, refusal('execution-undecided'));
    }
    if (!found) return this.#refuse(permitted, about, refusal('command-unknown'));
    // Stopping is always safe, so it does not wait for its entry.
    this.#ports.decisions.appendLater(commandDecision(this.#asked, permitted, about, null, this.#ports.clock()));
    answerJson(this.#response, 200, { identifiant: identifier, interrompu: true });
  }

  /** The first checks of both routes; 501 comes after the authorization. Null: answered. */
  async #admit(
    about: Subject,
    session: string | null,
  ): Promise<{ readonly execution: Execution; readonly permitted: Permitted } | null> {
    const admission = await permit(this.#asked, session, this.#ports);
    if ('refused' in admission) {
      this.#refuse(admission, about, admission.refused);
      return null;
    }
    const { execution } = this.#ports;
    if (execution !== null) return { execution, permitted: admission };
    this.#refuse(admission, about, refusal('launcher-absent'));
    return null;
  }

  /** The body, or null where the caller left. */
  async #command(): Promise<Command | Refusal | null> {
    const limits = { most: MOST_BODY, budget: this.#ports.bodies };
    this.#body ??= readBody(this.#request, this.#response, this.#asked.head, limits);
    const body = await this.#body;
    if (body === null || 'code' in body) return body;
    const parsed = parseCommand(parseJson(body.bytes));
    body.release();
    return 'command' in parsed ? parsed.command : parsed.refused;
  }

  /**
   * A small body usually arrives with its headers, so one query suffices. No answer depends on the body before the caller is
   * identified.
   */
  async #earlyCommand(): Promise<Command | Refusal | null> {
    const { contentLength, expectsContinue } = this.#asked.head;
    if (expectsContinue || contentLength === null || contentLength > SMALL_BODY) return null;
    return Promise.race([this.#command(), pause(EARLY, null)]);
  }

  /** Every refusal is recorded; one that cannot be recorded is answered as such. */
  #refuse(standing: Standing, about: Subject, refused: Refusal): void {
    const decision = commandDecision(this.#asked, standing, about, refused, this.#ports.clock());
    const kept = this.#ports.decisions.appendLater(decision);
    this.answer(kept || statusOf(refused) === 503 ? refused : refusal('execution-unrecorded'));
  }

  answer(refused: Refusal): void {
    discardRest(this.#request);
    answerRefusal(this.#response, refused);
  }
}

function aboutOf({ interpreter, session }: Command): Subject {
  return { name: interpreter, session };
}

/** An identifier from a path; one that cannot be decoded matches no command. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
