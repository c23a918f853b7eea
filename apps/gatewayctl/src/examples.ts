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
  'journal keys endorse': [
    'journal keys endorse 9b1f0c5a7d3e2f4861b0c9d8e7f6a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4 --author "Olga Operator"',
  ],
  'journal verify': [
    'journal verify',
    'journal verify --since checkpoint.note',
    'journal verify --archive archives/decisions-2026-01-1.jsonl',
    'journal verify --export decisions.jsonl --public-key keys.pem',
  ],
  'journal export': ['journal export --output decisions.jsonl', 'journal export --log administration --after 1200'],
  'journal checkpoint': [
    'journal checkpoint --output checkpoint.note',
    'journal checkpoint --note --log administration',
  ],
  'journal keys': ['journal keys > keys.pem', 'journal keys --note > log.keys'],
  'journal prove': [
    'journal prove --request-id 4f1c --out proof.json',
    'journal prove --subject alice --from 2027-01-01 --until 2027-02-01 --out proof.json',
    'journal prove --entry 7 --log administration --out proof.json',
  ],
  'journal check': ['journal check proof.json --key log.keys'],
  'journal consistency': ['journal consistency old.note --out consistency.json'],
  'journal tree': ['journal tree', 'journal tree --verify'],
  'journal witness': [
    'journal witness --listen 127.0.0.1:7380 --state witness --log log.keys --key witness.pem --name witness.example.com',
  ],
  retention: ['retention', 'retention decisions 12', 'retention decisions default'],
  archive: ['archive --directory archives', 'archive --list'],
  'archive-verify': ['archive-verify archives/usage-2026-01-1.jsonl --public-key keys.pem'],
  'secrets scan': ['secrets scan prompt.txt', 'secrets scan src/config.ts --show-digests'],
  'secrets rules': ['secrets rules'],
  'policy check': ['policy check policy.cedar'],
  'policy explain': [
    'policy explain alice "Call endpoints" endpoint:demo',
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
