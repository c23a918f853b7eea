import { type Refusal, refusal } from '@gateway/contract';
import type { RelayFacts } from '@gateway/domain/call/facts';
import { describe, expect, it } from 'vitest';
import type { Head } from '../http/head.ts';
import { DATABASE_BUDGET } from '../store/database.ts';
import { type Asked, permit } from './handler.ts';
import type { ExecutionPorts } from './ports.ts';

const TOKEN = 'aaa.bbb.ccc';
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const POLICY = { number: 7, installedAt: '1' };
const asked = (authorization = `Bearer ${TOKEN}`): Asked => ({
  head: { authorization, apiKey: '' } as Head,
  method: 'POST',
  target: '/_agent-execution/commands?q=1',
  sourceAddress: '10.0.0.1',
});
const facts = (more: Partial<RelayFacts> = {}): RelayFacts => ({
  account: null,
  subjectRevoked: false,
  sessionRevokedAt: null,
  endpoint: null,
  roles: ['utilisateur-standard'],
  policy: POLICY,
  organizationPolicy: null,
  billing: null,
  ...more,
});

/** Ports that grant everything unless a test replaces one, and the arguments they received. */
function portsOf(more: Partial<ExecutionPorts> = {}, read = facts()) {
  const met: string[] = [];
  const queries: unknown[] = [];
  const granting: Partial<ExecutionPorts> = {
    facts: {
      read: async (...query) => {
        queries.push(...query);
        return read;
      },
    },
    directory: { verify: async () => ({ subject: 'alice' }), met: (subject) => met.push(subject) },
    license: null,
    authorizer: (...query) => {
      queries.push(...query);
      return null;
    },
    clock: () => NOW,
  };
  return { met, queries, ports: { ...granting, ...more } as ExecutionPorts };
}
const codeOf = async (more: Partial<ExecutionPorts>, read?: RelayFacts) => {
  const verdict = await permit(asked(), 's1', portsOf(more, read).ports);
  return 'refused' in verdict ? verdict.refused.code : `permitted ${verdict.subject}`;
};

describe('the right to run agent commands (commands-1)', () => {
  it('is checked by the database and the policy in force, with all inputs of a policy', async () => {
    const { queries, ports } = portsOf();
    const before = performance.now();
    const verdict = await permit(asked(), 's1', ports);
    const within = expect.toSatisfy((deadline: number) => deadline >= before + DATABASE_BUDGET);
    expect(verdict).toMatchObject({ subject: 'alice', identified: { credential: 'token' }, facts: facts() });
    expect(queries).toEqual([
      { identity: { kind: 'directory', subject: 'alice' }, endpoint: '', session: 's1' },
      within,
      {
        subject: 'alice',
        roles: ['utilisateur-standard'],
        permission: 'execution:lancer',
        resource: { type: 'Instance' },
        call: {
          session: 's1',
          method: 'POST',
          path: '/_agent-execution/commands?q=1',
          sourceAddress: '10.0.0.1',
          at: new Date(NOW),
        },
      },
      POLICY,
      within,
    ]);
  });
  it('is added to the registry where it has no account yet', async () => {
    const unknown = portsOf();
    await permit(asked(), null, unknown.ports);
    expect(unknown.met).toEqual(['alice']);
    const account = { id: '1', username: 'alice', origin: 'directory', enabled: true, key: null } as const;
    const known = portsOf({}, facts({ account }));
    await permit(asked(), null, known.ports);
    expect(known.met).toEqual([]);
  });

  const refusing =
    (code: Refusal['code']): (() => Promise<Refusal>) =>
    async () =>
      refusal(code);
  it.each<[string, Partial<ExecutionPorts>, RelayFacts?]>([
    ['permitted alice', {}],
    ['permitted alice', { license: async () => null, authorizer: async () => null }],
    ['directory-absent', { directory: null }],
    ['token-expired', { directory: { verify: refusing('token-expired'), met: () => {} } }],
    ['execution-undecided', { directory: { verify: refusing('directory-unreachable'), met: () => {} } }],
    ['execution-undecided', { facts: { read: () => Promise.reject(new Error('silent')) } }],
    ['subject-revoked', { license: refusing('license-expired') }, facts({ subjectRevoked: true })],
    ['session-revoked', { license: refusing('license-expired') }, facts({ sessionRevokedAt: new Date(0) })],
    ['license-expired', { license: refusing('license-expired'), authorizer: refusing('role-missing') }],
    ['execution-role-missing', { authorizer: refusing('role-missing') }],
    ['execution-policy-forbids', { authorizer: refusing('policy-forbids') }],
    ['execution-policy-error', { authorizer: refusing('policy-error') }],
    ['execution-undecided', { authorizer: refusing('undecided') }],
  ])('%s, in the words of these routes', async (code, more, read) => {
    expect(await codeOf(more, read)).toBe(code);
  });
  it('is part of a refusal as far as it is known, for the log', async () => {
    const unidentified = await permit(asked(''), null, portsOf().ports);
    expect(unidentified).toMatchObject({ refused: { code: 'credentials-missing' }, identified: null, facts: null });
    const unread = portsOf({ facts: { read: () => Promise.reject(new Error('silent')) } });
    expect(await permit(asked(), null, unread.ports)).toMatchObject({
      identified: { identity: { kind: 'directory', subject: 'alice' } },
      facts: null,
    });
    const forbidding = portsOf({ authorizer: () => refusal('policy-forbids', { details: { detail: 'closed' } }) });
    expect(await permit(asked(), null, forbidding.ports)).toMatchObject({
      refused: { details: { detail: 'closed' } },
      identified: { identity: { subject: 'alice' } },
      facts: { policy: POLICY },
    });
  });
});
