import type { TokenRule } from './rule.ts';

/** Monitoring, logging and error tracking. */
export const MONITORING_RULES: readonly TokenRule[] = [
  {
    id: 'grafana-token',
    title: 'Grafana token',
    kind: 'infra-key',
    source: 'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    forms: ['glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}', 'glc_eyJ[A-Za-z0-9+/=_-]{50,500}', 'eyJrIjoi[A-Za-z0-9+/=_-]{60,400}'],
  },
  {
    id: 'newrelic-key',
    title: 'New Relic key',
    kind: 'infra-key',
    source: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    forms: [
      'NRAK-[A-Za-z0-9]{27}',
      'NRII-[A-Za-z0-9_-]{24,32}',
      'NRIQ-[A-Za-z0-9_-]{24,32}',
      'NRJS-[a-f0-9]{19}',
      'NRRA-[a-f0-9]{42}',
      'NRAA-[a-f0-9]{27}',
      'NRBR-[a-f0-9]{19}',
      '[a-f0-9]{36}<NRAL>',
    ],
  },
  {
    id: 'dynatrace-token',
    title: 'Dynatrace token',
    kind: 'infra-key',
    source:
      'https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens',
    forms: [
      'dt0c01.[A-Z0-9]{24}.[A-Z0-9]{64}',
      'dt0s01.[A-Z0-9]{24}.[A-Z0-9]{64}',
      'dt0s02.[A-Z0-9]{8,24}.[A-Z0-9]{64}',
      'dt0s16.[A-Z0-9]{8,24}.[A-Z0-9]{64}',
    ],
  },
  {
    id: 'sentry-token',
    title: 'Sentry token',
    kind: 'access-token',
    source: 'https://docs.sentry.io/account/auth-tokens/',
    forms: ['sntrys_eyJ[A-Za-z0-9+/=_-]{80,500}', 'sntryu_[a-f0-9]{64}', 'sntrya_[a-f0-9]{64}', 'sntryi_[a-f0-9]{64}'],
  },
  {
    id: 'honeycomb-key',
    title: 'Honeycomb key',
    kind: 'infra-key',
    source: 'https://docs.honeycomb.io/configure/environments/manage-api-keys/',
    forms: [
      'hcaik_[a-z0-9]{58}',
      'hcxik_[a-z0-9]{58}',
      'hcamk_[a-z0-9]{26}',
      'hcxmk_[a-z0-9]{26}',
      'hcbik_[a-z0-9]{58}',
    ],
  },
  {
    id: 'axiom-token',
    title: 'Axiom token',
    kind: 'infra-key',
    source: 'https://axiom.co/docs/reference/tokens',
    forms: [
      'xaat-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
      'xapt-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    ],
  },
  {
    id: 'coralogix-key',
    title: 'Coralogix key',
    kind: 'infra-key',
    source: 'https://coralogix.com/docs/user-guides/account-management/api-keys/',
    forms: ['cxtp_[A-Za-z0-9]{30}', 'cxup_[A-Za-z0-9]{30}', 'cxfd_[A-Za-z0-9]{30}'],
  },
  {
    id: 'checkly-key',
    title: 'Checkly API key',
    kind: 'infra-key',
    source: 'https://www.checklyhq.com/docs/accounts-and-users/creating-api-key/',
    forms: ['cu_[a-f0-9]{32}', 'cs_[a-f0-9]{32}'],
  },
  {
    id: 'posthog-key',
    title: 'PostHog key',
    kind: 'access-token',
    source: 'https://posthog.com/docs/api',
    forms: ['phx_[A-Za-z0-9]{40,48}', 'phs_[A-Za-z0-9]{40,48}', 'phr_[A-Za-z0-9]{40,48}', 'pha_[A-Za-z0-9]{40,48}'],
  },
  {
    id: 'segment-token',
    title: 'Segment public API token',
    kind: 'access-token',
    source: 'https://segment.com/docs/api/public-api/',
    forms: ['sgp_[A-Za-z0-9]{64}'],
  },
  {
    id: 'logfire-token',
    title: 'Logfire write token',
    kind: 'infra-key',
    source: 'https://logfire.pydantic.dev/docs/how-to-guides/create-write-tokens/',
    forms: ['pylf_v1_us_[A-Za-z0-9]{40,64}', 'pylf_v1_eu_[A-Za-z0-9]{40,64}'],
  },
  {
    id: 'samsara-token',
    title: 'Samsara API token',
    kind: 'access-token',
    source: 'https://developers.samsara.com/docs/authentication',
    forms: ['samsara_api_[A-Za-z0-9]{30}'],
  },
];
