import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep credentials of delivery: integration servers, feature flags, container registries. */
const SECRETS = [
  [
    'a trigger of a pipeline',
    'curl -u «circleci-token CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}»: -X POST https://circleci.com/api/v2/project/gh/acme/shop/pipeline',
  ],
  [
    'a login to a registry',
    'echo «docker-hub-token dckr_pat_[A-Za-z0-9_-]{27}» | docker login -u acme --password-stdin',
  ],
  [
    'a machine that joins a swarm',
    'docker swarm join --token «docker-swarm-token SWMTKN-1-[a-z0-9]{50}-[a-z0-9]{25}» 10.0.0.5:2377',
  ],
  [
    'an agent of Buildkite',
    `token="«buildkite-token bkua_[a-z0-9]{40}»"
name="agent-%n"
tags="queue=deploy"
`,
  ],
  [
    'flags in code',
    `const client = LaunchDarkly.init('«launchdarkly-key sdk-{uuid}»');
const other = configcat.getClient("«configcat-key configcat-sdk-1/[A-Za-z0-9_-]{22}/[A-Za-z0-9_-]{22}»");`,
  ],
  [
    'flags in an environment file',
    'STATSIG_SERVER_KEY=«statsig-key secret-[A-Za-z0-9]{43}»\nDVC_KEY=«devcycle-key dvc_server_[A-Za-z0-9_-]{40}»\n',
  ],
  [
    'a pull of Artifactory',
    'curl -H "X-JFrog-Art-Api: «artifactory-token AKCp[A-Za-z0-9]{69}»" https://acme.jfrog.io/artifactory/api/storage/libs',
  ],
  [
    'a reference token of Artifactory in Gradle',
    'artifactoryPassword=«artifactory-token cmVmdGtuOjAxO[A-Za-z0-9+/]{51}»',
  ],
  [
    'a profile of Prefect and dbt',
    `[profiles.cloud]
PREFECT_API_KEY = "«prefect-key pnu_[A-Za-z0-9]{36}»"
DBT_TOKEN = "«dbt-token dbtc_[A-Za-z0-9_-]{44}»"
`,
  ],
  ['a build of an app', 'EXPO_TOKEN=«expo-token expo_[A-Za-z0-9_-]{40}» npx eas build --non-interactive'],
  ['a remote builder', 'depot build -t acme/shop --token «depot-token depot_project_[a-f0-9]{64}» .'],
] as const;

const NONE = [
  ['digests of images', 'FROM node:24@sha256:«- [a-f0-9]{64}» AS build'],
  ['an image listing', 'acme/api   latest   «- [a-f0-9]{12}»   3 days ago   184MB'],
  ['a build number', 'Build #20260102.3 of pipeline sdk-release-candidate-validation-and-publishing finished'],
  ['client identifiers of flags', 'clientSideID: "«- [a-f0-9]{24}»"'],
  [
    'keys of a cache',
    'key: npm-${{ runner.os }}-${{ hashFiles("**/package-lock.json") }}\nrestored npm-Linux-«- [a-f0-9]{64}»',
  ],
  ['variables', 'docker login -u "$DOCKER_USER" -p "$DOCKER_PASSWORD"\nexport CIRCLE_TOKEN=${CIRCLE_TOKEN}'],
  ['identifiers of deliveries', 'x-github-delivery: «- {uuid}»\nx-buildkite-request: «- {uuid}»'],
  ['names of services', 'api-gateway-v2 mob-programming-session sdk-generator-for-typescript'],
] as const;

describe('credentials of delivery', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
