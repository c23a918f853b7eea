import { type Permission, type Refusal, refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/database/gateway';
import type { Identified } from '../auth/identify.ts';
import { identify } from '../auth/identify.ts';
import { resolveSubject } from '../auth/subject.ts';
import type { Head } from '../http/head.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import type { ExecutionPorts } from './ports.ts';

/** The right required to run or interrupt agent commands. */
export const LAUNCH: Permission = 'execution:lancer';

/** A request to the agent execution routes, with its data for the log. */
export interface Asked {
  readonly head: Head;
  readonly method: string;
  /** The request's target as written. */
  readonly target: string;
  readonly sourceAddress: string | null;
}

/** How far a request had progressed at its decision. */
export interface Standing {
  readonly identified: Identified | null;
  readonly facts: RelayFacts | null;
}

/** A subject that may run commands, as the database confirmed a moment ago. */
export interface Permitted extends Standing {
  readonly identified: Identified;
  readonly facts: RelayFacts;
  readonly subject: string;
}

/** The decision on a request; a refusal contains what was known by then. */
export type Admission = Permitted | (Standing & { readonly refused: Refusal });

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

export function forCommands(refused: Refusal): Refusal {
  const codes: Readonly<Record<string, Refusal['code']>> = WORDS;
  const code = Object.hasOwn(codes, refused.code) ? codes[refused.code] : undefined;
  return code === undefined ? refused : { ...refused, code };
}
