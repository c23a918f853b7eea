import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildManualCorpus, type ManualCorpus } from './testing/manual-corpus.ts';

let manual: ManualCorpus;
beforeAll(async () => {
  manual = await buildManualCorpus();
});
afterAll(() => manual.remove());

/**
 * What operators, auditors and developers type, written down before the pages were looked at, and the pages that answer.
 * Whoever changes the search or the pages may not drop below the shares at the end; a single question may move.
 */
const QUESTIONS: readonly (readonly [question: string, ...pages: readonly string[]])[] = [
  ['set up entra id sign-in', 'operator/sign-in-entra-id'],
  ['entra id setup', 'operator/sign-in-entra-id'],
  ['okta oidc', 'operator/sign-in-okta'],
  ['keycloack login', 'operator/sign-in-keycloak'],
  ['google workspace single sign on', 'operator/sign-in-google'],
  ['authentik', 'operator/sign-in-authentik'],
  ['how do I add a provider', 'operator/engine'],
  ['rotate a leaked api key', 'deployment/keys', 'operator/secrets'],
  ['run it with docker compose', 'deployment/services'],
  ['kubernetes', 'deployment/services'],
  ['backup and restore', 'deployment/backup'],
  ['how do I upgrade to the next version', 'deployment/upgrade'],
  ['monthly budget per developer', 'operator/plans'],
  ['send the audit log to splunk', 'operator/logs-splunk'],
  ['microsoft sentinel', 'operator/logs-sentinel'],
  ['elasticsearch', 'operator/logs-elastic'],
  ['grafana loki', 'operator/logs-loki'],
  ['prometheus metrics', 'reference/addresses'],
  ['streaming stops behind nginx', 'deployment/several', 'operator/troubleshooting', 'deployment/proxies'],
  ['corporate proxy HTTPS_PROXY', 'operator/engine', 'operator/troubleshooting', 'reference/configuration'],
  ['engine with self signed certificate', 'operator/engine'],
  ['vllm', 'operator/engine'],
  ['ollama', 'operator/engine', 'developer/tools'],
  ['ECONNREFUSED 127.0.0.1:5432', 'operator/troubleshooting'],
  ['licence expired what happens', 'operator/licence'],
  ['how many seats are used', 'operator/licence'],
  ['max request size', 'reference/limits'],
  ['request times out after 30 minutes', 'reference/limits', 'operator/troubleshooting'],
  ['make someone an auditor', 'operator/people'],
  ['supported postgres version', 'reference/versions'],
  ['high availability two gateways', 'deployment/several'],
  ['how long are logs kept', 'operator/retention'],
  ['proof that the log was not tampered with', 'concepts/log', 'auditor/verify'],
  ['export decisions as csv', 'auditor/verify'],
  ['who changed the policy', 'auditor/verify'],
  ["gdpr delete a person's data", 'operator/delete-person'],
  ['are prompts stored', 'concepts/never-stored'],
  ['Unauthorized.', 'operator/troubleshooting', 'reference/refusals'],
  ['Unknown endpoint: gpt-4', 'operator/troubleshooting', 'reference/refusals'],
  ['Missing credentials. Set apiKey in your gateway config.', 'operator/troubleshooting', 'reference/refusals'],
  [
    'The request carries what looks like a secret',
    'operator/troubleshooting',
    'reference/refusals',
    'operator/secrets',
  ],
  ['curl example chat completions', 'developer/calls'],
  ['which models can I use', 'developer/calls'],
  ['authentification key header', 'developer/calls'],
  ['forbid an endpoint outside office hours', 'operator/policy-cookbook'],
];

const NOT_COVERED = [
  'terraform provider',
  'fine-tune a model',
  'slack notifications',
  'mysql instead of postgres',
  'semantic cache for answers',
];

const LEAST_FIRST = 0.85;
const LEAST_AMONG_THREE = 0.95;

function found(most: number): readonly string[] {
  return QUESTIONS.filter(([question, ...pages]) => {
    const { answered } = manual.engine.ask(question, 1);
    return (
      answered &&
      manual
        .pagesFor(question)
        .slice(0, most)
        .some((page) => pages.includes(page))
    );
  }).map(([question]) => question);
}

const missed = (most: number): readonly string[] => {
  const right = found(most);
  return QUESTIONS.map(([question]) => question).filter((question) => !right.includes(question));
};

it('85 of 100 questions find their page first', () => {
  expect(found(1).length / QUESTIONS.length, `not first: ${missed(1).join('; ')}`).toBeGreaterThanOrEqual(LEAST_FIRST);
});
it('95 of 100 questions find their page among three', () => {
  expect(found(3).length / QUESTIONS.length, `not among three: ${missed(3).join('; ')}`).toBeGreaterThanOrEqual(
    LEAST_AMONG_THREE,
  );
});
it.each(NOT_COVERED)('a question that the manual does not cover is not answered: %s', (question) => {
  expect(manual.engine.ask(question, 1).answered).toBe(false);
});
