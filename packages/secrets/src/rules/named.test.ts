import { describe, expect, it } from 'vitest';
import { NOTATIONS } from '../testing/notations.ts';
import { read, written } from '../testing/written.ts';

/** Keys without a form of their own: the rule, the name that tells it in capitals, and the key. */
const KEYS = [
  ['aws-secret-key', 'AWS_SECRET_ACCESS_KEY', '[A-Za-z0-9+/]{40}'],
  ['datadog-key', 'DATADOG_API_KEY', '[a-f0-9]{32}'],
  ['cloudflare-key', 'CLOUDFLARE_API_TOKEN', '[A-Za-z0-9_-]{40}'],
  ['snyk-token', 'SNYK_TOKEN', '{uuid}'],
  ['algolia-key', 'ALGOLIA_ADMIN_KEY', '[a-f0-9]{32}'],
  ['fastly-key', 'FASTLY_API_TOKEN', '[A-Za-z0-9_-]{32}'],
  ['azure-devops-legacy-token', 'AZURE_DEVOPS_TOKEN', '[a-z2-7]{52}'],
  ['consul-token', 'CONSUL_HTTP_TOKEN', '{uuid}'],
  ['zhipu-key', 'ZHIPU_API_KEY', '[a-f0-9]{32}.[A-Za-z0-9]{16}'],
  ['pusher-secret', 'PUSHER_APP_SECRET', '[a-f0-9]{20}'],
] as const;

describe.each(KEYS)('a key of the rule %s', (rule, name, form) => {
  it.each(NOTATIONS)('is found and masked in %s', (_, notation) => {
    const document = written(notation(name).replace('§', `«${rule} ${form}»`));
    expect(read(document.text)).toEqual(document);
  });

  it.each([
    ['a variable', (text: string) => text.replace('§', '${SECRET_VALUE}')],
    ['a template', (text: string) => text.replace('§', '{{ .Values.secret }}')],
    ['a description', (text: string) => text.replace('§', '<your key here>')],
    ['nothing', (text: string) => text.replace('§', '')],
  ])('is not suspected where its place holds %s', (_, fill) => {
    for (const [, notation] of NOTATIONS) {
      const text = fill(notation(name));
      expect(read(text)).toEqual({ text, secrets: [], masked: text });
    }
  });
});

describe('a name with parts', () => {
  it.each([
    ['properties', 'app.name=shop\nsnyk.token=«snyk-token {uuid}»\nserver.port=8080\n'],
    ['properties of a longer path', 'consul.acl.token = «consul-token {uuid}»\n'],
    ['YAML', 'heroku.api-key: «heroku-uuid-key {uuid}»\n'],
    ['a call', 'config.set("datadog.api_key", "«datadog-key [a-f0-9]{32}»");'],
    ['JSON', '{"postmark.server.token":"«postmark-token {uuid}»"}'],
    ['an option of Java', 'java -Dsplunk.token=«splunk-token {uuid}» -jar app.jar'],
  ])('tells the provider in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});

describe('a value of the same form is none', () => {
  it.each([
    ['the identifier of an application', 'DATADOG_APPLICATION_ID=«- [a-f0-9]{32}»'],
    ['a commit', 'github_sha=«- [a-f0-9]{40}»'],
    ['a revision', 'heroku_release_version: «- {uuid}»'],
    ['a digest', 'ALGOLIA_INDEX_HASH=«- [a-f0-9]{32}»'],
    ['the tag of an image', 'docker pull registry.acme.io/snyk/consul:«- [a-f0-9]{40}»'],
    ['an address', 'consul_url: https://consul.acme.io/v1/kv/«- {uuid}»'],
    ['an organization', 'SNYK_ORG=«- {uuid}» snyk test --severity-threshold=high'],
    ['a project and an environment', 'RAILWAY_PROJECT=«- {uuid}»\nRAILWAY_ENVIRONMENT=«- {uuid}»'],
    ['an application', 'heroku_app = "«- {uuid}»"'],
    ['a tree', '{"github_tree":"«- [a-f0-9]{40}»","githubBlob":"«- [a-f0-9]{40}»"}'],
    ['a run', 'wandb_run: «- [a-f0-9]{40}»'],
    ['an index', '{"splunkIndex":"«- {uuid}»"}'],
    ['a longer word', '{"consultation":"«- {uuid}»"}'],
    ['another longer word', 'consultant = "«- {uuid}»"'],
    ['a page', 'docs.snyk.io: «- {uuid}»'],
    ['a member that is no secret', 'heroku.dyno = "«- {uuid}»"'],
    ['the end of a sentence', 'We use Snyk. token «- {uuid}»'],
    ['another line', 'DATADOG_SITE=datadoghq.eu\n\n«- [a-f0-9]{32}»\n'],
    ['a row of one digit', 'PUSHER_APP_SECRET=00000000000000000000'],
  ])('%s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
