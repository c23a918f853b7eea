import { readFileSync } from 'node:fs';
import { compilePolicySet, explain, type PolicyRequest } from '@gateway/access';
import { roleOf } from '@gateway/contract';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync(new URL('../site/pages/operator/policy-cookbook.md', import.meta.url), 'utf8');

/** The policy of each example, by its number. */
const EXAMPLES = new Map(
  [...PAGE.matchAll(/^### (\d+)\. .*$[\s\S]*?^```text\n([\s\S]*?)^```$/gm)].map(([, number = '', text = '']) => [
    Number(number),
    text,
  ]),
);

type Case = Partial<PolicyRequest['call']> & {
  readonly subject?: string;
  readonly permission?: PolicyRequest['permission'];
  readonly endpoint?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly time?: string;
};

function asked(given: Case): PolicyRequest {
  const { subject = 'alice', permission = 'inference:appeler', endpoint = 'demo', time, ...rest } = given;
  const { model = 'qwen3', provider = 'local', ...call } = rest;
  return {
    subject,
    roles: [roleOf(permission)],
    permission,
    resource:
      permission === 'inference:appeler' ? { type: 'Endpoint', name: endpoint, model, provider } : { type: 'Instance' },
    call: {
      session: null,
      method: 'POST',
      path: `/${endpoint}/v1/chat/completions`,
      sourceAddress: '10.1.2.3',
      at: new Date(time ?? '2026-05-04T12:00:00.000Z'),
      ...call,
    },
  };
}

/** For each example a call that it refuses, and one that it permits. */
const CASES: Readonly<Record<number, readonly [refused: Case, permitted: Case]>> = {
  1: [
    { subject: 'carol', endpoint: 'expensive' },
    { subject: 'bob', endpoint: 'expensive' },
  ],
  2: [{ subject: 'alice' }, { subject: 'alice', endpoint: 'other' }],
  3: [{ time: '2026-05-04T19:00:00.000Z' }, { time: '2026-05-04T07:00:00.000Z' }],
  4: [{ time: '2026-12-25T12:00:00.000Z' }, { time: '2026-12-27T06:00:00.000Z' }],
  5: [
    { endpoint: 'trial', time: '2027-01-01T00:00:00.000Z' },
    { endpoint: 'trial', time: '2026-12-31T23:59:59.999Z' },
  ],
  6: [{ sourceAddress: '203.0.113.9' }, { sourceAddress: '10.200.0.1' }],
  7: [{ sourceAddress: '2001:db8::7' }, { sourceAddress: '2001:db8::8' }],
  8: [{ model: 'gpt-oss-120b' }, { model: 'qwen3' }],
  9: [{ provider: 'vendor-a' }, { provider: 'local' }],
  10: [
    { subject: 'bob', provider: 'vendor-a' },
    { subject: 'alice', provider: 'vendor-a' },
  ],
  11: [{ session: null }, { session: 's-1' }],
  12: [
    { subject: 'ci-runner', session: 'laptop' },
    { subject: 'ci-runner', session: 'ci-4711' },
  ],
  13: [{ path: '/demo/v1/files' }, { path: '/demo/v1/chat/completions' }],
  14: [{ path: '/demo/v1/embeddings?x=1' }, { path: '/demo/v1/chat/completions' }],
  15: [
    { endpoint: 'archive', method: 'POST' },
    { endpoint: 'archive', method: 'GET' },
  ],
  16: [{ permission: 'execution:lancer' }, {}],
  17: [
    { permission: 'execution:lancer', subject: 'bob' },
    { permission: 'execution:lancer', subject: 'alice' },
  ],
  18: [
    { permission: 'endpoints:administrer', sourceAddress: '10.1.2.3' },
    { permission: 'endpoints:administrer', sourceAddress: '10.20.0.5' },
  ],
  19: [
    { permission: 'journal:exporter', sourceAddress: '10.1.2.3' },
    { permission: 'journal:exporter', sourceAddress: '10.30.1.1' },
  ],
  20: [{ permission: 'modeles:administrer' }, { permission: 'politique:administrer' }],
};

it('the cookbook contains twenty policies', () => {
  expect([...EXAMPLES.keys()]).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});

describe.each([...EXAMPLES])('example %i', (number, text) => {
  const set = compilePolicySet(text);
  const [refused, permitted] = CASES[number] ?? [];
  it('refuses the described calls, and permits the rest', () => {
    expect(explain(asked(refused ?? {}), set)).toMatchObject({ granted: false, reason: 'policy-forbids' });
    expect(explain(asked(permitted ?? {}), set)).toMatchObject({ granted: true });
    expect(explain(asked(refused ?? {}), null)).toMatchObject({ granted: true });
  });
});

it('an example with a name is refused by that name', () => {
  const answer = explain(asked({ permission: 'modeles:administrer' }), compilePolicySet(EXAMPLES.get(20) ?? ''));
  expect(answer.policies).toMatchObject([{ policy: 'freeze', says: 'forbids' }]);
});
