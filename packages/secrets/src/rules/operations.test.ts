import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep keys of monitoring. */
const SECRETS = [
  [
    'data sources of Grafana',
    'curl -H "Authorization: Bearer «bearer-authorization glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}»" https://grafana.acme.io/api/org',
  ],
  [
    'a Grafana provider',
    'provider "grafana" {\n  url  = "https://grafana.acme.io"\n  auth = "«grafana-token glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}»"\n}',
  ],
  ['an agent of Datadog', 'api_key: «named-secret [a-f0-9]{32}»\nsite: datadoghq.eu\n'],
  [
    'variables of Datadog',
    'DD_API_KEY=«datadog-key [a-f0-9]{32}»\nDD_APP_KEY=«datadog-key [a-f0-9]{40}»\nDD_ENV=production',
  ],
  [
    'an agent of New Relic',
    "exports.config = {\n  app_name: ['shop'],\n  license_key: '«newrelic-key [a-f0-9]{36}NRAL»',\n}",
  ],
  ['a user key of New Relic', 'NEW_RELIC_API_KEY=«newrelic-key NRAK-[A-Z0-9]{27}»'],
  ['an operator of Dynatrace', 'apiToken: "«dynatrace-token dt0c01.[A-Z0-9]{24}.[A-Z0-9]{64}»"'],
  [
    'a release to Sentry',
    'SENTRY_AUTH_TOKEN=«sentry-token sntrys_eyJ[A-Za-z0-9_-]{180}» sentry-cli releases new 1.2.3',
  ],
  ['settings of Honeycomb', 'OTEL_EXPORTER_OTLP_HEADERS="x-honeycomb-team=«honeycomb-key hcaik_[a-z0-9]{58}»"'],
  [
    'a call of Splunk',
    'curl -k https://splunk.acme.io:8088/services/collector -H "Authorization: Splunk «splunk-token {uuid}»"',
  ],
  [
    'settings of PagerDuty and Opsgenie',
    'PAGERDUTY_TOKEN=«pagerduty-key [A-Za-z0-9_+-]{20}»\nOPSGENIE_API_KEY=«opsgenie-uuid-key {uuid}»',
  ],
  ['settings of PostHog', 'posthog_personal_api_key: «posthog-key phx_[A-Za-z0-9]{43}»'],
  [
    'settings of Logfire and Axiom',
    'LOGFIRE_TOKEN=«logfire-token pylf_v1_eu_[A-Za-z0-9]{44}»\nAXIOM_TOKEN=«axiom-token xaat-{uuid}»',
  ],
] as const;

const NONE = [
  ['an address of Sentry', 'SENTRY_DSN=https://«- [a-f0-9]{32}»@o123456.ingest.sentry.io/4507654321'],
  ['trace headers', 'traceparent: 00-«- [a-f0-9]{32}»-«- [a-f0-9]{16}»-01\nx-b3-traceid: «- [a-f0-9]{32}»'],
  [
    'a line of a log',
    '{"level":"info","trace_id":"«- [a-f0-9]{32}»","span_id":"«- [a-f0-9]{16}»","dd.trace_id":"«- [0-9]{19}»"}',
  ],
  ['a metric', 'http_requests_total{pod="api-«- [a-z0-9]{9}»-x7k2p",token_type="bearer"} 1027'],
  ['a dashboard', 'https://grafana.acme.io/d/«- [A-Za-z0-9]{9}»/overview?orgId=1&var-cluster=eu'],
  [
    'a project key that web pages show',
    "posthog.init('phc_«- [A-Za-z0-9]{43}»', { api_host: 'https://eu.posthog.com' })",
  ],
  ['a fingerprint of an issue', 'Issue SHOP-4F2, fingerprint «- [a-f0-9]{32}», release shop@«- [a-f0-9]{40}»'],
  ['a template', 'DD_API_KEY=<your_datadog_api_key>\nNEW_RELIC_LICENSE_KEY=0000000000000000000000000000000000000000'],
] as const;

describe('keys of monitoring', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
