import type { TokenRule } from '../verify/rule.ts';

const FLAGS = 'https://launchdarkly.com/docs/home/account/api';

/** Continuous integration, delivery, feature flags and container registries. */
export const DELIVERY_RULES: readonly TokenRule[] = [
  {
    id: 'circleci-token',
    title: 'CircleCI token',
    kind: 'access-token',
    source: 'https://circleci.com/docs/managing-api-tokens/',
    forms: ['CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}', 'CCIPRJ_[A-Za-z0-9]{22}_[a-f0-9]{40}'],
  },
  {
    id: 'buildkite-token',
    title: 'Buildkite token',
    kind: 'access-token',
    source: 'https://buildkite.com/docs/apis/managing-api-tokens',
    forms: ['bkua_[a-z0-9]{40}', 'bkpt_[a-z0-9]{40}', 'bkct_[a-z0-9]{40}', 'bkagent_[A-Za-z0-9_-]{40}'],
  },
  {
    id: 'docker-hub-token',
    title: 'Docker Hub token',
    kind: 'infra-key',
    source: 'https://docs.docker.com/security/access-tokens/',
    forms: ['dckr_pat_[A-Za-z0-9_-]{27}', 'dckr_oat_[A-Za-z0-9_-]{32}'],
  },
  {
    id: 'docker-swarm-token',
    title: 'Docker Swarm token',
    kind: 'infra-key',
    source: 'https://docs.docker.com/engine/swarm/join-nodes/',
    forms: ['SWMTKN-1-[a-z0-9]{50}-[a-z0-9]{25}', 'SWMKEY-1-[A-Za-z0-9+/]{43}'],
  },
  {
    id: 'artifactory-token',
    title: 'JFrog Artifactory key',
    kind: 'infra-key',
    source: 'https://jfrog.com/help/r/jfrog-platform-administration-documentation/api-key',
    forms: ['AKCp[A-Za-z0-9]{69}', 'cmVmdGtuOjAxO[A-Za-z0-9+/=]{48,56}'],
  },
  {
    id: 'prefect-key',
    title: 'Prefect API key',
    kind: 'infra-key',
    source: 'https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys',
    forms: ['pnu_[A-Za-z0-9]{36}', 'pnb_[A-Za-z0-9]{36}'],
  },
  {
    id: 'launchdarkly-key',
    title: 'LaunchDarkly key',
    kind: 'access-token',
    source: FLAGS,
    forms: [
      'api-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
      'sdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
      'mob-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    ],
  },
  {
    id: 'configcat-key',
    title: 'ConfigCat SDK key',
    kind: 'access-token',
    source: 'https://configcat.com/docs/sdk-reference/overview/',
    forms: ['configcat-sdk-1/[A-Za-z0-9_-]{22}/[A-Za-z0-9_-]{22}', 'configcat-proxy/[A-Za-z0-9_-]{20,44}'],
  },
  {
    id: 'devcycle-key',
    title: 'DevCycle server key',
    kind: 'access-token',
    source: 'https://docs.devcycle.com/essentials/keys',
    forms: ['dvc_server_[A-Za-z0-9_-]{20,60}', 'dvc_mobile_[A-Za-z0-9_-]{20,60}'],
  },
  {
    id: 'statsig-key',
    title: 'Statsig key',
    kind: 'access-token',
    source: 'https://docs.statsig.com/sdk-keys/api-keys',
    forms: ['secret-[A-Za-z0-9]{40,46}', 'console-[A-Za-z0-9]{40,46}'],
  },
  {
    id: 'flagsmith-key',
    title: 'Flagsmith server key',
    kind: 'access-token',
    source: 'https://docs.flagsmith.com/clients/server-side',
    forms: ['ser.[A-Za-z0-9]{22}'],
  },
  {
    id: 'depot-token',
    title: 'Depot token',
    kind: 'access-token',
    source: 'https://depot.dev/docs/cli/authentication',
    forms: ['depot_org_[a-f0-9]{64}', 'depot_project_[a-f0-9]{64}', 'depot_user_[a-f0-9]{64}'],
  },
  {
    id: 'expo-token',
    title: 'Expo access token',
    kind: 'access-token',
    source: 'https://docs.expo.dev/accounts/programmatic-access/',
    forms: ['expo_[A-Za-z0-9_-]{40}'],
  },
  {
    id: 'dbt-token',
    title: 'dbt token',
    kind: 'infra-key',
    source: 'https://docs.getdbt.com/docs/dbt-cloud-apis/authentication',
    forms: ['dbtc_[A-Za-z0-9_=-]{40,60}', 'dbtu_[A-Za-z0-9_=-]{40,60}'],
  },
  {
    id: 'namespace-token',
    title: 'Namespace token',
    kind: 'infra-key',
    source: 'https://namespace.so/docs/reference/cli/auth-login',
    forms: ['nsct_[A-Za-z0-9_-]{40,300}', 'nsrt_[A-Za-z0-9_-]{40,300}'],
  },
];
