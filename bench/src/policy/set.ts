/** Only the policy engine can decide networks and hours; every other condition here is decided before. */
const ENGINE_DECIDES = [
  'unless { context.sourceAddress.isInRange(ip("127.0.0.0/8")) || context.sourceAddress.isInRange(ip("10.0.0.0/8")) }',
  'when { context.time.toTime() < duration("-1h") }',
];

const CONDITIONS = [
  'when { resource.model == "withdrawn-model" }',
  'when { resource.provider like "untrusted-*" }',
  'when { context has session && context.session like "quarantined-*" }',
  'when { context.method == "DELETE" }',
  'when { context.path like "*/fine_tuning/*" }',
  'when { context.path like "*/files/*" && context.method == "POST" }',
];

const HEADS = [
  'principal == Subject::"contractor", action == Action::"inference:appeler", resource',
  'principal == Subject::"intern", action, resource == Endpoint::"expensive"',
  'principal in Role::"auditeur", action == Action::"inference:appeler", resource',
  'principal, action == Action::"inference:appeler", resource == Endpoint::"experimental"',
  'principal, action == Action::"execution:lancer", resource',
  'principal == Subject::"suspended", action, resource',
];

const CALL = 'principal, action == Action::"inference:appeler", resource is Endpoint';

/** Twenty policies as an operator writes them, none of which forbids the call that is measured; two need the policy engine. */
export const TWENTY_POLICIES = [
  ...HEADS.map((head) => `forbid (${head});`),
  ...HEADS.map((head, index) => `forbid (${head}) when { context has session && context.session == "s${index}" };`),
  ...[...CONDITIONS, ...ENGINE_DECIDES].map((condition) => `forbid (${CALL}) ${condition};`),
].map((policy, index) => `@id("rule ${index + 1}") ${policy}`);
