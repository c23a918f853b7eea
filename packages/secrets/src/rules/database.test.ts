import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep credentials of databases and data platforms. */
const SECRETS = [
  [
    'the profile of Databricks',
    `[DEFAULT]
host  = https://adb-1234567890123456.7.azuredatabricks.net
token = «databricks-token dapi[a-f0-9]{32}-3»
`,
  ],
  [
    'an address of PlanetScale',
    'DATABASE_URL="mysql://«- [a-z0-9]{20}»:«url-password pscale_pw_[A-Za-z0-9]{43}»@aws.connect.psdb.cloud/shop?sslaccept=strict"',
  ],
  [
    'an address of Neon',
    'postgresql://neondb_owner:«url-password npg_[A-Za-z0-9]{12}»@ep-cool-bird-123456.eu-central-1.aws.neon.tech/neondb?sslmode=require',
  ],
  [
    'an address of Aiven',
    'Service URI: postgres://avnadmin:«url-password AVNS_[A-Za-z0-9]{19}»@pg-acme.aivencloud.com:12345/defaultdb?sslmode=require',
  ],
  [
    'settings of Supabase',
    'SUPABASE_URL=https://abcdefghijklmnopqrst.supabase.co\nSUPABASE_SECRET_KEY=«supabase-key sb_secret_[A-Za-z0-9_-]{31}»',
  ],
  ['a script with Supabase', 'SUPABASE_ACCESS_TOKEN=«supabase-key sbp_[a-f0-9]{40}» supabase db push'],
  [
    'a client of Atlas',
    'mongosh "mongodb+srv://app:«url-password [A-Za-z0-9]{16}»@shop.ab1cd.mongodb.net/?retryWrites=true&w=majority"',
  ],
  ['a service account of Atlas', "client_secret: '«mongodb-atlas-secret mdb_sa_sk_[A-Za-z0-9_-]{40}»'"],
  [
    'the token file of Astra',
    '{"clientId":"«- [A-Za-z]{24}»","token":"«astra-token AstraCS:[A-Za-z0-9]{24}:[a-f0-9]{64}»"}',
  ],
  ['settings of CockroachDB Cloud', 'COCKROACH_API_KEY=«cockroach-key CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}»'],
  [
    'a client of Elastic',
    "new Client({ cloud: { id: 'shop:ZXU=' }, auth: { apiKey: '«elastic-key essu_[A-Za-z0-9+/]{90}»' } })",
  ],
  [
    'settings of Neon and Xata',
    'neon_api_key: «neon-key napi_[a-z0-9]{64}»\nxata_api_key: «xata-key xau_[A-Za-z0-9]{38}»',
  ],
] as const;

const NONE = [
  [
    'an address without a password',
    'postgres://postgres@localhost:5432/shop?sslmode=disable and redis://localhost:6379/0',
  ],
  ['an address with a variable', 'postgres://${DB_USER}:${DB_PASSWORD}@${DB_HOST}:5432/shop'],
  [
    'an address of documentation',
    'postgresql://user:password@localhost:5432/mydb\nmongodb+srv://<username>:<password>@cluster0.mongodb.net',
  ],
  ['an object identifier', '{"_id":{"$oid":"«- [a-f0-9]{24}»"},"tokenId":"«- [a-f0-9]{24}»"}'],
  ['the key of a row', "INSERT INTO account (id, checksum) VALUES ('«- {uuid}»', '«- [a-f0-9]{64}»');"],
  ['a hashed password', "password_hash = '$argon2id$v=19$m=65536,t=3,p=4$«- [A-Za-z0-9+/]{22}»$«- [A-Za-z0-9+/]{43}»'"],
  ['a hash of bcrypt', 'admin:$2y$10$«- [A-Za-z0-9]{53}»'],
  ['a public key of Supabase', 'SUPABASE_PUBLISHABLE_KEY=sb_publishable_«- [A-Za-z0-9_-]{31}»'],
  ['a plan of a query', 'Index Scan using token_secret_idx on token (cost=0.42..8.44 rows=1 width=64)'],
  ['a constraint', 'ALTER TABLE credential ADD CONSTRAINT credential_secret_key UNIQUE (secret_digest);'],
] as const;

describe('credentials of databases', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
