import type { TokenRule } from '../verify/rule.ts';

/** Databases and data platforms. */
export const DATABASE_RULES: readonly TokenRule[] = [
  {
    id: 'databricks-token',
    title: 'Databricks token',
    kind: 'infra-key',
    source: 'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
    forms: ['dapi[a-f0-9]{32}-[0-9]{1,2}', 'dapi[a-f0-9]{32}', 'dose[a-f0-9]{32}', 'dkea[a-f0-9]{32}'],
  },
  {
    id: 'planetscale-credential',
    title: 'PlanetScale credential',
    kind: 'infra-key',
    source: 'https://planetscale.com/docs/concepts/service-tokens',
    forms: [
      'pscale_tkn_[A-Za-z0-9_=.-]{32,64}',
      'pscale_pw_[A-Za-z0-9_=.-]{32,64}',
      'pscale_oauth_[A-Za-z0-9_=.-]{32,64}',
    ],
  },
  {
    id: 'neon-key',
    title: 'Neon API key',
    kind: 'infra-key',
    source: 'https://neon.com/docs/manage/api-keys',
    forms: ['napi_[a-z0-9]{64}'],
  },
  {
    id: 'supabase-key',
    title: 'Supabase secret key or access token',
    kind: 'infra-key',
    source: 'https://supabase.com/docs/guides/api/api-keys',
    forms: ['sbp_[a-f0-9]{40}', 'sbp_v0_[a-f0-9]{40}', 'sbp_oauth_[a-f0-9]{40}', 'sb_secret_[A-Za-z0-9_-]{31}'],
  },
  {
    id: 'mongodb-atlas-secret',
    title: 'MongoDB Atlas service account secret',
    kind: 'infra-key',
    source: 'https://www.mongodb.com/docs/atlas/api/service-accounts-overview/',
    forms: ['mdb_sa_sk_[A-Za-z0-9_-]{40}'],
  },
  {
    id: 'cockroach-key',
    title: 'CockroachDB Cloud API key',
    kind: 'infra-key',
    source: 'https://www.cockroachlabs.com/docs/cockroachcloud/managing-access',
    forms: ['CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}'],
  },
  {
    id: 'clickhouse-key',
    title: 'ClickHouse Cloud API secret',
    kind: 'infra-key',
    source: 'https://clickhouse.com/docs/cloud/manage/openapi',
    forms: ['4b1d[A-Za-z0-9]{38}'],
  },
  {
    id: 'astra-token',
    title: 'DataStax Astra token',
    kind: 'infra-key',
    source: 'https://docs.datastax.com/en/astra-db-serverless/administration/manage-application-tokens.html',
    forms: ['AstraCS:[A-Za-z0-9]{24}:[a-f0-9]{64}'],
  },
  {
    id: 'aiven-password',
    title: 'Aiven service password',
    kind: 'infra-key',
    source: 'https://aiven.io/docs/platform/howto/create_authentication_token',
    forms: ['AVNS_[A-Za-z0-9_-]{19}'],
  },
  {
    id: 'elastic-key',
    title: 'Elastic Cloud API key',
    kind: 'infra-key',
    source: 'https://www.elastic.co/docs/deploy-manage/api-keys/elastic-cloud-api-keys',
    forms: ['essu_[A-Za-z0-9+/=_-]{60,200}'],
  },
  {
    id: 'confluent-key',
    title: 'Confluent Cloud secret',
    kind: 'infra-key',
    source:
      'https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/api-keys/overview.html',
    forms: ['cflt[A-Za-z0-9+/]{60}'],
  },
  {
    id: 'tinybird-token',
    title: 'Tinybird token',
    kind: 'infra-key',
    source: 'https://www.tinybird.co/docs/forward/administration/tokens',
    forms: ['p.eyJ[A-Za-z0-9_-]{40,200}.[A-Za-z0-9_-]{40,90}'],
  },
  {
    id: 'databento-key',
    title: 'Databento API key',
    kind: 'access-token',
    source: 'https://databento.com/docs/portal/api-keys',
    forms: ['db-[A-Za-z0-9]{29}'],
    crossEntropy: 5.2,
  },
  {
    id: 'xata-key',
    title: 'Xata API key',
    kind: 'infra-key',
    source: 'https://xata.io/docs/concepts/api-keys',
    forms: ['xau_[A-Za-z0-9]{32,48}'],
  },
];
