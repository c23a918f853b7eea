/**
 * Examples of each command for its help text, without the program's name. A test runs each through the command line's
 * parser, and finds every command here.
 */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  migrate: ['migrate', 'migrate --check', 'migrate --status'],
  grant: [
    'grant alice standard-user "Olga Operator"',
    'grant bob project-administrator "Olga Operator" --project apollo',
  ],
  'revoke-role': ['revoke-role alice standard-user "Olga Operator"'],
  roles: ['roles', 'roles alice', 'roles --limit 20'],
  'project add': ['project add apollo alice'],
  'project remove': ['project remove apollo alice'],
  'project members': ['project members apollo'],
  'account create': ['account create alice', 'account create ci-runner --display-name "Build server" --label pipeline'],
  'account list': ['account list', 'account list --limit 20', 'account list --json'],
  'account disable': ['account disable alice'],
  'account enable': ['account enable alice'],
  'account rotate-key': [
    'account rotate-key alice --label "laptop 2026"',
    'account rotate-key ci-runner --expires 2099-12-31',
  ],
  'subject revoke': ['subject revoke alice --author "Olga Operator" --reason "left the company"'],
  'subject lift': ['subject lift alice --author "Olga Operator" --reason "came back"'],
  'session revoke': ['session revoke 0b9d4c1e --author "Olga Operator" --reason "agent out of control"'],
  'session standing': ['session standing 0b9d4c1e'],
  'organization create': ['organization create acme "Acme Inc."'],
  'organization list': ['organization list'],
  'organization policy install': [
    'organization policy install acme policy.json',
    'organization policy install acme policy.json --valid-until 2027-01-01T00:00:00Z',
  ],
  'organization policy show': ['organization policy show acme'],
  export: ['export > gateway.yaml', 'export --json'],
  diff: ['diff gateway.yaml', 'diff gateway.yaml --prune --json'],
  apply: ['apply gateway.yaml --author "pipeline 4711"', 'apply gateway.yaml --prune --dry-run'],
  schema: ['schema > gateway.schema.json'],
  'journal verify': [
    'journal verify',
    'journal verify --since checkpoint.note',
    'journal verify --export decisions.jsonl --public-key keys.pem',
  ],
  'journal export': ['journal export --output decisions.jsonl', 'journal export --chain actions --after 1200'],
  'journal checkpoint': ['journal checkpoint --output checkpoint.note'],
  'journal keys': ['journal keys > keys.pem'],
  'secrets scan': ['secrets scan prompt.txt', 'secrets scan src/config.ts --show-digests'],
  'secrets rules': ['secrets rules'],
  'policy check': ['policy check policy.cedar'],
  'policy explain': [
    'policy explain alice inference:appeler endpoint:demo',
    'policy explain alice inference:appeler endpoint:demo --file policy.cedar --at 2026-12-24T20:00:00Z',
  ],
  'policy install': ['policy install policy.cedar'],
  'policy lift': ['policy lift'],
  'policy show': ['policy show'],
  'license issue': [
    'license issue --licensee "Acme Inc." --deployment production --signing-key vendor.pem --seats 200 --days 365',
  ],
  'license show': ['license show license.jws'],
  'license verify': ['license verify license.jws'],
};
