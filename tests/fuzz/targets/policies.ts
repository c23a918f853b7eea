import {
  authorize,
  checkPolicySet,
  compilePolicySet,
  type PolicyRequest,
  PolicySetUnusable,
  resourceTypeOf,
} from '@gateway/access';
import { matrixGrants, PERMISSIONS, ROLE_NAMES } from '@gateway/contract';
import type { Random } from '../../support/random.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const POLICIES = [
  '@id("night") forbid(principal, action == Action::"inference:appeler", resource) when { context.time.toTime() < duration("4h") };',
  'forbid(principal in Role::"utilisateur-standard", action, resource is Endpoint) when { resource.model == "llama" };',
  'forbid(principal, action, resource) unless { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };',
  'forbid(principal == Subject::"alice", action, resource == Endpoint::"chat");\nforbid(principal, action, resource) when { context has session && context.session == "s1" };',
  'forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };',
  'forbid(principal, action, resource) when { if context.path like "*chat*" then context.method == "POST" else !(principal in Role::"auditeur") };',
].map((text) => Buffer.from(text));
const WORDS = [
  'permit',
  'forbid',
  'principal',
  'when',
  'unless',
  '&&',
  '||',
  '//',
  '@id("x")',
  '(',
  ')',
  '{',
  '}',
  '::',
  '?principal',
];

function questionOf(random: Random): PolicyRequest {
  const permission = random.pick(PERMISSIONS);
  const type = resourceTypeOf(permission);
  const name = random.pick(['chat', 'code', 'north']);
  return {
    subject: random.pick(['alice', 'bob', 'é"\\']),
    roles: ROLE_NAMES.filter(() => random.below(4) === 0),
    permission,
    resource:
      type === 'Instance'
        ? { type }
        : type === 'Project'
          ? { type, name }
          : { type, name, model: 'llama', provider: 'local' },
    call: {
      session: random.pick([null, 's1', 's2']),
      method: random.pick(['GET', 'POST']),
      path: random.pick(['/chat/v1/chat/completions', '/']),
      sourceAddress: random.pick([null, '10.1.2.3', '2001:db8::1']),
      at: new Date(1_767_225_600_000 + random.below(2 ** 31) * 10),
    },
  };
}

/** Authorization policies: a sound one is decided, and never grants what the role matrix does not. */
export const policies: Target = {
  name: 'policies',
  share: 5,
  concurrency: 1,
  open: async () => ({
    run(random) {
      const text = mutated(POLICIES, random, WORDS).toString();
      const check = checkPolicySet(text);
      if (!check.ok) {
        if (check.faults.length === 0) throw new Finding('A policy was refused without a fault.', text);
        return 'refused';
      }
      try {
        const set = compilePolicySet(text);
        for (let asked = 0; asked < 4; asked += 1) {
          const question = questionOf(random);
          if (authorize(question, set).granted && !matrixGrants(question.roles, question.permission)) {
            throw new Finding(`Granted past the matrix: ${JSON.stringify(question)}.`, text);
          }
        }
      } catch (error) {
        if (error instanceof PolicySetUnusable) throw new Finding('A sound policy cannot be used.', text);
        throw error;
      }
      return 'accepted';
    },
  }),
};
